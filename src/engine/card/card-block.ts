import {latin1Of} from '../bytes.js';
import type {CardContent} from './card-content.js';
import {readCardTlv} from './card-tlv.js';
import {type Evidence, notCardData} from './evidence.js';
import {readTrack} from './track.js';

/** First bytes of the tags that carry card data. */
const FIRST_TAG_BYTES = [0x57, 0x5a, 0x5f, 0x9f, 0xdf];

/**
 * Reads a plaintext that is a TLV list or the text of one or two tracks, told by its first byte.
 * Throws 2601 when it is neither.
 */
export function readCardBlock(field: string, plain: Uint8Array, evidence: Evidence): CardContent {
  const first = plain[0] ?? 0;
  if (FIRST_TAG_BYTES.includes(first)) return readCardTlv(field, plain, evidence);
  const head = String.fromCharCode(first);
  if (head === '%' || head === 'B') return readTracks(plain, evidence);
  if (/[;\d]/.test(head)) return {track2: readTrack(2, plain, {evidence})};
  throw notCardData(field, 'the plaintext begins neither a TLV list nor a track');
}

/** Track 1 to its end sentinel and LRC, and track 2 if one begins behind it. */
function readTracks(plain: Uint8Array, evidence: Evidence): CardContent {
  const length = /^[^?]*\?.?(?=;\d)/s.exec(latin1Of(plain))?.[0].length;
  if (length === undefined) return {track1: readTrack(1, plain, {evidence})};
  return {
    track1: readTrack(1, plain.subarray(0, length), {length, evidence}),
    track2: readTrack(2, plain.subarray(length), {evidence}),
  };
}
