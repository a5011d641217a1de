import {PaylensError} from '../../contract/paylens-error.js';
import {bytesFromHex} from '../../platform/bytes.js';
import type {Place} from './notation.js';

/** A hex dump in a text, and its bytes. */
export interface Dump extends Place {
  /** As printed. */
  readonly bytes: Uint8Array;
  /** Why these are not the bytes that were dumped: lines are missing, or words are swapped. */
  readonly problem: PaylensError | undefined;
}

/** Digits of a dump's line, from column to column. */
interface Group extends Place {
  readonly digits: string;
}

interface DumpLine extends Place {
  /** Counted from 1; `row` leaves out empty lines. */
  readonly line: number;
  readonly row: number;
  readonly text: string;
  readonly offset: string;
  readonly hasColon: boolean;
  readonly groups: readonly Group[];
  /** The offset as a number, once its radix is known. */
  readonly start: number;
  /** An asterisk in place of repeated lines. */
  readonly isStar: boolean;
}

/** The offset at which a line of a dump begins; a log may print other text before it. */
const OFFSET =
  /(?<![\w.:-])(?:0x)?([\da-f]{4,16})(?:(h?:)[ \t]{0,4}|h?[ \t]{1,8})(?=(?:0x)?[\da-f]{2}(?:[\da-f]{2}){0,7}(?:[ \t-]|$))/i;
const GROUP = /([ \t-]{0,12})(?:0x)?((?:[\da-f]{2}){1,8})(?![\da-z])/iy;
const END = /^\s*(?:0x)?([\da-f]{4,16}):?\s*$/i;
/** Fewer cannot be a payload. */
const MIN_DUMP_BYTES = 8;
/** Larger than any payload: an address. */
const MAX_OFFSET = 0xffff;

/**
 * The hex dumps in a text (`xxd`, `hexdump -C`, `od -t x1` and the like), by their offsets; what
 * follows the bytes of a line is ignored.
 */
export function hexDumps(text: string): Dump[] {
  const dumps = dumpBlocks(dumpLines(text)).filter(isDump).map(readDump);
  return dumps.filter(({bytes, problem}) => problem || bytes.length >= MIN_DUMP_BYTES);
}

/** The shortest line of a dump is an offset; an asterisk counts only after another line. */
const MIN_LINE_CHARS = 4;

function dumpLines(text: string): DumpLine[] {
  const found: DumpLine[] = [];
  let from = 0;
  let row = 0;
  for (const [i, raw] of text.split('\n').entries()) {
    const start = from;
    from += raw.length + 1;
    if (raw.length < MIN_LINE_CHARS && raw.trim() !== '*') {
      if (raw.trim() !== '') row++;
      continue;
    }
    const line = raw.replace(/\r$/, '');
    if (line.trim() === '') continue;
    const isStray = line.trim() === '*' && found.at(-1)?.row !== row - 1;
    const dump = isStray ? undefined : dumpLine(line, start, i + 1, row);
    row++;
    if (dump) found.push(dump);
  }
  return found;
}

const MAX_LINE_CHARS = 4096;

function dumpLine(text: string, from: number, line: number, row: number): DumpLine | undefined {
  if (text.length > MAX_LINE_CHARS) return undefined;
  const isStar = text.trim() === '*';
  const [, end] = END.exec(text) ?? [];
  const match = isStar || end !== undefined ? undefined : OFFSET.exec(text);
  if (!match && !isStar && end === undefined) return undefined;
  const [all = '', offset = end ?? '', colon] = match ?? [];
  const at = match?.index ?? 0;
  return {
    from: from + at,
    to: from + text.length,
    line,
    row,
    text,
    offset,
    hasColon: colon !== undefined,
    groups: match ? groupsOf(text, at + all.length) : [],
    start: 0,
    isStar,
  };
}

function groupsOf(line: string, start: number): Group[] {
  const groups: Group[] = [];
  GROUP.lastIndex = start;
  for (let match = GROUP.exec(line); match; match = GROUP.exec(line)) {
    const [all, , digits = ''] = match;
    groups.push({digits, from: match.index + all.length - digits.length, to: GROUP.lastIndex});
  }
  return groups;
}

