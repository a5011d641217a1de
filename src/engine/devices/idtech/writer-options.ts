import type {WriteRequest} from '../writer.js';
import {resolveOptions} from '../writer-options.js';

/** The settings of ID TECH readers that change what they send. */
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
  {name: 'expiry', values: ['masked', 'clear'], meaning: 'expiry date in the masked tracks'},
  {
    name: 'hash',
    values: ['sha1', 'null', 'none'],
    meaning: 'hashes of the tracks: real, all zeros as SRED readers send them, or not sent',
  },
  {name: 'sentinels', values: ['on', 'off'], meaning: 'start and end sentinels in the tracks'},
  {name: 'lrc', values: ['on', 'off'], meaning: "the tracks' own LRC"},
  {
    name: 'tracks',
    values: ['all'],
    form: /^1?2?3?$/,
    meaning: 'tracks that were read: 12, 2, ...',
  },
  {
    name: 'track3',
    values: ['encrypted', 'masked', 'clear'],
    meaning: 'track 3: encrypted, encrypted with a masked copy, or in cleartext',
  },
  {
    name: 'chip',
    values: ['auto', 'on', 'off'],
    meaning: 'field 8 bit 5: by service code, or fixed',
  },
  {name: 'algorithm', values: ['tdes', 'aes'], meaning: 'TDES, or AES under the TDES DUKPT key'},
  {name: 'key', values: ['data', 'pin'], meaning: 'field 8 bit 6: working key'},
  {
    name: 'optional',
    values: [''],
    form: /^[0-9A-F]{2}$/i,
    meaning: 'optional status byte in hex: bit 0 SHA-256, bit 1 TransArmor, bit 5 MAC',
  },
  {name: 'macKsn', values: [''], form: /^[0-9A-F]{20}$/i, meaning: 'KSN of the MAC; else slot C'},
  {name: 'cvv', values: ['on', 'off'], meaning: 'keyed: with the CVV'},
  {name: 'street', values: [''], form: /^[\w ]{0,20}$/, meaning: 'keyed: house number'},
  {name: 'zip', values: [''], form: /^[\w ]{0,10}$/, meaning: 'keyed: ZIP'},
  {
    name: 'convention',
    values: ['flags', 'twice', 'augusta'],
    meaning: 'emv: A1/C1 length flags, the tag sent twice, or masked copies in DFEF5B and DFEF5D',
  },
  {
    name: 'encrypted',
    values: ['57,5A'],
    form: /^[0-9A-F]{2,6}(?:,[0-9A-F]{2,6})*$/,
    meaning: 'emv: tags that are encrypted',
  },
  {
    name: 'masked',
    values: ['57,5A', ''],
    form: /^[0-9A-F]{2,6}(?:,[0-9A-F]{2,6})*$/,
    meaning: 'emv: encrypted tags that have a masked copy',
  },
  {name: 'entry', values: ['05', '07'], meaning: 'emv: 9F39, contact or contactless'},
  {name: 'ksnTag', values: ['DFEE12', 'FFEE12'], meaning: 'messages: tag that contains the KSN'},
  {
    name: 'header',
    values: ['auto'],
    form: /^(?:[0-9A-F]{2}){2,3}$/i,
    meaning: 'messages: command, (V3: subcommand,) status in hex',
  },
  {
    name: 'attribution',
    values: ['auto', 'none'],
    form: /^(?:[0-9A-F]{2}){1,4}$/i,
    meaning: 'messages: bytes before the TLV list',
  },
  {
    name: 'template',
    values: [''],
    form: /^(?:[0-9A-F]{2})+$/i,
    meaning: 'messages: the TLV list in hex; empty 57, 5A, 5F20, 5F24, KSN or DFEE23 are filled in',
  },
] as const;

export type IdtechOptions = Readonly<Record<(typeof IDTECH_OPTIONS)[number]['name'], string>>;

/** The options of `request` with defaults. Throws 9001 for an unknown option. */
export function idtechOptions(request: WriteRequest): IdtechOptions {
  return resolveOptions(IDTECH_OPTIONS, request.options);
}
