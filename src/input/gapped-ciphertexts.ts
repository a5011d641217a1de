import {bytesFromHex, isHex, upperHexOf} from '../platform/bytes.js';
import type {InputFinding, InputLabel} from './finding.js';
import type {Interpretation, Target} from './interpretation.js';
import type {Place} from './notations/notation.js';

/** Nibbles in a block of AES: the possible shifts of the digits after a gap. */
const SHIFTS = 32;

/** A run of hex digits with a gap. */
export interface GapRun {
  readonly pieces: readonly string[];
  readonly finding: InputFinding;
}

/** The interpretations of a text with missing digits. */
export interface Gapped {
  readonly interpretations: readonly Interpretation[];
  /** The gaps themselves: where digits are missing, and the digits around them. */
  readonly runs: readonly GapRun[];
}

/**
 * The ciphertexts of a text with unreadable digits. The number of lost digits may be the number of
 * characters in their place, or any other. So every alignment after the gap is a separate interpretation,
 * the one with the same number first.
 */
export function gappedInterpretations(text: string): Gapped {
  const runs = gappedHex(text).map((run) => ({...run, finding: gapFinding(run)}));
  return {
    interpretations: runs.flatMap((run) => [
      ...apart(run.pieces),
      ...lengthsOf(run).flatMap((lengths) => bareWith(run, lengths)),
    ]),
    runs,
  };
}

/** Says where digits are missing. */
function gapFinding({pieces, marks}: GappedHex): InputFinding {
  let at = 0;
  const places = marks.map((mark, i) => {
    at += pieces[i]!.length + mark;
    return mark === 1 ? `${at}` : `${at - mark + 1} to ${at}`;
  });
  return {label: 'digits-missing', detail: `No hex digits at ${places.join(', ')} of the run.`};
}

/** Pieces of whole blocks as separate ciphertexts: the text between them shows where each ends. */
function apart(pieces: readonly string[]): Interpretation[] {
  if (!pieces.every((piece) => piece !== '' && isWholeBlocks(piece))) return [];
  // Blocks listed one by one are one chain: each could be the IV of the next.
  if (pieces.length > 1 && !pieces.some(({length}) => length > SHIFTS)) return [];
  const targets = pieces.map((piece, i) => {
    return {name: `run ${i + 1}`, ciphertext: bytesFromHex(piece) ?? new Uint8Array()};
  });
  return [
    {kind: 'in-text', form: 'hex digits in text', targets, findings: [{label: 'text-around'}]},
  ];
}

function isWholeBlocks({length}: string): boolean {
  return length % BLOCK_DIGITS === 0;
}

/**
 * The possible numbers of lost digits in the gaps; only one gap at a time may differ from what is
 * shown.
 */
function lengthsOf({marks}: GappedHex): number[][] {
  const others = marks.flatMap((seen, i) =>
    Array.from({length: SHIFTS - 1}, (_, shift) =>
      marks.map((mark, j) => (i === j ? (seen + shift + 1) % SHIFTS || SHIFTS : mark)),
    ),
  );
  return [[...marks], ...others];
}

/** Longer ones have too many places where digits may be missing. */
const MAX_UNMARKED_DIGITS = 640;

/** The ciphertexts of digits that are no whole blocks, for each block after which some may be missing. */
export function unmarkedGaps(text: string): Interpretation[] {
  const digits = text.replaceAll(/\s/g, '');
  const rest = digits.length % BLOCK_DIGITS;
  if (rest === 0 || digits.length > MAX_UNMARKED_DIGITS || !isHex(digits)) return [];
  return Array.from({length: Math.floor(digits.length / BLOCK_DIGITS)}, (_, i) => {
    const at = (i + 1) * BLOCK_DIGITS;
    const detail = `Hex digits are missing among the ${2 * BLOCK_DIGITS} digits after digit ${at}.`;
    const pieces = [digits.slice(0, at), digits.slice(at)];
    const run: GapRun = {pieces, finding: {label: 'digits-missing', detail}};
    return [BLOCK_DIGITS - rest, SHIFTS - rest].flatMap((length) =>
      bareWith(run, [length], BLOCK_DIGITS / 2).map((one) => ({...one, gap: undefined})),
    );
  }).flat();
}

