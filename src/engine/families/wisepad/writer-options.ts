import type {WriterOption} from '../../writing.js';
import {TRACKS_OPTION} from '../writer-options.js';

/** The settings of BBPOS payloads. */
export const WISEPAD_OPTIONS = [
  {
    name: 'form',
    values: ['auto', 'hex', 'json', 'dump', 'labels', 'lines', 'query', 'tlv'],
    meaning: 'bare hex of tracks, the dictionary as JSON or text, EMV TLV; auto: by the mode',
  },
  {name: 'format', values: ['60', '54'], meaning: 'swiped: format ID'},
  {
    ...TRACKS_OPTION,
    meaning: `swiped: ${TRACKS_OPTION.meaning}`,
  },
  {
    name: 'message',
    values: ['C2+C8', 'C2', 'C8', 'C5', 'C6'],
    meaning: 'emv: what is encrypted: online, batch or reversal message, track 2 equivalent',
  },
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type WisepadOptions = Readonly<Record<(typeof WISEPAD_OPTIONS)[number]['name'], string>>;

/** How a terminal packs tracks 2 and 3 of format 60. */
export type TrackPacking = 'ascii' | 'nibbles';
