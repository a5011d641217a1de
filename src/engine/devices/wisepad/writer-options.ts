import type {WriterOption} from '../writer.js';
import {resolveOptions} from '../writer-options.js';

/** The settings of BBPOS payloads. */
export const WISEPAD_OPTIONS = [
  {
    name: 'form',
    values: ['auto', 'hex', 'json', 'dump', 'labels', 'lines', 'query', 'tlv'],
    meaning: 'bare hex of tracks, the dictionary as JSON or text, EMV TLV; auto: by the mode',
  },
  {name: 'format', values: ['60', '54'], meaning: 'swiped: format ID'},
  {
    name: 'packing',
    values: ['auto', 'ascii', 'nibbles', 'bare'],
    meaning: 'swiped, format 60: tracks 2 and 3; bare is without sentinels, F-filled',
  },
  {
    name: 'tracks',
    values: ['all'],
    form: /^1?2?3?$/,
    meaning: 'swiped: tracks that were read: 12, 2, ...',
  },
  {name: 'lrc', values: ['on', 'off'], meaning: 'swiped: the LRC after the tracks'},
  {
    name: 'track2Bytes',
    values: ['auto', '24'],
    meaning: 'swiped, format 60: 24 bytes for a lone packed track 2',
  },
  {
    name: 'send',
    values: ['joined', 'apart'],
    meaning: 'swiped: encTracks, or encTrack1 to encTrack3',
  },
  {
    name: 'members',
    values: ['all', 'few'],
    meaning: 'dictionary: every member known, or only what decryption needs',
  },
  {
    name: 'message',
    values: ['C2+C8', 'C2', 'C8', 'C5', 'C6'],
    meaning: 'emv: what is encrypted: online, batch or reversal message, track 2 equivalent',
  },
  {
    name: 'trackKsn',
    values: [''],
    form: /^[0-9A-F]{20}$/i,
    meaning: 'emv: KSN C7 of the track 2 equivalent; else the KSN of the message',
  },
  {name: 'fill', values: ['pkcs7', 'ff'], meaning: 'emv: padding of the message'},
  {
    name: 'entry',
    values: ['auto'],
    form: /^[0-9]{2}$/,
    meaning: 'emv: 9F39; auto: 05, for a swipe 90',
  },
  {
    name: 'outer',
    values: [''],
    form: /^(?:[0-9A-F]{2})+$/i,
    meaning: 'emv: the TLV list in hex; empty objects of BBPOS are filled in',
  },
  {
    name: 'inner',
    values: [''],
    form: /^(?:[0-9A-F]{2})+$/i,
    meaning: 'emv: the encrypted TLV list in hex; empty objects of the card are filled in',
  },
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type WisepadOptions = Readonly<Record<(typeof WISEPAD_OPTIONS)[number]['name'], string>>;

/** The options given, with defaults for the others. Throws 9001 for an unknown name or value. */
export function wisepadOptions(given: Readonly<Record<string, string>>): WisepadOptions {
  return resolveOptions(WISEPAD_OPTIONS, given);
}
