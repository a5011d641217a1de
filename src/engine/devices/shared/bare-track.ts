import {latin1Of} from '../../../platform/bytes.js';
import {type Evidence, notCardData} from '../../card/evidence.js';
import {TRACK_NAMES, type TrackNumber} from '../../card/lrc.js';
import {readTrack} from '../../card/track.js';
import type {Track} from '../../card/track-data.js';

/** A card number in its place, then its separator: `=`, or the letter D. */
const HEADS: Readonly<Record<TrackNumber, RegExp>> = {
  1: /^%?[A-Z]\d[\d ]{10,21}\^/,
  2: /^;?\d{12,19}[=D]\d*(?:=\d*)*\??$/,
  3: /^[;+]?\d{13,21}[=D]/,
};

/**
 * Reads a track as a value of its own: text with or without sentinels, in which the letter `D` may
 * be the separator of tracks 2 and 3. Throws 2601 if it is no such track.
 */
export function readBareTrack(number: TrackNumber, value: Uint8Array, evidence: Evidence): Track {
  if (!HEADS[number].test(latin1Of(value)))
    throw notCardData(TRACK_NAMES[number], 'no card number in its place');
  const sent = number === 1 ? value : value.map((byte) => (byte === LETTER_D ? EQUALS : byte));
  return {...readTrack(number, sent, {evidence, fills: []}), bytes: value};
}

const LETTER_D = 0x44;
const EQUALS = 0x3d;
