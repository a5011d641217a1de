import {latin1Of} from '../../platform/bytes.js';
import {trailerSums} from '../families/idtech/frame/frame.js';
import {crc16} from '../forms/crc16.js';
import {NAD, PCB, xorOf} from '../forms/link-frame.js';

/** The largest frame that is accepted, in bytes. */
export const MAX_FRAME_BYTES = 65_536;

/** The forms in which terminals send, by the names of their protocols. */
export type WireFormName = 'vivopay' | 'stx-sum' | 'text' | 'link' | 'line';

/**
 * What a form finds at a place of a stream: a `whole` frame whose check matches, one whose check is
 * `wrong`, or one of which `more` bytes must arrive. Positions are indexes of the bytes.
 */
export interface FrameMatch {
  readonly form: WireFormName;
  readonly state: 'whole' | 'wrong' | 'more';
  /** After the frame; of `more`, the number of bytes with which it is worth looking again. */
  readonly end: number;
  /** Of `more`: where to look on. */
  readonly from?: number;
}

interface WireForm {
  readonly name: WireFormName;
  /**
   * Undefined unless a frame of this form may begin at `at`. Looks on at `from`, which it gave for
   * fewer bytes.
   */
  readonly find: (
    bytes: Uint8Array,
    at: number,
    from: number,
  ) => Omit<FrameMatch, 'form'> | undefined;
}

const [STX, ETX, LF, CR, TAB, FS, DEL] = [0x02, 0x03, 0x0a, 0x0d, 0x09, 0x1c, 0x7f];
const VIVOPAY_NAMES = ['ViVOtech2\0', 'ViVOpayV3\0'] as const;

/**
 * Every form. The first bytes choose one: no two forms fit the same three bytes, but for a line that
 * begins like `ViVOtech2`.
 */
const WIRE_FORMS: readonly WireForm[] = [
  {name: 'vivopay', find: findVivopay},
  {name: 'stx-sum', find: findStxSum},
  {name: 'text', find: findText},
  {name: 'link', find: findLink},
  {name: 'line', find: findLine},
];

/** The frame that begins at a place; undefined if no form fits. */
export function frameAt(bytes: Uint8Array, at: number, from = at): FrameMatch | undefined {
  return findForm(WIRE_FORMS, bytes, at, from);
}

/** The same of forms that have a check. */
export function checkedFrameAt(bytes: Uint8Array, at: number): FrameMatch | undefined {
  const first = bytes[at];
  // Most places begin no frame.
  if (first !== STX && first !== NAD && first !== VIVOPAY_NAMES[0].charCodeAt(0)) return undefined;
  return findForm(CHECKED_FORMS, bytes, at, at);
}

const CHECKED_FORMS = WIRE_FORMS.slice(0, -1);

function findForm(forms: readonly WireForm[], bytes: Uint8Array, at: number, from: number) {
  for (const {name: form, find} of forms) {
    const match = find(bytes, at, from);
    if (!match) continue;
    if (match.end - at <= MAX_FRAME_BYTES) return Object.assign({form}, match);
    return {form, state: 'wrong', end: bytes.length} as const;
  }
  return undefined;
}

/** Whether a byte may be in a line of text: printable, of UTF-8, a tab or FS. */
export function isLineByte(byte: number): boolean {
  return (byte >= 0x20 && byte !== DEL) || byte === TAB || byte === FS;
}

/** Whether a byte is a printable character of ASCII. */
export function isPrintableByte(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte < DEL;
}

/** A response of V3 has a status before its length; the CRC decides. Commands have a little-endian CRC. */
function findVivopay(bytes: Uint8Array, at: number) {
  if (bytes[at] !== VIVOPAY_NAMES[0].charCodeAt(0)) return undefined;
  const name = latin1Of(bytes.subarray(at, at + 10));
  const [v2, v3] = VIVOPAY_NAMES;
  if (!v2.startsWith(name) && !v3.startsWith(name)) return undefined;
  if (bytes.length < at + 16) return more(at + 16);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const ends = (name === v3 ? [15, 14] : [14]).map((size) => size + view.getUint16(size - 2) + 2);
  const right = ends.find((end) => at + end <= bytes.length && isCrcRight(view, bytes, at, end));
  if (right !== undefined) return {state: 'whole', end: at + right} as const;
  const end = at + (ends[0] ?? 0);
  return end > bytes.length ? more(end) : ({state: 'wrong', end} as const);
}

