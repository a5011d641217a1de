import {GAP} from './digit-run.js';

/** A digit as text may spell it: percent-encoded, escaped, as an entity, or of another script. */
const SPELLED =
  '%(?:25)*3\\d|\\\\{1,4}(?:u003\\d|u\\{3\\d\\}|x3\\d)|&#(?:4[89]|5[0-7]|x3\\d);|0x3\\d(?:, ?)?|(?!\\d)\\p{Nd}';
const SPELLED_GAP = `%2[0d]|\\\\u00(?:20|2d|a0)|&(?:nbsp|#(?:32|45|160|x20|x2d|xa0));|[.+．]|${GAP}`;
const CELL = new RegExp(`${SPELLED}|\\d|${SPELLED_GAP}`, 'giu');
/** Twelve digits or more, some of them spelled, at most one gap between two of them. */
export const CELLS = new RegExp(`(?:(?:${SPELLED}|\\d)(?:${SPELLED_GAP})?){12,}`, 'giu');
const MAY_BE_SPELLED = /[%\\&\u0660-\uffff]|0x/;
const IS_SPELLED = new RegExp(SPELLED, 'iu');

/** True if some digit of `text` is spelled. */
export function isSpelled(text: string): boolean {
  return MAY_BE_SPELLED.test(text) && IS_SPELLED.test(text);
}

/** The digits and gaps of a run, as they are spelled. */
export function spelledCells(run: string): readonly string[] {
  return run.match(CELL) ?? [];
}

/** The digit that a cell spells, or a space for what stands between groups. */
export function meantBy(cell: string): string {
  const known = MEANINGS.get(cell);
  if (known !== undefined) return known;
  const meant = readCell(cell);
  if (MEANINGS.size < MOST_MEANINGS) MEANINGS.set(cell, meant);
  return meant;
}

const MEANINGS = new Map<string, string>();
const MOST_MEANINGS = 1024;

function readCell(cell: string): string {
  const [, digit, entity] =
    /^\W*(?:0x|[ux]\{?(?:00)?|(?:25)*)3(\d)\W*$|^&#(\d\d);$/i.exec(cell) ?? [];
  if (digit !== undefined) return digit;
  if (entity !== undefined) return String.fromCharCode(Number(entity));
  return /^\p{Nd}$/u.test(cell) ? digitOf(cell) : ' ';
}

/** Digits of every script follow each other, beginning at a code point that ends with 0 or 6. */
function digitOf(digit: string): string {
  const plain = digit.normalize('NFKC');
  if (/^\d$/.test(plain)) return plain;
  const code = plain.codePointAt(0) ?? 0;
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint((code & ~15) | 5));
  return String((code & 15) - (isFromZero ? 0 : 6));
}
