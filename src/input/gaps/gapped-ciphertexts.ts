import {bytesFromHex, upperHexOf} from '../../platform/bytes.js';
import type {InputFinding, InputLabel} from '../finding.js';
import type {Gap, Interpretation, Target} from '../interpretation.js';
import {BLOCK_DIGITS, type GappedHex, gappedHex} from './hex-gaps.js';

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
  const runs = gappedHex(text);
  return {
    interpretations: runs.flatMap((run) => [
      ...apart(run.pieces),
      ...lengthsOf(run).flatMap((lengths) => bareWith(run, lengths)),
    ]),
    runs: runs.map((run) => ({pieces: run.pieces, finding: gapFinding(run)})),
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

function bareWith(run: GappedHex, lengths: readonly number[]): Interpretation[] {
  let digits = run.pieces[0] ?? '';
  const gaps: Gap[] = [];
  for (const [i, length] of lengths.entries()) {
    const from = digits.length >> 1;
    digits += '0'.repeat(length);
    gaps.push({from, to: Math.ceil(digits.length / 2)});
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
  return [{kind: 'bare', form, targets: [target], findings: [gapFinding(run)], gap}];
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
