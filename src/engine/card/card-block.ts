import {latin1Of} from '../../platform/bytes.js';
import type {Fill} from '../cipher/padding.js';
import type {CardContent} from './card-content.js';
import {readCardTlv} from './card-tlv.js';
import type {Evidence} from './evidence.js';
import {readTrack} from './track.js';

/**
 * Reads a plaintext that is the text of one or two tracks, recognised by its first character, or a
 * TLV list: terminals put other tags or a template before the card's own. Throws 2601 if it is
 * neither.
 */
export function readCardBlock(field: string, plain: Uint8Array, evidence: Evidence): CardContent {
  const head = String.fromCharCode(plain[0] ?? 0);
  if (head === '%' || head === 'B') return readTracks(plain, {evidence});
  if (/[;\d]/.test(head)) return {track2: readTrack(2, plain, {evidence})};
  return readCardTlv(field, plain, evidence);
}

interface BlockOptions {
  readonly evidence: Evidence;
  /** Padding that may follow; default: any. */
  readonly fills?: readonly Fill[];
}

/** Reads track 1 to its end sentinel and LRC, and track 2 if it follows. Throws 2601. */
export function readTracks(plain: Uint8Array, options: BlockOptions): CardContent {
  const length = /^[^?]*\?.?(?=;\d)/s.exec(latin1Of(plain))?.[0].length;
  if (length === undefined) return {track1: readTrack(1, plain, options)};
  return {
    track1: readTrack(1, plain.subarray(0, length), {...options, length}),
    track2: readTrack(2, plain.subarray(length), options),
  };
}