/** Adjacent lines of one layout; an offset of zero begins another dump. */
function dumpBlocks(lines: readonly DumpLine[]): DumpLine[][] {
  const blocks: DumpLine[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    if (block && continues(line, block)) block.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function continues(line: DumpLine, block: readonly DumpLine[]): boolean {
  const [first, last] = [block[0]!, block.at(-1)!];
  if (line.row !== last.row + 1) return false;
  if (line.isStar) return true;
  // The end of a dump is its last line.
  if (last.groups.length === 0 && !last.isStar) return false;
  if (line.offset.length !== first.offset.length) return false;
  return line.groups.length === 0 || (!isZero(line) && line.hasColon === first.hasColon);
}

/** Lines of nothing but hex may be a payload in lines: its first groups are not wider than the others. */
function isDump(block: readonly DumpLine[]): boolean {
  const [first] = block;
  if (!first || first.groups.length === 0) return false;
  if (isZero(first)) return true;
  if (block.length < 2) return false;
  const isTold = first.hasColon || first.groups[0]!.digits.length < first.offset.length;
  return isTold && block.every(({isStar, offset}) => isStar || offset >= first.offset);
}

function isZero({offset}: DumpLine): boolean {
  return /^0+$/.test(offset);
}

function readDump(block: readonly DumpLine[]): Dump {
  const radix = radixOf(block);
  const lines = block.map((line) => ({...line, start: Number.parseInt(line.offset, radix)}));
  const [first, second] = lines as [DumpLine, DumpLine | undefined];
  const width = widthOf(first, second);
  const digits = lines.map((line) => inColumn(line, width).join(''));
  const bytes = bytesFromHex(digits.join('')) ?? new Uint8Array();
  const star = lines.find(({isStar}, i) => isStar && i > 0);
  const problem =
    (star && dumpProblem(star, 'the line * marks repeated lines that were left out')) ??
    wordProblem(first) ??
    startProblem(first) ??
    orderProblem(first, width) ??
    gapProblem(lines, digits);
  return {from: first.from, to: lines.at(-1)!.to, bytes, problem};
}

const DUMP_AGAIN = 'Dump the payload again with `xxd`, `hexdump -v -C` or `od -v -t x1`.';

function dumpProblem({line}: DumpLine, detail: string): PaylensError {
  return new PaylensError(2100, `hex dump, line ${line}: ${detail}`, {hint: DUMP_AGAIN});
}

/** `hexdump` and `od -x` print words of the machine; `xxd` prints groups of bytes and a colon. */
function wordProblem(line: DumpLine): PaylensError | undefined {
  const {groups, hasColon} = line;
  const group = (groups[0]?.digits.length ?? 2) / 2;
  if (group === 1 || hasColon) return undefined;
  const why = `words of ${group} bytes, which most machines print with their bytes swapped`;
  return dumpProblem(line, why);
}

/** Offsets are hex, octal (`od`) or decimal: the first radix that fits the first two lines. */
function radixOf(lines: readonly DumpLine[]): number {
  const [first, second] = lines;
  if (!first || !second) return 16;
  const count = first.groups.reduce((sum, {digits}) => sum + digits.length / 2, 0);
  const distance = (radix: number) =>
    Number.parseInt(second.offset, radix) - Number.parseInt(first.offset, radix);
  return [16, 8, 10].find((radix) => distance(radix) === count) ?? 16;
}

function startProblem(line: DumpLine): PaylensError | undefined {
  const {offset, start} = line;
  if (start === 0 || start > MAX_OFFSET) return undefined;
  return dumpProblem(line, `it begins at offset ${offset}, not at 0`);
}

/** A line has as many bytes as the next offset requires. */
function gapProblem(
  lines: readonly DumpLine[],
  digits: readonly string[],
): PaylensError | undefined {
  for (const [i, next] of lines.slice(1).entries()) {
    const [line, found] = [lines[i]!, digits[i]!.length / 2];
    if (next.start === line.start + found) continue;
    const gap = `offset ${next.offset} does not follow ${found} bytes at ${line.offset}`;
    return dumpProblem(next, gap);
  }
  return undefined;
}

/** Groups that begin in the column of the bytes; similar ones after it are text. */
function inColumn({groups}: DumpLine, width: number): string[] {
  const [first] = groups;
  return groups.filter(({to}) => to - first!.from <= width).map(({digits}) => digits);
}

/** Characters from the first digit of the first line to its last, given by the next offset or by a gap. */
function widthOf(first: DumpLine, next: DumpLine | undefined): number {
  const {groups, text} = first;
  const from = groups[0]!.from;
  if (next) return endOfBytes(first, next.start - first.start) - from;
  const isMarked = /[|>]/.test(text);
  const last = groups.findIndex(({to}, i) => !isMarked && (groups[i + 1]?.from ?? to) > to + 1);
  return groups.at(last)!.to - from;
}

function endOfBytes({groups}: DumpLine, count: number): number {
  let left = 2 * count;
  const last = groups.find(({digits}) => {
    left -= digits.length;
    return left <= 0;
  });
  return (last ?? groups.at(-1)!).to;
}

/** `xxd -e` prints words like groups: the characters after them show that their bytes are swapped. */
function orderProblem(line: DumpLine, width: number): PaylensError | undefined {
  const groups = inColumn(line, width);
  const shown = line.text.slice(line.groups[0]!.from + width).replace(/^ {2}/, '');
  const swapped = groups.map((digits) => (digits.match(/../g) ?? []).toReversed().join(''));
  if (fits(shown, groups.join('')) || !fits(shown, swapped.join(''))) return undefined;
  return dumpProblem(line, 'the bytes of its words are swapped');
}

function fits(shown: string, digits: string): boolean {
  const bytes = bytesFromHex(digits) ?? new Uint8Array();
  return bytes.every((byte, i) => byte < 0x20 || byte > 0x7e || shown.charCodeAt(i) === byte);
}