/** The digits around gaps of these lengths; `more`: further bytes that each gap costs. */
function bareWith(run: GapRun, lengths: readonly number[], more = 0): Interpretation[] {
  let digits = run.pieces[0] ?? '';
  const gaps: Place[] = [];
  for (const [i, length] of lengths.entries()) {
    const from = digits.length >> 1;
    digits += '0'.repeat(length);
    gaps.push({from, to: Math.ceil(digits.length / 2) + more});
    digits += run.pieces[i + 1] ?? '';
  }
  const end = BLOCK_DIGITS * Math.ceil(digits.length / BLOCK_DIGITS);
  const ciphertext = bytesFromHex(digits.padEnd(end, '0')) ?? new Uint8Array();
  if (ciphertext.length < BLOCK_DIGITS) return [];
  // An incomplete last block is also lost.
  const all = [...gaps, {from: digits.length >> 1, to: end / 2}].filter(({from, to}) => from < to);
  const target: Target = {name: 'data', ciphertext, gaps: all};
  const gap = run.pieces.every(isWholeBlocks) ? 'between blocks' : 'inside';
  const form = 'bare ciphertext with a gap';
  return [{kind: 'bare', form, targets: [target], findings: [run.finding], gap}];
}

/** How pieces of a run look that are read as a whole; its whole blocks before the gap are useful. */
const FRAGMENTS: ReadonlySet<InputLabel> = new Set<InputLabel>(['bytes-around', 'wrong-slice']);

/** True if an interpretation consists of pieces of runs with a gap, which are read with their gap. */
export function isFragment({findings, targets}: Interpretation, gapped: Gapped): boolean {
  if (!findings.some(({label}) => FRAGMENTS.has(label))) return false;
  const known = [
    ...gapped.runs.flatMap(({pieces}) => pieces.map((digits) => digits.toUpperCase())),
    ...gapped.interpretations.flatMap((one) =>
      one.targets.map(({ciphertext}) => upperHexOf(ciphertext)),
    ),
  ];
  return targets.every(({ciphertext}) => {
    const digits = upperHexOf(ciphertext);
    return known.some((one) => one.includes(digits));
  });
}

/** A run of hex digits with unreadable gaps. */
interface GappedHex extends Place {
  /** The readable digits; the first and last piece may be empty. */
  readonly pieces: readonly string[];
  /** Number of characters in each gap. */
  readonly marks: readonly number[];
}

const MAX_GAPS = 4;
/** Shorter runs are not ciphertext. */
const MIN_READABLE_DIGITS = 24;
/** Longer than any UUID or serial number. */
const MIN_LONG_PIECE_DIGITS = 14;
/**
 * Characters in place of digits: asterisks, dots, any letters that are not hex digits; not
 * brackets, quotes or separators.
 */
const MARK = '[^0-9A-Fa-f\\s"\'`“”„‘’,;:={}|&/\\\\%^+<>()\\[\\]\\u0000-\\u001f]';
/**
 * Inside other text a run must begin and end with more digits than a masked card number shows: text
 * around such digits is not a gap.
 */
const RUN_WITH_GAPS = new RegExp(
  `(?<![0-9A-Za-z])[0-9A-Fa-f]{8,}(?:${MARK}{1,80}[0-9A-Fa-f]+){0,7}${MARK}{1,80}[0-9A-Fa-f]{8,}`,
  'g',
);
const TEXT_WITH_GAPS = new RegExp(`^[0-9A-Fa-f]*(?:${MARK}+[0-9A-Fa-f]+){0,8}${MARK}*$`);
const MARKS = new RegExp(`(${MARK}+)`);
/** Words between two digits that indicate a gap: `[12 bytes cut]`, `<cut>`; not XML tags. */
const WORDS =
  /(?<=[0-9A-Fa-f]\s?)(?:\[[^\]\n]{0,40}\]|<[^>/\n]{0,40}>|\([^)\n]{0,40}\))(?=\s?[0-9A-Fa-f])/g;
