import type {WriteRequest} from '../writer.js';
import {resolveOptions} from '../writer-options.js';

/** The settings of Verifone terminals that change what they send. */
export const VERIFONE_OPTIONS = [
  {
    name: 'form',
    values: ['frames', 'tags', 'triple', 'tvp', 'base64', 'e07', 'message', 'blob'],
    meaning:
      'VIPA: frames, the tags without them, DFDF12/11/10 alone, the TVP text; XPI: the blob in ' +
      'base64, message E07 around it, E07 with STX, ETX and LRC, or the blob in hex',
  },
  {
    name: 'separator',
    values: ['byte', '[FS]', '<FS>'],
    meaning: 'E07: FS as a byte or spelt out',
  },
  {
    name: 'outer',
    values: ['auto', 'none', 'E0', 'E2', 'E3', 'E4', 'E5'],
    meaning: 'VIPA: enclosing template; auto: E0 for swiped and keyed, E2 for emv',
  },
  {
    name: 'content',
    values: ['tlv', 'track2', 'track2-full', 'tracks'],
    meaning: 'swiped: TLV, track 2 as text without or with sentinels and LRC, or both tracks so',
  },
  {name: 'tracks', values: ['all'], form: /^1?2?$/, meaning: 'swiped: tracks that were read'},
  {
    name: 'tags',
    values: ['auto'],
    form: /^[0-9A-F]{2,6}(?:,[0-9A-F]{2,6})*$/,
    meaning: 'emv: what is encrypted; auto: 57,5A, for XPI 5A,5F24,57,9F1F,5F30',
  },
  {name: 'cvv', values: ['on', 'off'], meaning: 'keyed: with the CVV'},
  {name: 'cipher', values: ['cbc', 'ecb'], meaning: 'VIPA: cipher mode; ECB sends no IV'},
  {
    name: 'padding',
    values: ['auto', 'iso7816', 'pkcs7', 'x923', 'zero'],
    meaning: 'padding of the plaintext; auto: iso7816, for XPI zero',
  },
  {name: 'status', values: ['on', 'off'], meaning: 'VIPA: with the encryption status DFDB0F'},
  {
    name: 'slot',
    values: [''],
    form: /^[0-9A-F]{8}$/i,
    meaning: 'VIPA: with the slot word DFDB0E',
  },
  {
    name: 'template',
    values: [''],
    form: /^(?:[0-9A-F]{2})+$/i,
    meaning: 'VIPA: the TLV list in hex; empty FF7F and objects of the card are filled in',
  },
] as const;

export type VerifoneOptions = Readonly<Record<(typeof VERIFONE_OPTIONS)[number]['name'], string>>;

/** The options of `request` with defaults. Throws 9001 for an unknown option. */
export function verifoneOptions(request: WriteRequest): VerifoneOptions {
  return resolveOptions(VERIFONE_OPTIONS, request.options);
}

const XPI_FORMS: readonly string[] = ['base64', 'e07', 'message', 'blob'];

/** True for the forms of XPI; all others are forms of VIPA. */
export function isXpi({form}: VerifoneOptions): boolean {
  return XPI_FORMS.includes(form);
}
