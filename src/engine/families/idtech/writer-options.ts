import type {WriteRequest} from '../../writing.js';
import {resolveOptions, TRACKS_OPTION} from '../writer-options.js';

/** The settings of ID TECH readers that show in what they send (docs/simulate.md#options). */
export const IDTECH_OPTIONS = [
  {
    name: 'form',
    values: ['hex', 'keyboard', 'binary'],
    meaning: 'output form: hex, keyboard-emulation text, or binary (one character per byte)',
  },
  {
    name: 'layout',
    values: ['enhanced', 'original'],
    meaning: 'swiped and keyed: card encode type 80 and C0, or 00 and 85',
  },
  {
    name: 'message',
    values: ['auto', 'none', 'vivotech2', 'vivopayv3', 'tlv'],
    meaning: 'enclosing message; auto: none for swiped and keyed, vivotech2 for emv',
  },
  {
    name: 'mask',
    values: ['4/4'],
    form: /^[0-6]\/[0-4]$/,
    meaning: 'unmasked digits of masked PANs',
  },
  {
    name: 'hash',
    values: ['sha1', 'null', 'none'],
    meaning: 'hashes of the tracks: real, all zeros as SRED readers send them, or not sent',
  },
  TRACKS_OPTION,
  {name: 'algorithm', values: ['tdes', 'aes'], meaning: 'TDES, or AES under the TDES DUKPT key'},
  {name: 'zip', values: [''], form: /^[\w ]{0,10}$/, meaning: 'keyed: ZIP'},
  {
    name: 'convention',
    values: ['flags', 'twice', 'augusta'],
    meaning: 'emv: A1/C1 length flags, the tag sent twice, or masked copies in DFEF5B and DFEF5D',
  },
] as const;

export type IdtechOptions = Readonly<Record<(typeof IDTECH_OPTIONS)[number]['name'], string>>;

/** The options of `request` with defaults. Throws 9001 for an unknown option. */
export function idtechOptions(request: WriteRequest): IdtechOptions {
  return resolveOptions(IDTECH_OPTIONS, request.options);
}
