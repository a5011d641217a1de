import {bytesFromHex, hexByte, isHex, latin1Of} from '../../../../platform/bytes.js';
import type {RepairedFrame} from '../../terminal.js';
import {ENVELOPE_BYTES, frameLength, hasTrailer, trailerSums} from './frame.js';

const MAX_REPAIRS = 1600;
/** More characters are not lost in print. */
const MAX_COLLAPSED = 80;
/** Characters before and after the card data. */
const EDGE = ENVELOPE_BYTES;

/**
 * The possible originals of a damaged ID TECH frame (docs/terminals/idtech.md#the-swipe-frame). Its
 * length gives the number of missing or extra characters, its LRC and checksum identify them. All
 * possible positions are returned, since only decryption can decide between them.
 */
export function repairedFrames(given: string): RepairedFrame[] {
  const text = given.trim();
  if (!/^02[0-9A-F]{4}/i.test(text)) return [];
  const length = frameLength(text, 'keyboard');
  const frames = isHex(text)
    ? hexRepairs(text, 2 * length + 2 * EDGE - text.length)
    : keyboardRepairs(text, length + 2 * EDGE - text.length);
  return frames.slice(0, MAX_REPAIRS);
}

function keyboardRepairs(text: string, missing: number): RepairedFrame[] {
  const character = String.fromCharCode(
    trailerSums({text}, EDGE, text.length - EDGE).lrc ^ Number.parseInt(text.slice(-6, -4), 16),
  );
  const isPrintable = /[ -~]/.test(character);
  const lost = isPrintable ? insertions(text, character, 'character') : [];
  const extra = removals(text, 'character').filter((_, i) => text[EDGE + i] === character);
  if (missing === -1) return isWholeKeyboard(extra[0]) ? extra : [];
  if (missing < 1 || missing > MAX_COLLAPSED) return [];
  const isOne = missing === 1 && isWholeKeyboard(lost[0]);
  return [...(isOne ? lost : []), ...collapsedRuns(text, missing)];
}

/** Restores runs of asterisks or spaces that were collapsed in print. */
function collapsedRuns(text: string, missing: number): RepairedFrame[] {
  return [...text.matchAll(/\*+| +/g)].map(({0: run, index}) => ({
    text: text.slice(0, index) + run.charAt(0).repeat(missing) + text.slice(index),
    change: 'lost',
    detail: `${missing} ${run.startsWith('*') ? 'stars' : 'blanks'} were lost at ${index}.`,
  }));
}

/** Repairs of hex: one digit, or both digits of a byte, missing or extra. */
function hexRepairs(text: string, missing: number): RepairedFrame[] {
  if (missing === -1) return removals(text, 'hex digit').filter(isWholeHex);
  if (missing === 1) return lostDigits(text);
  if (missing !== 2) return [];
  const bytes = bytesFromHex(text) ?? new Uint8Array();
  const {lrc} = trailerSums({text: latin1Of(bytes)}, 3, bytes.length - 3);
  const byte = hexByte(lrc ^ (bytes.at(-3) ?? 0));
  const lost = insertions(text, byte, 'byte');
  return lost[0] && isWholeHex(lost[0]) ? lost : [];
}

function lostDigits(text: string): RepairedFrame[] {
  const sums = sumsWithZero(text.slice(EDGE, -EDGE));
  const [lrc = 0, sum] = bytesFromHex(text.slice(-EDGE)) ?? [];
  const digits = [...'0123456789ABCDEF'].map((digit, value) =>
    insertions(text, digit, 'hex digit', (at) => {
      const added = value << highShift(at);
      // Before and after an equal digit, an inserted one makes the same text.
      const isNew = at === 0 || digit !== text[EDGE + at - 1]?.toUpperCase();
      return isNew && (sums.lrc[at]! ^ added) === lrc && ((sums.sum[at]! + added) & 0xff) === sum;
    }),
  );
  return digits.flat().filter(isWholeHex);
}

/** LRC and CheckSum of card data in hex that lost a digit, for each place with a 0 inserted there. */
function sumsWithZero(hex: string): {readonly lrc: Uint8Array; readonly sum: Uint8Array} {
  const digits = Array.from(hex, (digit) => Number.parseInt(digit, 16));
  const lrc = new Uint8Array(digits.length + 1);
  const sum = new Uint8Array(digits.length + 1);
  for (const [at, digit] of digits.entries()) {
    lrc[0]! ^= digit << highShift(at + 1);
    sum[0]! += digit << highShift(at + 1);
  }
  for (const [at, digit] of digits.entries()) {
    const [before, behind] = [digit << highShift(at), digit << highShift(at + 1)];
    lrc[at + 1] = lrc[at]! ^ before ^ behind;
    sum[at + 1] = sum[at]! + before - behind;
  }
  return {lrc, sum};
}

/** How far the digit at a place of hex stands to the left in its byte. */
function highShift(at: number): number {
  return at % 2 === 0 ? 4 : 0;
}

/** The frames with a character or byte inserted at each place of the card data, or where it `fits`. */
function insertions(
  text: string,
  inserted: string,
  what: string,
  fits: (at: number) => boolean = () => true,
): RepairedFrame[] {
  const step = inserted.length;
  const places = Math.max(text.length - 2 * EDGE, 0) / step + 1;
  const frames: RepairedFrame[] = [];
  for (let at = EDGE; at < EDGE + step * places; at += step) {
    if (!fits(at - EDGE)) continue;
    const repaired = text.slice(0, at) + inserted + text.slice(at);
    frames.push({text: repaired, change: 'lost', detail: `A ${what} was lost at ${at / step}.`});
  }
  return frames;
}

/** The frames without one character of the card data. */
function removals(text: string, what: string): RepairedFrame[] {
  return Array.from({length: Math.max(text.length - 2 * EDGE, 0)}, (_, i) => {
    const at = EDGE + i;
    const repaired = text.slice(0, at) + text.slice(at + 1);
    return {text: repaired, change: 'added', detail: `The ${what} at ${at} is extra.`};
  });
}

/** LRC and checksum do not depend on the place of a repair. */
function isWholeKeyboard(frame: RepairedFrame | undefined): boolean {
  return frame !== undefined && hasTrailer({text: frame.text, form: 'keyboard'});
}

function isWholeHex({text}: RepairedFrame): boolean {
  const bytes = bytesFromHex(text);
  return bytes !== undefined && hasTrailer({text: latin1Of(bytes), bytes, form: 'binary'});
}
