import {latin1Of} from '../../platform/bytes.js';
import type {TrackNumber} from './lrc.js';

/** The track that the beginning of a plaintext indicates; undefined if none. */
export function sniffTrack(plain: Uint8Array): TrackNumber | undefined {
  const head = latin1Of(plain.subarray(0, 24));
  if (head.startsWith('%') || /^B\d/.test(head) || plain[0] === 0x16) return 1;
  if (head.startsWith(';') || /^\d{12,19}=/.test(head) || (plain[0] ?? 0) >> 4 === 0xb) return 2;
  return undefined;
}

/** Length prefixes that software puts before a track: big- or little-endian bytes, or digits. */
const LENGTHS: readonly (readonly [size: number, read: (lead: Uint8Array) => number])[] = [
  [1, bigEndian],
  [2, bigEndian],
  [2, littleEndian],
  [4, bigEndian],
  [4, littleEndian],
  ...[2, 3, 4].map((size) => [size, digitsOf] as const),
];
const [PERCENT, SEMICOLON, END_SENTINEL] = [0x25, 0x3b, 0x3f];

/**
 * Length of a prefix before a track: the track's length with or without LRC, that of a track 1
 * without sentinels, or zeros.
 */
export function leadLength(plain: Uint8Array): number {
  const end = plain.indexOf(END_SENTINEL) + 1;
  const found = LENGTHS.find(([size, read]) => {
    if (plain[size] !== PERCENT && plain[size] !== SEMICOLON) return false;
    const length = read(plain.subarray(0, size));
    return length === end - size || length === end - size + 1;
  });
  // The bytes 37 and 59 are themselves start sentinels, so zeros before a track come last.
  if (found) return found[0];
  if (isCountedTrack1(plain)) return 2;
  const zeros = plain.findIndex((byte) => byte !== 0);
  return zeros > 0 && sniffTrack(plain.subarray(zeros)) !== undefined ? zeros : 0;
}

/** Two digits that count the characters of a track 1 without sentinels, which zeros may follow. */
function isCountedTrack1(plain: Uint8Array): boolean {
  const [, count, text = ''] = /^(\d\d)([A-Z]\d[ -~]*)\0{0,15}$/.exec(latin1Of(plain)) ?? [];
  return Number(count) === text.length;
}

function bigEndian(lead: Uint8Array): number {
  return lead.reduce((sum, byte) => 256 * sum + byte, 0);
}

function littleEndian(lead: Uint8Array): number {
  return lead.reduceRight((sum, byte) => 256 * sum + byte, 0);
}

/** NaN if it is not digits. */
function digitsOf(lead: Uint8Array): number {
  return Number(/^\d+$/.exec(latin1Of(lead))?.[0]);
}
