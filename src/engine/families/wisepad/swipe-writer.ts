import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1} from '../../../platform/bytes.js';
import {type TrackNumber, trackLrc} from '../../card/lrc.js';
import {packNibbles, packSixBit} from '../../card/packed.js';
import {chosenTracks} from '../../forms/chosen-tracks.js';
import type {WriteRequest} from '../../writing.js';
import {TRACK_FORMATS, type TrackFormat} from './layout.js';
import type {TrackPacking, WisepadOptions} from './writer-options.js';

/** One track, encrypted as its format says. */
export interface WrittenTrack {
  readonly number: TrackNumber;
  /** As counted in `trackNLength`: start sentinel to LRC. */
  readonly characters: number;
  readonly ciphertext: Uint8Array;
}

/**
 * Encrypts the tracks of a swipe, each with its own CBC chain (docs/terminals/wisepad.md#swipe).
 * Throws 9001 if the card has none of them, one is too long, or the KSN is an AES DUKPT KSN.
 */
export function encryptTracks(
  {card, encrypt}: WriteRequest,
  options: WisepadOptions,
  packing: TrackPacking,
): WrittenTrack[] {
  const format = TRACK_FORMATS.find(({id}) => id === options.format) as TrackFormat;
  return chosenTracks(card, options.tracks).map(({number, text}) => {
    const withLrc = text + trackLrc(number, text);
    const packed = packTrack(number, withLrc, format.id === '54' ? 'six-bit' : packing);
    const plain = paddedTrack(number, packed, format.bytes[number]);
    return {number, characters: withLrc.length, ciphertext: encrypt(plain, format.setting)};
  });
}

function packTrack(number: TrackNumber, text: string, packing: TrackPacking | 'six-bit') {
  if (number === 1) return packing === 'six-bit' ? packSixBit(text) : bytesFromLatin1(text);
  return packing === 'ascii' ? bytesFromLatin1(text) : packNibbles(text);
}

/** Zeros up to the length that the format has for a track. Throws 9001 for a longer one. */
function paddedTrack(number: TrackNumber, packed: Uint8Array, length: number): Uint8Array {
  if (packed.length > length) {
    const detail = `track ${number}: expected at most ${length} bytes in this format, found ${packed.length}`;
    throw new PaylensError(9001, detail);
  }
  const plain = new Uint8Array(length);
  plain.set(packed);
  return plain;
}
