import {tlvForm} from '../../forms/tlv/tlv-form.js';

/** The tags of XPI's blob (docs/terminals/verifone.md#xpi-blob). */
export const XPI = tlvForm('XPI', {
  DF900F: ['label', 'opaque'],
  DF9001: 'data type',
  DF9009: 'encryption type',
  DF9020: ['card data, encrypted', 'cipher'],
  DF9021: ['KSN', 'ksn'],
  DF9022: ['IV', 'iv'],
});

/**
 * The tags of VIPA (docs/terminals/verifone.md#vipa-tags). FF7F has the card data, FF7E the card
 * number alone.
 */
export const VIPA = tlvForm(
  'VIPA',
  {
    E0: 'data',
    E2: 'decision required',
    E3: 'transaction approved',
    E4: 'online authorisation required',
    E5: 'transaction declined',
    E6: 'wait',
    '48': 'card status',
    FF7F: 'SRED template',
    DFDF10: ['card data, encrypted', 'cipher'],
    DFDF11: ['KSN', 'ksn'],
    DFDF12: ['IV', 'iv'],
    DFDB0F: 'encryption status',
    DFDB0E: 'slot word',
    FF7E: 'PAN template',
    DFDF13: ['PAN, encrypted', 'opaque'],
    DFDF14: ['KSN of the PAN', 'other-ksn'],
    DFDF15: ['IV of the PAN', 'opaque'],
    DFDB16: 'encryption status of the PAN',
    FF7C: 'PAN token template',
    DF837F: ['PAN token (HMAC-SHA256)', 'opaque'],
    DF837E: 'check value of the token key',
    DF836F: ['encrypted block', 'opaque'],
    DFDB05: 'track 1',
    DFDB06: 'track 2',
    DFDB01: 'PAN, keyed',
    DFDB02: 'CVV, keyed',
    DFDB03: 'expiry, keyed (YYMM)',
    DFED6C: ['PIN block', 'pin'],
    DFED03: ['PIN KSN', 'pin-ksn'],
    DFDF6E: 'swipe track status',
    DFDF20: 'Luhn result',
    C1: 'answer',
  },
  {several: ['cipher', 'ksn', 'iv']},
);

/** Names of Verifone's own tags; EMV tags are named elsewhere. */
export const VERIFONE_TAGS: Readonly<Record<string, string>> = {...XPI.names, ...VIPA.names};

/** Statuses of message E07. */
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

export const XPI_DATA_TYPES: Readonly<Record<string, string>> = {
  '01': 'track',
  '02': 'EMV',
  '03': 'keyed entry',
};

/** Signatures of blobs of other schemes (docs/terminals/verifone.md#closed-schemes). */
export const XPI_CLOSED_SCHEMES: readonly {readonly sign: RegExp; readonly name: string}[] = [
  {sign: /EParms|eParms|VSP/, name: 'VSP (format-preserving)'},
  {sign: /TRA(?:NSARMOR)?\b|TransArmor/, name: 'TransArmor'},
  {sign: /VOL(?:TAGE)?\b|Voltage/, name: 'Voltage'},
];
