import type {WriteRequest} from '../../writing.js';
import {type OptionValues, resolveOptions} from '../writer-options.js';

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
    name: 'content',
    values: ['tlv', 'track2', 'track2-full', 'tracks'],
    meaning: 'swiped: TLV, track 2 as text without or with sentinels and LRC, or both tracks so',
  },
  {name: 'tracks', values: ['all'], form: /^1?2?$/, meaning: 'swiped: tracks that were read'},
  {name: 'cipher', values: ['cbc', 'ecb'], meaning: 'VIPA: cipher mode; ECB sends no IV'},
] as const;

export type VerifoneOptions = OptionValues<typeof VERIFONE_OPTIONS>;

/** The options of `request` with defaults. Throws 9001 for an unknown option. */
export function verifoneOptions(request: WriteRequest): VerifoneOptions {
  return resolveOptions(VERIFONE_OPTIONS, request.options);
}

const XPI_FORMS: readonly string[] = ['base64', 'e07', 'message', 'blob'];

/** True for the forms of XPI; all others are forms of VIPA. */
export function isXpi({form}: VerifoneOptions): boolean {
  return XPI_FORMS.includes(form);
}
