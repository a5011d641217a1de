import {latin1Of} from '../../platform/bytes.js';
import {unpackNibbles, unpackSixBit} from './packed.js';
import {hasCheckDigit} from './track-data.js';

/** A card number in its place in track 1 or track 2, with or without sentinels. */
const CLEAR_TRACK = /^\s*(?:%?[A-Z]\d[\d ]{11,22}\^|[;+]?\d{12,19}=)/;
const CLEAR_PAN = /^\s*;?\d{12,19}\s*$/;

/**
 * True for text that begins with a clear track: card data that must not be sent in cleartext
 * (2110).
 */
export function isClearTrack(text: string): boolean {
  return CLEAR_TRACK.test(text);
}

/** A card number, a month and a service code, unpacked. */
const PACKED_TRACK = /^;?(\d{12,19})=\d\d(?:0[1-9]|1[0-2])\d{3}/;

/** True for the beginning of a track, as text or packed: random bytes are one once in 2^22 times. */
export function beginsWithTrack(plain: Uint8Array): boolean {
  if (isClearTrack(latin1Of(plain)) || isClearTrack(unpackSixBit(plain))) return true;
  const [, pan] = PACKED_TRACK.exec(unpackNibbles(plain)) ?? [];
  return pan !== undefined && hasCheckDigit(pan);
}

/**
 * True for two blocks of hex in a text: no track has so many digits with a letter among them. Tracks
 * in front of them are masked copies, whatever hides their digits.
 */
export function hasCiphertext(text: string): boolean {
  return /(?<![\dA-F])(?=\d*[A-F])[\dA-F]{32}/i.test(text);
}

/** True for text that is a clear track or just a card number. */
export function isClearCard(text: string): boolean {
  return isClearTrack(text) || CLEAR_PAN.test(text);
}

/** A clear track of a text, and where it begins. */
export interface ClearTrack {
  readonly name: 'track1' | 'track2' | 'track3';
  readonly text: string;
  readonly offset: number;
}

/** The characters of a magnetic stripe, line endings, and small letters, as in the name of a track. */
const CLEAR_TRACKS_TEXT = /^[\r\n -_a-z]*$/;
/** From a sentinel to the next, or a line. */
const PIECE = /[%;+]?[^%;?\r\n]+\??/g;
const LABEL = /^\s*(?:track|trilha)_?[123]\s*[:=]\s*/i;
/** What readers send for a track that they cannot read. */
const FAILED = /^[%;+]?E\?$/;

/** Each of three tracks some twenty times. */
const MAX_PIECES = 64;

/** The tracks of a text that is clear tracks and nothing else; none for any other text. */
export function clearTracks(payload: string): readonly ClearTrack[] {
  if (!CLEAR_TRACKS_TEXT.test(payload)) return [];
  const tracks: ClearTrack[] = [];
  let pieces = 0;
  for (const {0: piece, index} of payload.matchAll(PIECE)) {
    if (++pieces > MAX_PIECES) return [];
    const [label = ''] = LABEL.exec(piece) ?? [];
    const text = piece.slice(label.length).trim();
    if (text === '' || FAILED.test(text)) continue;
    if (!isClearTrack(text)) return [];
    const offset = index + piece.indexOf(text, label.length);
    tracks.push({name: trackName(text), text, offset});
  }
  return tracks;
}

function trackName(text: string): ClearTrack['name'] {
  if (text.startsWith('+')) return 'track3';
  return /^[^=]*\^/.test(text) ? 'track1' : 'track2';
}