function isCrcRight(view: DataView, bytes: Uint8Array, at: number, end: number): boolean {
  const crc = crc16(bytes.subarray(at, at + end - 2));
  return view.getUint16(end - 2) === crc || view.getUint16(end - 2, true) === crc;
}

/** STX, a length below 4,096 (little-endian), the data, LRC, sum and ETX. */
function findStxSum(bytes: Uint8Array, at: number) {
  if (bytes[at] !== STX) return undefined;
  if (bytes.length < at + 3) return more(at + 3);
  const [low = 0, high = 0] = bytes.subarray(at + 1, at + 3);
  if (high >= 0x10) return undefined;
  const trailer = at + 3 + low + 256 * high;
  const end = trailer + 3;
  if (end > bytes.length) return more(end);
  if (bytes[trailer + 2] !== ETX) return {state: 'wrong', end} as const;
  const {lrc, sum} = trailerSums({text: '', bytes}, at + 3, trailer);
  const isRight = bytes[trailer] === lrc && bytes[trailer + 1] === sum;
  return {state: isRight ? 'whole' : 'wrong', end} as const;
}

/** STX, text, ETX, and the XOR of what is after STX. Another STX means that the ETX was lost. */
function findText(bytes: Uint8Array, at: number, from: number) {
  if (bytes[at] !== STX) return undefined;
  if (!isPrintableByte(bytes[at + 1]) || !isPrintableByte(bytes[at + 2])) return undefined;
  const start = binaryEnd(bytes, at);
  if (start > bytes.length) return more(start);
  let etx = Math.max(start, from);
  while (etx < bytes.length && bytes[etx] !== ETX && bytes[etx] !== STX) etx++;
  if (bytes[etx] === STX) return {state: 'wrong', end: etx} as const;
  if (etx + 1 >= bytes.length) return more(bytes.length + 1, etx);
  const isRight = xorOf(bytes.subarray(at + 1, etx + 2)) === 0;
  return {state: isRight ? 'whole' : 'wrong', end: etx + 2} as const;
}

/** XPI's C31 has two digits of status, a length (big-endian) and as many bytes of any value. */
function binaryEnd(bytes: Uint8Array, at: number): number {
  if (latin1Of(bytes.subarray(at + 1, at + 4)) !== 'C31') return at + 3;
  return at + 8 + 256 * (bytes[at + 6] ?? 0) + (bytes[at + 7] ?? 0);
}

const MIN_LINK_BYTES = 2;

/** NAD, PCB, length, data and LRC, on to the first frame that announces no other. */
function findLink(bytes: Uint8Array, at: number, from: number) {
  if (bytes[at] !== NAD) return undefined;
  let start = from;
  for (;;) {
    const isFirst = start === at;
    if (!isFirst && start >= bytes.length) return more(start + 4, start);
    if (bytes[start] !== NAD) return {state: 'wrong', end: start} as const;
    if (bytes.length < start + 3) return more(start + 3, start);
    const [control = 0, length = 0] = bytes.subarray(start + 1, start + 3);
    const isLink = (control & ~(PCB.more | PCB.unsolicited)) === 0 && length >= MIN_LINK_BYTES;
    if (!isLink) return isFirst ? undefined : ({state: 'wrong', end: start} as const);
    const end = start + length + 4;
    if (end > bytes.length) return more(end, start);
    if (xorOf(bytes.subarray(start, end)) !== 0) return {state: 'wrong', end} as const;
    if ((control & PCB.more) === 0) return {state: 'whole', end} as const;
    start = end;
  }
}

/** Text up to CR or LF, as keyboards type it and logs have it. */
function findLine(bytes: Uint8Array, at: number, from: number) {
  if (!isPrintableByte(bytes[at])) return undefined;
  let end = from;
  while (end < bytes.length && isLineByte(bytes[end] ?? 0)) end++;
  if (end >= bytes.length) return more(bytes.length + 1, end);
  const isEnd = bytes[end] === CR || bytes[end] === LF;
  return isEnd ? ({state: 'whole', end: end + 1} as const) : ({state: 'wrong', end} as const);
}

function more(end: number, from?: number) {
  return {state: 'more', end, ...(from !== undefined && {from})} as const;
}
