import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1} from '../../../platform/bytes.js';
import {type TrackNumber, trackLrc} from '../../card/lrc.js';
import {packNibbles, packSixBit} from '../../card/packed.js';
import {packDigits} from '../shared/chip-data.js';
import type {WriteRequest} from '../writer.js';
import {TRACK_FORMATS, type TrackFormat} from './layout.js';
import type {WisepadOptions} from './writer-options.js';

/** One track, encrypted as its format says. */
export interface WrittenTrack {
  readonly number: TrackNumber;
  /** As counted in `trackNLength`: start sentinel to LRC. */
  readonly characters: number;
  readonly ciphertext: Uint8Array;
}

/**
 * Encrypts the tracks of a swipe, each with its own CBC chain (docs/formats/wisepad.md#swipe).
 * Throws 9001 if the card has none of them, one is too long, or the KSN is an AES DUKPT KSN.
 */
export function encryptTracks(request: WriteRequest, options: WisepadOptions): WrittenTrack[] {
  const format = TRACK_FORMATS.find(({id}) => id === options.format) as TrackFormat;
  const tracks = chosenTracks(request, options);
  return tracks.map(({number, text}) => {
    const sent = options.lrc === 'on' ? text + trackLrc(number, text) : text;
    const packed = packTrack(number, sent, options);
    const plain = filled(number, packed, lengthOf(number, format, options, tracks.length));
    return {number, characters: sent.length, ciphertext: request.encrypt(plain, format.setting)};
  });
}

function chosenTracks({card}: WriteRequest, options: WisepadOptions) {
  const wanted = options.tracks === 'all' ? '123' : options.tracks;
  const texts = [card.track1, card.track2, card.track3];
  const found = texts.flatMap((text, i) => {
    const number = (i + 1) as TrackNumber;
    return text !== undefined && wanted.includes(String(number)) ? [{number, text}] : [];
  });
  if (found.length > 0) return found;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}

function packTrack(number: TrackNumber, sent: string, options: WisepadOptions): Uint8Array {
  const {format, packing} = options;
  if (format === '54') return number === 1 ? packSixBit(sent) : packNibbles(sent);
  if (number === 1 || packing === 'ascii') return bytesFromLatin1(sent);
  return packing === 'bare' && number === 2 ? packBare(sent) : packNibbles(sent);
}

/** The characters between the sentinels, with `D` as separator. */
function packBare(sent: string): Uint8Array {
  return packDigits(sent.slice(1, sent.indexOf('?')).replaceAll('=', 'D'));
}

function lengthOf(
  number: TrackNumber,
  {bytes, loneTrack2}: TrackFormat,
  {track2Bytes}: WisepadOptions,
  count: number,
): number {
  const isLone = number === 2 && count === 1 && String(loneTrack2) === track2Bytes;
  return isLone ? (loneTrack2 ?? bytes[2]) : bytes[number];
}

function filled(number: TrackNumber, packed: Uint8Array, length: number): Uint8Array {
  if (packed.length > length) {
    throw new PaylensError(
      9001,
      `track ${number}: expected at most ${length} bytes in this format, found ${packed.length}`,
    );
  }
  const plain = new Uint8Array(length);
  plain.set(packed);
  return plain;
}
