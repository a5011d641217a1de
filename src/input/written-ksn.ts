import {bytesFromBase64, bytesFromHex, isHex, upperHexOf} from '../platform/bytes.js';
import {decimalBytes} from './notations/byte-list.js';
import {fromLookAlikes} from './notations/damage.js';

/** The digits of a KSN as people write it, without spaces, dashes, `0x` and quotes. */
export function ksnDigits(text: string): string {
  const bare = ksnText(text);
  if (isHex(bare)) return bare.toUpperCase();
  const alike = fromLookAlikes(bare);
  if (alike !== undefined) return alike.toUpperCase();
  const bytes = bytesFromBase64(bare);
  return bytes && bytes.length >= 8 && bytes.length <= 12 ? upperHexOf(bytes) : bare.toUpperCase();
}

/** A KSN without the characters that people and languages write around it and between its digits. */
export function ksnText(text: string): string {
  return text
    .replace(/^\s*(?:ksn\s*[:=]?\s*)?(?:b(?=["']))?(?:0x)?/i, '')
    .replaceAll(/(?:0x|\\x)(?=[\da-f]{2}(?![\da-f]))/gi, '')
    .replaceAll(/[\s"':;.,\-_<>()[\]{}]/g, '');
}

/** The bytes of an IV as people write it: hex with anything between, base64, a list in decimal. */
export function ivBytes(text: string): Uint8Array | undefined {
  const bare = ksnText(text);
  const found = [
    isHex(bare) ? bytesFromHex(bare) : bytesFromBase64(bare),
    decimalBytes(text.replaceAll(/[[\](){}]/g, '').trim()),
  ];
  return found.find((bytes) => bytes?.length === 8 || bytes?.length === 16) ?? found[0];
}

/** True for an IV that decrypt takes as it is. */
export function isPlainIv(text: string): boolean {
  return isHex(text.replaceAll(/\s/g, ''));
}
