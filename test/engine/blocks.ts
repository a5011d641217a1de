import {encrypt, lrcOf, tlv} from './terminal.js';

/** Ciphertexts as each terminal encloses them, around any plaintext, with their KSN. */
const IV = '0F1E2D3C4B5A6978';

type Plain = string | Uint8Array;

export const list = (...parts: readonly Uint8Array[]) => Buffer.concat(parts);
export const hex = (...parts: readonly Uint8Array[]) =>
  list(...parts)
    .toString('hex')
    .toUpperCase();
export const withLrc = (text: string) => text + lrcOf(text);

/** A blob of Miura. */
export function sredBlob(plain: Plain, ksn: string): Buffer {
  return list(tlv('DFAE02', encrypt(plain, {ksn})), tlv('DFAE03', ksn));
}

/** A block of Verifone's VIPA, and one with the card number alone. */
export function vipaBlock(
  plain: Plain,
  ksn: string,
  tags = ['FF7F', 'DFDF10', '11', '12'],
): Buffer {
  const [template = '', cipher = '', ksnTag, ivTag] = tags;
  const encrypted = encrypt(plain, {ksn, iv: IV, fill: 'iso7816'});
  const parts = [tlv(`DFDF${ivTag}`, IV), tlv(`DFDF${ksnTag}`, ksn), tlv(cipher, encrypted)];
  return tlv(template, list(...parts));
}

export function vipaPanBlock(plain: Plain, ksn: string): Buffer {
  return vipaBlock(plain, ksn, ['FF7E', 'DFDF13', '14', '15']);
}

/** A blob of Verifone's XPI. */
export function xpiBlob(plain: Plain, ksn: string): Buffer {
  return list(tlv('DF9020', encrypt(plain, {ksn, iv: IV})), tlv('DF9021', ksn), tlv('DF9022', IV));
}

/** An online message of BBPOS, or another one under other tags. */
export function bbposMessage(plain: Plain, ksn: string, [ksnTag, tag] = ['C0', 'C2']): Buffer {
  return list(tlv(ksnTag ?? '', ksn), tlv(tag ?? '', encrypt(plain, {ksn, fill: 'pkcs7'})));
}

/** A record of Ingenico's RBA. */
export function rbaRecord(plain: Plain, ksn: string, indicator = 1): string {
  const digits = hex(encrypt(plain, {ksn}));
  return `${ksn}:${indicator}:${String(digits.length).padStart(4, '0')}:${digits}`;
}
