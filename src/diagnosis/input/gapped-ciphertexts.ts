import type {TerminalType} from '../../engine/devices/registry.js';
import {bytesFromHex} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import {blocksAmongWords, type GappedHex, gappedHex} from './hex-gaps.js';
import {type Gap, isToldByLength, type Subject, type Target} from './interpretation.js';
import {readForm} from './read-form.js';

/** Nibbles in a block of AES: the possible shifts of the digits after a gap. */
const SHIFTS = 32;
const BLOCK_DIGITS = 16;

/**
 * The ciphertexts of a text with unreadable digits. The number of lost digits may be the number of
 * characters in their place, or any other. So every alignment after the gap is a separate subject,
 * the one with the same number first.
 */
export function gappedSubjects(text: string, deviceType?: TerminalType): Subject[] {
  const runs = gappedHex(text);
  const words = blocksAmongWords(text, runs.length > 0);
  return [
    ...words.flatMap((pieces) => [...apart(pieces, 'words'), ...apart([pieces.join('')], 'words')]),
    ...runs.flatMap((run) => [
      ...apart(run.pieces),
      ...framesAround(text, run, deviceType),
      ...lengthsOf(run).flatMap((lengths) => bareWith(run, lengths)),
    ]),
  ];
}

/** Pieces of whole blocks as separate ciphertexts: the text between them shows where each ends. */
function apart(pieces: readonly string[], gap?: Subject['gap']): Subject[] {
  if (!pieces.every((piece) => piece !== '' && isWhole(piece))) return [];
  if (pieces.length > 1 && !pieces.some(isLongerThanIv)) return [];
  const targets = pieces.map((piece, i) => {
    return {name: `run ${i + 1}`, ciphertext: bytesFromHex(piece) ?? new Uint8Array()};
  });
  const findings = [{label: 'text-around'}] as const;
  return [{kind: 'in-text', form: 'hex digits in text', targets, findings, ...(gap && {gap})}];
}

function isWhole({length}: string): boolean {
  return length % BLOCK_DIGITS === 0;
}

/** Blocks listed one by one are one chain: each could be the IV of the next. */
function isLongerThanIv({length}: string): boolean {
  return length > SHIFTS;
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

function bareWith({pieces, marks}: GappedHex, lengths: readonly number[]): Subject[] {
  const {digits, gaps} = filledWith(pieces, lengths, '0');
  const end = BLOCK_DIGITS * Math.ceil(digits.length / BLOCK_DIGITS);
  const ciphertext = bytesFromHex(digits.padEnd(end, '0')) ?? new Uint8Array();
  // An incomplete last block is also lost.
  const rest = {from: digits.length >> 1, to: end / 2};
  const all = [...gaps, rest].filter(({from, to}) => from < to);
  if (ciphertext.length < 16) return [];
  const target: Target = {name: 'data', ciphertext, gaps: all};
  const findings = [gapFinding(pieces, marks)];
  const form = 'bare ciphertext with a gap';
  const gap = pieces.every(isWhole) ? 'between blocks' : 'inside';
  return [{kind: 'bare', form, targets: [target], findings, gap}];
}

function gapFinding(pieces: readonly string[], marks: readonly number[]): Finding {
  let at = 0;
  const places = marks.map((mark, i) => {
    at += pieces[i]!.length + mark;
    return mark === 1 ? `${at}` : `${at - mark + 1} to ${at}`;
  });
  return {label: 'digits-missing', detail: `No hex digits at ${places.join(', ')} of the run.`};
}

interface Filled {
  readonly digits: string;
  /** In bytes. */
  readonly gaps: readonly Gap[];
}

function filledWith(pieces: readonly string[], lengths: readonly number[], fill: string): Filled {
  let digits = pieces[0] ?? '';
  const gaps: Gap[] = [];
  for (const [i, length] of lengths.entries()) {
    const from = digits.length >> 1;
    digits += fill.repeat(length);
    gaps.push({from, to: Math.ceil(digits.length / 2)});
    digits += pieces[i + 1] ?? '';
  }
  return {digits, gaps};
}

/**
 * Payloads with a gap in one of their ciphertexts: bytes that change with the digits put into the
 * gap are lost.
 */
function framesAround(text: string, run: GappedHex, deviceType?: TerminalType): Subject[] {
  const [zeros, ones] = ['0', 'F'].map((fill) => {
    const {digits} = filledWith(run.pieces, run.marks, fill);
    const whole = text.slice(0, run.from) + digits + text.slice(run.to);
    const form = {text: whole, findings: [gapFinding(run.pieces, run.marks)]};
    return readForm(form, {name: 'payload', deviceType}).subjects;
  });
  return (zeros ?? []).flatMap((subject, i) => {
    const other = ones?.[i];
    if (!other || !isAlike(subject, other) || isToldByLength(subject)) return [];
    const targets = subject.targets.map((one, j) => withGaps(one, other.targets[j]));
    const {payload: _, ...rest} = subject;
    return [{...rest, targets, gap: 'inside'}];
  });
}

/** True if the same reader found fields of the same names. */
function isAlike(a: Subject, b: Subject): boolean {
  const [names, others] = [a, b].map(({targets}) => targets.map(({name}) => name).join());
  return a.reader === b.reader && names === others;
}

/**
 * Combines two readings of one field: the bytes in which they differ are unknown, and so is the KSN
 * if it differs. The reader's own test cannot be used on the rest.
 */
function withGaps({open: _, ...target}: Target, other: Target | undefined): Target {
  const {ciphertext, ksn} = target;
  const differing = [...ciphertext.keys()].filter((i) => ciphertext[i] !== other?.ciphertext[i]);
  const gaps = differing.map((from) => ({from, to: from + 1}));
  return {
    ...target,
    ksn: ksn === other?.ksn ? ksn : undefined,
    ...(gaps.length > 0 && {gaps}),
  };
}
