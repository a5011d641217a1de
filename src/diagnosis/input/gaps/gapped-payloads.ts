import {upperHexOf} from '../../../platform/bytes.js';
import type {Finding} from '../../finding.js';
import type {Label} from '../../labels.js';
import {finish} from '../../steps.js';
import {isToldByLength, type Subject, type Target} from '../interpretation.js';
import {readForm, type Senders} from '../read-form.js';
import {filledWith, type GapRun, gapFinding} from './filled-gaps.js';
import type {GappedHex} from './hex-gaps.js';

/**
 * Payloads with a gap in one of their ciphertexts. The lengths that a payload states itself tell how many
 * digits are lost; where it states none, every number that leaves whole blocks is possible.
 */
export function gappedPayloads(text: string, run: GappedHex, senders: Senders): Subject[] {
  const found: GappedPayload[] = [];
  for (const lengths of frameLengths(run)) {
    found.push(...payloadsWith(lengths, text, run, senders));
    if (found.length >= MOST_PAYLOADS) break;
  }
  // A frame whose checks fail may also be too long.
  const least = Math.min(...found.map(({lost}) => lost));
  return found
    .filter(({isChecked, lost}) => !isChecked || lost === least)
    .map(({subject}) => subject);
}

interface GappedPayload {
  readonly subject: Subject;
  /** Digits put into the gaps. */
  readonly lost: number;
  /** It has checks over the missing digits. */
  readonly isChecked: boolean;
}

function payloadsWith(
  lengths: readonly number[],
  text: string,
  run: GappedHex,
  senders: Senders,
): GappedPayload[] {
  const digits = FILLS.map((fill) => filledWith(run.pieces, lengths, fill).digits);
  const whole = digits.map((one) => text.slice(0, run.from) + one + text.slice(run.to));
  const lost = lengths.reduce((sum, length) => sum + length, 0);
  const finding = gapFinding(run.pieces, run.marks);
  return [whole, ...(isPart(text, run) ? [digits] : [])]
    .flatMap((fillings) => alikeIn(fillings, finding, senders))
    .map((subject) => {
      const findings = subject.findings.filter(({label}) => label !== 'frame-damaged');
      const isChecked = findings.length < subject.findings.length;
      return {subject: {...subject, findings}, lost, isChecked};
    });
}

/** Bytes that differ under both are lost. */
const FILLS = ['0', 'F'] as const;
const MOST_PAYLOADS = 12;
/** Digits of the longest gap that is looked for in a payload, and the longest text for that. */
const MOST_LOST = 160;
const LONGEST_TEXT = 4096;

function isPart({length}: string, {from, to}: GappedHex): boolean {
  return to - from < length;
}

/** As many digits as are shown; else one gap at a time has any other number that gives whole bytes. */
function* frameLengths({pieces, marks, from, to}: GappedHex): Generator<readonly number[]> {
  yield marks;
  if (to - from > LONGEST_TEXT) return;
  const kept = pieces.join('').length;
  for (const [i, seen] of marks.entries()) {
    const others = marks.reduce((sum, mark) => sum + mark, kept) - seen;
    for (let lost = others % 2 || 2; lost <= MOST_LOST; lost += 2) {
      if (lost !== seen) yield marks.with(i, lost);
    }
  }
}

/** Readings of two fillings that agree in their fields: what differs in these is lost. */
function alikeIn(
  [zeros = '', ones = '']: readonly string[],
  finding: Finding,
  senders: Senders,
): Subject[] {
  const read = (whole: string) =>
    finish(
      readForm({text: whole, findings: [finding]}, {name: 'payload', ...senders}),
    ).subjects.filter((subject) => subject.targets.length > 0 && !isToldByLength(subject));
  const subjects = read(zeros);
  if (subjects.length === 0) return [];
  const others = read(ones);
  return subjects.flatMap((subject, i) => {
    const other = others[i];
    if (!other || !isAlike(subject, other)) return [];
    const targets = subject.targets.map((one, j) => withGaps(one, other.targets[j]));
    const {payload: _, ...rest} = subject;
    return [{...rest, targets, gap: 'inside' as const}];
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

/** How pieces of a payload look that are taken for the whole of something. */
const FRAGMENTS: ReadonlySet<Label> = new Set<Label>([
  'text-around',
  'bytes-around',
  'wrong-slice',
]);
/** The same for a run that is no payload: its whole blocks in front of the gap are good to have. */
const SLICES: ReadonlySet<Label> = new Set<Label>(['bytes-around', 'wrong-slice']);

/** True if a subject consists of pieces of runs with a gap, which are read with their gap. */
export function isFragment(
  {findings, targets}: Subject,
  runs: readonly GapRun[],
  gapped: readonly Subject[],
): boolean {
  const labels = runs.some(({isPayload}) => isPayload) ? FRAGMENTS : SLICES;
  if (!findings.some(({label}) => labels.has(label))) return false;
  const known = [
    ...runs.flatMap(({pieces}) => pieces),
    ...gapped.flatMap((subject) => subject.targets.map(({ciphertext}) => upperHexOf(ciphertext))),
  ].map((digits) => digits.toUpperCase());
  return targets.every(({ciphertext}) => {
    const digits = upperHexOf(ciphertext);
    return known.some((one) => one.includes(digits));
  });
}
