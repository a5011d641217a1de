import type {WriterOption} from '../../writing.js';
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
    name: 'tracks',
    values: ['all'],
    form: /^1?2?3?$/,
    meaning: 'swiped: tracks that were read: 12, 2, ...',
  },
  {
    name: 'message',
    values: ['C2+C8', 'C2', 'C8', 'C5', 'C6'],
    meaning: 'emv: what is encrypted: online, batch or reversal message, track 2 equivalent',
  },
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type WisepadOptions = Readonly<Record<(typeof WISEPAD_OPTIONS)[number]['name'], string>>;

/** The options given, with defaults for the others. Throws 9001 for an unknown name or value. */
export function wisepadOptions(given: Readonly<Record<string, string>>): WisepadOptions {
  return resolveOptions(WISEPAD_OPTIONS, given);
}

/** How a terminal packs tracks 2 and 3 of format 60. */
export type TrackPacking = 'ascii' | 'nibbles';
