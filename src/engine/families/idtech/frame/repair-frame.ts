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
  const digits = [...'0123456789ABCDEF'].map((digit) => insertions(text, digit, 'hex digit'));
  // Before and after an equal digit, an inserted one makes the same text.
  const isNew = ({text: repaired}: RepairedFrame, at: number) =>
    at === 0 || repaired[EDGE + at] !== repaired[EDGE + at - 1]?.toUpperCase();
  return digits.flatMap((frames) => frames.filter(isNew)).filter(isWholeHex);
}

/** The frames with a character or byte inserted at each place of the card data. */
function insertions(text: string, inserted: string, what: string): RepairedFrame[] {
  const step = inserted.length;
  return Array.from({length: Math.max(text.length - 2 * EDGE, 0) / step + 1}, (_, i) => {
    const at = EDGE + step * i;
    const repaired = text.slice(0, at) + inserted + text.slice(at);
    return {text: repaired, change: 'lost', detail: `A ${what} was lost at ${at / step}.`};
  });
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