/** What a modem or a log prints after the digits: `OK`. An X may stand for a digit. */
const LAST_WORDS = /\s(?=[a-z# ]{0,40}[g-wyz#])[a-z# ]{1,40}\s*$/i;
/** Dots after the last digit indicate truncation, but not how much is missing. */
const CUT_DOTS = /(?<![.…])[.…]+$/;

/**
 * The runs of hex in a text that have gaps: letters, asterisks, dots or words in brackets in place
 * of lost digits. White space between the digits is not a gap.
 */
export function gappedHex(text: string): GappedHex[] {
  if (text.length > MAX_TEXT_WITH_GAPS_CHARS || bareRuns(text).length > 1) return [];
  const digits = text.replaceAll(HEX_PREFIX, '  ');
  const starred = digits.replaceAll(WORDS, (words) => '*'.repeat(words.length));
  const compact = starred.replace(LAST_WORDS, '').replaceAll(/\s+/g, '').replace(CUT_DOTS, '');
  const whole = TEXT_WITH_GAPS.test(compact) ? runOf(compact, 0, text.length) : [];
  if (whole.length > 0) return whole;
  const values = runsOf(starred, MEMBER_VALUE).filter(({from, to}) =>
    TEXT_WITH_GAPS.test(starred.slice(from, to)),
  );
  const others = runsOf(starred, RUN_WITH_GAPS).filter(
    (run) => !values.some((one) => run.from < one.to && one.from < run.to),
  );
  return [...values, ...others];
}

const MAX_TEXT_WITH_GAPS_CHARS = 16_384;
/** Its x is no digit that cannot be read. */
const HEX_PREFIX = /(?<![\dA-Za-z])0x(?=[\dA-F]{8})/gi;
/** A ciphertext of at least two blocks, or a word between two. */
const BARE_RUN = /^(?:[0-9A-F]{16}){2,}$/;
const WORD = /^(?:AND|OR)$/;

/** The ciphertexts, in upper case, of a text that has nothing else in it but what separates them. */
export function bareRuns(text: string): string[] {
  const parts = text.toUpperCase().split(/[\s,;|/+&]+/);
  const runs = parts.filter((part) => part !== '' && !WORD.test(part));
  return /^[\w\s,;|/+&]*$/.test(text) && runs.every((run) => BARE_RUN.test(run)) ? runs : [];
}

/** The whole value of a member, a parameter or a name. */
const MEMBER_VALUE = /(?<=["']|[A-Za-z_]\d?["']? ?[=:] ?)[^\s"'=&,;:{}]{24,}(?=["'&,;}\s]|$)/g;

function runsOf(text: string, form: RegExp): GappedHex[] {
  return [...text.matchAll(form)].flatMap(({0: run, index}) =>
    runOf(run, index, index + run.length),
  );
}

/** Hex digits of a block of TDES. */
export const BLOCK_DIGITS = 16;

function runOf(run: string, from: number, to: number): GappedHex[] {
  const {pieces, marks} = splitRun(run);
  const digits = pieces.join('').length;
  const marked = marks.reduce((sum, count) => sum + count, 0);
  // Words also contain hex letters.
  const isLong = pieces.some(({length}) => length >= MIN_LONG_PIECE_DIGITS);
  const isHex = isLong && digits >= MIN_READABLE_DIGITS && digits >= marked;
  return isHex && marks.length > 0 && marks.length <= MAX_GAPS ? [{pieces, marks, from, to}] : [];
}

/** Shorter pieces between two gaps belong to the unreadable part: `[redacted]`, `XAX`. */
const MIN_PIECE_DIGITS = 4;

function splitRun(run: string): Pick<GappedHex, 'pieces' | 'marks'> {
  const parts = run.split(MARKS);
  const pieces: string[] = [parts[0] ?? ''];
  const marks: number[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    const [mark = '', digits = ''] = parts.slice(i, i + 2);
    const last = pieces.at(-1) ?? '';
    const isInside = marks.length > 0 && last.length < MIN_PIECE_DIGITS;
    if (isInside) marks[marks.length - 1]! += last.length + mark.length;
    else marks.push(mark.length);
    if (isInside) pieces.pop();
    pieces.push(digits);
  }
  return {pieces, marks};
}
