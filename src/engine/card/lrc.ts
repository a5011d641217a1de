/**
 * Number of a magnetic stripe track. Track 1 has a 6-bit character set, tracks 2 and 3 a 4-bit one.
 */
export type TrackNumber = 1 | 2 | 3;

/** Names of the tracks for people. */
export const TRACK_NAMES: Readonly<Record<TrackNumber, string>> = {
  1: 'track 1',
  2: 'track 2',
  3: 'track 3',
};

/**
 * The longitudinal redundancy check of a track as one character: the XOR of the characters from
 * start sentinel to end sentinel, in the track's own alphabet (ISO/IEC 7811-6; the parity bit of the
 * stripe is not part of it).
 */
export function trackLrc(number: TrackNumber, text: string): string {
  const {base, mask} = number === 1 ? SIX_BIT : FOUR_BIT;
  let lrc = 0;
  for (let i = 0; i < text.length; i++) lrc ^= (text.charCodeAt(i) - base) & mask;
  return String.fromCharCode(lrc + base);
}

/** The same as a byte, of characters in bytes, which are read faster; `start`: of a sentinel before them. */
export function lrcOfBytes(number: TrackNumber, bytes: Uint8Array, end: number, start?: number) {
  const {base, mask} = number === 1 ? SIX_BIT : FOUR_BIT;
  let lrc = start === undefined ? 0 : start - base;
  for (let i = 0; i < end; i++) lrc ^= (bytes[i] ?? 0) - base;
  return (lrc & mask) + base;
}

const SIX_BIT = {base: 0x20, mask: 0x3f};
const FOUR_BIT = {base: 0x30, mask: 0x0f};
