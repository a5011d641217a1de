import type {TagKinds} from '../../tlv/tags.js';

/**
 * The tags of Verifone's XPI and VIPA output with card data and related data, under the names used
 * by reader, writer, docs and `inspect` (docs/formats/verifone.md#vipa-tags,
 * docs/formats/verifone.md#xpi-blob).
 */
export const XPI = {
  label: 'DF900F',
  dataType: 'DF9001',
  encryption: 'DF9009',
  ciphertext: 'DF9020',
  ksn: 'DF9021',
  iv: 'DF9022',
} as const;

export const VIPA = {
  template: 'FF7F',
  ciphertext: 'DFDF10',
  ksn: 'DFDF11',
  iv: 'DFDF12',
  status: 'DFDB0F',
  slot: 'DFDB0E',
  panTemplate: 'FF7E',
  panCiphertext: 'DFDF13',
  panKsn: 'DFDF14',
  panIv: 'DFDF15',
  panStatus: 'DFDB16',
  track1: 'DFDB05',
  track2: 'DFDB06',
  keyedPan: 'DFDB01',
  keyedCvv: 'DFDB02',
  keyedExpiry: 'DFDB03',
  pinBlock: 'DFED6C',
  pinKsn: 'DFED03',
} as const;

export const VIPA_KSN_TAGS: ReadonlySet<string> = new Set([VIPA.ksn, VIPA.panKsn, VIPA.pinKsn]);

export const VERIFONE_TAG_KINDS: TagKinds = {
  ksn: new Set([XPI.ksn, ...VIPA_KSN_TAGS]),
  opaque: new Set([
    ...[
      XPI.label,
      XPI.ciphertext,
      XPI.iv,
      VIPA.ciphertext,
      VIPA.iv,
      VIPA.panCiphertext,
      VIPA.panIv,
    ],
    ...['DF837F', 'DF836F', 'DFED6C'],
  ]),
};

/** Names of Verifone's own tags; EMV tags are named elsewhere. */
export const VERIFONE_TAGS: Readonly<Record<string, string>> = {
  [XPI.label]: 'label',
  [XPI.dataType]: 'data type',
  [XPI.encryption]: 'encryption type',
  [XPI.ciphertext]: 'card data, encrypted',
  [XPI.ksn]: 'KSN',
  [XPI.iv]: 'IV',
  E0: 'data',
  E2: 'decision required',
  E3: 'transaction approved',
  E4: 'online authorisation required',
  E5: 'transaction declined',
  E6: 'wait',
  '48': 'card status',
  [VIPA.template]: 'SRED template',
  [VIPA.ciphertext]: 'card data, encrypted',
  [VIPA.ksn]: 'KSN',
  [VIPA.iv]: 'IV',
  [VIPA.status]: 'encryption status',
  [VIPA.slot]: 'slot word',
  [VIPA.panTemplate]: 'PAN template',
  [VIPA.panCiphertext]: 'PAN, encrypted',
  [VIPA.panKsn]: 'KSN of the PAN',
  [VIPA.panIv]: 'IV of the PAN',
  [VIPA.panStatus]: 'encryption status of the PAN',
  FF7C: 'PAN token template',
  DF837F: 'PAN token (HMAC-SHA256)',
  DF837E: 'check value of the token key',
  DF836F: 'encrypted block',
  [VIPA.track1]: 'track 1',
  [VIPA.track2]: 'track 2',
  [VIPA.keyedPan]: 'PAN, keyed',
  [VIPA.keyedCvv]: 'CVV, keyed',
  [VIPA.keyedExpiry]: 'expiry, keyed (YYMM)',
  [VIPA.pinBlock]: 'PIN block',
  [VIPA.pinKsn]: 'PIN KSN',
  DFDF6E: 'swipe track status',
  DFDF20: 'Luhn result',
  C1: 'answer',
};

/** The nibble that hides a digit of a masked 57 or 5A. Masked tracks use the byte AA. */
export const MASK_NIBBLE = 'A';
export const MASK_BYTE = 0xaa;

/** The fields of message E07, in order. */
export const MESSAGE_FIELDS = {
  stx: 'STX',
  command: 'message',
  status: 'status',
  encryption: 'encryption type',
  separator: 'FS',
  dataType: 'data type',
  blob: 'blob, base64',
  etx: 'ETX',
  lrc: 'LRC: XOR of what follows STX',
} as const;

export const STATUSES: Readonly<Record<string, string>> = {
  '00': 'ok',
  '01': 'nothing encrypted',
  '02': 'cryptographic error',
  '99': 'unsupported',
};

/** 04 is the older name of 05. */
export const VSD = ['05', '04'] as const;

export const ENCRYPTIONS: Readonly<Record<string, string>> = {
  '00': 'clear',
  '01': 'VSP (format-preserving)',
  '02': 'PKI (RSA)',
  '04': 'VSD',
  '05': 'VSD',
};

export const DATA_TYPES: Readonly<Record<string, string>> = {
  '01': 'track',
  '02': 'EMV',
  '03': 'keyed entry',
};

/** Signatures of blobs of other schemes (docs/formats/verifone.md#closed-schemes). */
export const CLOSED_SCHEMES: readonly {readonly sign: RegExp; readonly name: string}[] = [
  {sign: /EParms|eParms|VSP/, name: 'VSP (format-preserving)'},
  {sign: /TRA(?:NSARMOR)?\b|TransArmor/, name: 'TransArmor'},
  {sign: /VOL(?:TAGE)?\b|Voltage/, name: 'Voltage'},
];

/** Most encrypted blocks in one payload: all frames of one transaction repeat the same block. */
export const MAX_BLOCKS = 32;
