import type {PaylensError} from '../../contract/paylens-error.js';
import {isBinary} from '../decode-input.js';
import {compactHex} from '../forms/payload-bytes.js';
import type {Part, Sensitivity, Unit} from '../trace.js';
import {cellsOf, hexOfCell} from './cells.js';
import {maskValue, type ShownPart} from './mask-part.js';

/** A part as it is shown unasked, and as it is. */
export interface PartPair {
  readonly masked: ShownPart;
  readonly clear: ShownPart;
}

/**
 * For every cell of a payload whether it is hidden, by the masks of the parts' values. What cannot
 * be found in its part hides all of it; what is in no part is masked as an unknown field, and so is a
 * payload that was not recognised: its digits may have passed for short parts.
 */
export function hiddenCells(
  cells: Uint16Array,
  {unit, failure}: Omit<Inspected, 'parts'>,
  parts: readonly PartPair[],
): Uint8Array {
  const hidden = new Uint8Array(cells.length);
  let at = 0;
  for (const pair of parts) {
    const {offset, length} = pair.clear;
    hideUnknown(cells, hidden, unit, [at, offset]);
    hidePart(cells, hidden, unit, pair);
    at = Math.max(at, offset + length);
  }
  hideUnknown(cells, hidden, unit, [failure?.code === 2100 ? 0 : at, cells.length]);
  return hidden;
}

/** The cells of a payload, whether each is hidden, and its text with an asterisk for what is. */
export interface MaskedPayload {
  readonly cells: Uint16Array;
  readonly hidden: Uint8Array;
  readonly text: string;
}

/** Masks a payload in place, by an inspection of it as it is shown unasked and as it is. */
export function maskedPayload(
  payload: string,
  {masked, clear}: Readonly<Record<'masked' | 'clear', Inspected>>,
): MaskedPayload {
  const {unit} = clear;
  const pairs = clear.parts.map((part, i) => ({clear: part, masked: masked.parts[i] ?? part}));
  const cells = cellsOf(payload, unit);
  const hidden = hiddenCells(cells, clear, pairs);
  return {cells, hidden, text: starredCells(payload, unit, hidden)};
}

/** Of an inspection, what its masks depend on. */
interface Inspected {
  readonly unit: Unit;
  readonly parts: readonly ShownPart[];
  readonly failure?: PaylensError;
}

/** A payload with the characters of hidden cells as asterisks; in hex two for each. */
function starredCells(payload: string, unit: Unit, hidden: Uint8Array): string {
  const isHex = unit === 'byte' && !isBinary(payload) && compactHex(payload) !== undefined;
  let digit = 0;
  return isHex
    ? payload.replace(/\S/g, (shown) => (hidden[digit++ >> 1] === 1 ? '*' : shown))
    : Array.from({length: payload.length}, (_, i) => (hidden[i] === 1 ? '*' : payload[i])).join('');
}

/** Cells of a part that may be a piece of a card number, and on either side of such parts. */
const MAX_PIECE = 40;

/**
 * Hides in a part's value what adjacent short parts hide together, as text in which digits may be a
 * card number by chance.
 */
export function hiddenTogether(
  payload: string,
  unit: Unit,
  parts: readonly Place[],
): (part: Place & Pick<Part, 'value'>, masked: string) => string {
  const cells = cellsOf(payload, unit);
  const hidden = new Uint8Array(cells.length);
  for (const {offset, length} of shortRuns(parts)) {
    const [from, to] = [offset - MAX_PIECE, offset + length + MAX_PIECE];
    hideUnknown(cells, hidden, unit, [Math.max(0, from), Math.min(to, cells.length)], 'opaque');
  }
  if (!hidden.includes(1)) return (_, masked) => masked;
  return ({offset, length, value}, masked) => {
    const end = Math.min(offset + length, cells.length);
    if (!hidden.subarray(offset, end).includes(1)) return masked;
    const place = cellPlace(cells, unit, value, [offset, end]);
    if (!place) return masked;
    const {from, width} = place;
    return masked.replace(/./gs, (shown, i) =>
      hidden[from + Math.floor(i / width)] ? '*' : shown,
    );
  };
}

type Place = Pick<Part, 'offset' | 'length'>;

/** The runs of short parts that are near each other. */
function shortRuns(parts: readonly Place[]): Place[] {
  const runs: Place[] = [];
  for (const {offset, length} of parts) {
    if (length > MAX_PIECE) continue;
    const last = runs.at(-1);
    const isNear = last && offset - last.offset - last.length <= MAX_PIECE;
    if (isNear)
      runs[runs.length - 1] = {offset: last.offset, length: offset + length - last.offset};
    else runs.push({offset, length});
  }
  return runs;
}

type CellRange = readonly [from: number, to: number];

/** Shorter runs hold no card number. */
const MIN_DIGITS = 6;

function hideUnknown(
  cells: Uint16Array,
  hidden: Uint8Array,
  unit: Unit,
  [from, to]: CellRange,
  sensitivity?: Sensitivity,
): void {
  if (to - from < MIN_DIGITS) return;
  const text = textIn(cells, unit, from, to);
  markChanged(hidden, from, text, maskValue(text, sensitivity), unit === 'byte' ? 2 : 1);
}

/** Marks the cells from `from` on of which the mask changed a character; `width` of them make a cell. */
function markChanged(
  hidden: Uint8Array,
  from: number,
  text: string,
  masked: string,
  width: number,
): void {
  if (masked === text) return;
  for (let i = 0; i < text.length; i++) {
    if (masked.charCodeAt(i) !== text.charCodeAt(i)) hidden[from + Math.floor(i / width)] = 1;
  }
}

function hidePart(cells: Uint16Array, hidden: Uint8Array, unit: Unit, pair: PartPair): void {
  const {offset, length, value} = pair.clear;
  const end = Math.min(offset + length, cells.length);
  const place = value === '' ? undefined : cellPlace(cells, unit, value, [offset, end]);
  if (!place) {
    if (pair.masked.value === value) hideUnknown(cells, hidden, unit, [offset, end]);
    else hidden.fill(1, offset, end);
    return;
  }
  const {from, width} = place;
  hideUnknown(cells, hidden, unit, [offset, from]);
  markChanged(hidden, from, value, pair.masked.value, width);
  hideUnknown(cells, hidden, unit, [from + value.length / width, end]);
}

/** Where the value stands within its part, and how many of its characters make a cell. */
function cellPlace(cells: Uint16Array, unit: Unit, value: string, [from, to]: CellRange) {
  if (unit === 'byte') {
    const start = to - value.length / 2;
    const isThere =
      start >= from && textIn(cells, unit, start, to).toUpperCase() === value.toUpperCase();
    if (isThere) return {from: start, width: 2};
  }
  const text = textIn(cells, 'character', from, to).toUpperCase();
  const at = text.indexOf(value.toUpperCase());
  return at < 0 ? undefined : {from: from + at, width: 1};
}

/** A run as its reader sees it: hex of bytes, or text. */
function textIn(cells: Uint16Array, unit: Unit, from: number, to: number): string {
  const show = unit === 'byte' ? hexOfCell : String.fromCharCode;
  let text = '';
  for (let i = from; i < to; i++) text += show(cells[i] ?? 0);
  return text;
}
