import {isHex} from '../platform/bytes.js';

/** The kinds of damage that a payload can be given. */
export const DAMAGES = {
  lrc: 'wrong LRC, checksum or CRC of the frame, or of the track if there is no frame',
  cut: 'the last quarter is missing',
  'wrong-key': 'encrypted under a key that does not match the KSN',
  'repeated-counter': 'all payloads of a stream have the same KSN',
  'flipped-byte': 'one bit in the middle is flipped',
} as const;

export type Damage = keyof typeof DAMAGES;

/**
 * `payload` without its last quarter, cut at a whole byte if it is hex. If the rest happens to
 * satisfy `isWhole`, it is cut further until it does not.
 */
export function cutPayload(payload: string, isWhole: (cut: string) => boolean): string {
  const step = isHex(payload) ? 2 : 1;
  let length = Math.floor((payload.length * 3) / 4);
  length -= length % step;
  while (length > step && isWhole(payload.slice(0, length))) length -= step;
  return payload.slice(0, length);
}

/** `payload` with one bit changed in the middle: of a byte, or of a digit where it is text. */
export function flipByte(payload: string): string {
  const middle = payload.length >> 1;
  const rest = payload.slice(middle);
  const found = rest.search(/[0-9A-Fa-f]/);
  const at = middle + (isText(payload) && found >= 0 ? found : 0);
  const character = payload.charAt(at);
  const flipped = isText(payload) ? otherDigit(character) : flipBit(character);
  return payload.slice(0, at) + flipped + payload.slice(at + 1);
}

/** A plaintext whose track has a wrong LRC, which is the character after the end sentinel. */
export function withWrongTrackLrc(plain: Uint8Array): Uint8Array {
  const changed = plain.slice();
  const end = changed.indexOf(QUESTION_MARK);
  if (end >= 0 && end + 1 < changed.length) changed[end + 1] = (changed[end + 1] ?? 0) ^ 1;
  return changed;
}

const QUESTION_MARK = 0x3f;

function isText(payload: string): boolean {
  return /^[\x20-\x7e\r\n\t]*$/.test(payload);
}

function otherDigit(digit: string): string {
  const value = Number.parseInt(digit, 16);
  if (Number.isNaN(value)) return flipBit(digit);
  const flipped = (value ^ 1).toString(16);
  return digit === digit.toLowerCase() ? flipped : flipped.toUpperCase();
}

function flipBit(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) ^ 1);
}
