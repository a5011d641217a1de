import {upperHexOf} from '../../platform/bytes.js';
import type {InputFinding, InputLabel} from '../finding.js';
import {type Interpretation, isRecognisedByLength, type Target} from '../interpretation.js';
import {readForm, type Senders} from '../read-form.js';
import {finish} from '../steps.js';
import {filledWith, type GapRun, gapFinding} from './filled-gaps.js';
import type {GappedHex} from './hex-gaps.js';

/**
 * Payloads with a gap in one of their ciphertexts. The length fields of a payload give the number of
 * lost digits; without them, every number that leaves whole blocks is possible.
 */
export function gappedPayloads(text: string, run: GappedHex, senders: Senders): Interpretation[] {
  const found: GappedPayload[] = [];
  for (const lengths of frameLengths(run)) {
    found.push(...payloadsWith(lengths, text, run, senders));
    if (found.length >= MAX_PAYLOADS) break;
  }
  // A frame whose checks fail may also be too long.
  const least = Math.min(...found.map(({lost}) => lost));
  return found
    .filter(({isChecked, lost}) => !isChecked || lost === least)
    .map(({interpretation}) => interpretation);
}

interface GappedPayload {
  readonly interpretation: Interpretation;
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
    .map((interpretation) => {
      const findings = interpretation.findings.filter(({label}) => label !== 'frame-damaged');
      const isChecked = findings.length < interpretation.findings.length;
      return {interpretation: {...interpretation, findings}, lost, isChecked};
    });
}

/** Bytes that differ under both are lost. */
const FILLS = ['0', 'F'] as const;
const MAX_PAYLOADS = 12;
/** Digits of the longest gap that is looked for in a payload, and the longest text for that. */
const MAX_LOST_DIGITS = 160;
const MAX_RUN_CHARS = 4096;

function isPart({length}: string, {from, to}: GappedHex): boolean {
  return to - from < length;
}

/** As many digits as are shown; else one gap at a time has any other number that gives whole bytes. */
function* frameLengths({pieces, marks, from, to}: GappedHex): Generator<readonly number[]> {
  yield marks;
  if (to - from > MAX_RUN_CHARS) return;
  const kept = pieces.join('').length;
  for (const [i, seen] of marks.entries()) {
    const others = marks.reduce((sum, mark) => sum + mark, kept) - seen;
    for (let lost = others % 2 || 2; lost <= MAX_LOST_DIGITS; lost += 2) {
      if (lost !== seen) yield marks.with(i, lost);
    }
  }
}

/** Readings of two fillings that agree in their fields: what differs in these is lost. */
function alikeIn(
  [zeros = '', ones = '']: readonly string[],
  finding: InputFinding,
  senders: Senders,
): Interpretation[] {
  const read = (whole: string) =>
    finish(
      readForm({text: whole, findings: [finding]}, {name: 'payload', ...senders}),
    ).interpretations.filter(
      (interpretation) =>
        interpretation.targets.length > 0 && !isRecognisedByLength(interpretation),
    );
  const interpretations = read(zeros);
  if (interpretations.length === 0) return [];
  const others = read(ones);
  return interpretations.flatMap((interpretation, i) => {
    const other = others[i];
    if (!other || !isAlike(interpretation, other)) return [];
    const targets = interpretation.targets.map((one, j) => withGaps(one, other.targets[j]));
    const {payload: _, ...rest} = interpretation;
    return [{...rest, targets, gap: 'inside' as const}];
  });
}

/** True if the same reader found fields of the same names. */
function isAlike(a: Interpretation, b: Interpretation): boolean {
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
const FRAGMENTS: ReadonlySet<InputLabel> = new Set<InputLabel>([
  'text-around',
  'bytes-around',
  'wrong-slice',
]);
/** The same for a run that is not a payload: its whole blocks before the gap are useful. */
const SLICES: ReadonlySet<InputLabel> = new Set<InputLabel>(['bytes-around', 'wrong-slice']);

/** True if an interpretation consists of pieces of runs with a gap, which are read with their gap. */
export function isFragment(
  {findings, targets}: Interpretation,
  runs: readonly GapRun[],
  gapped: readonly Interpretation[],
): boolean {
  const labels = runs.some(({isPayload}) => isPayload) ? FRAGMENTS : SLICES;
  if (!findings.some(({label}) => labels.has(label))) return false;
  const known = [
    ...runs.flatMap(({pieces}) => pieces),
    ...gapped.flatMap((interpretation) =>
      interpretation.targets.map(({ciphertext}) => upperHexOf(ciphertext)),
    ),
  ].map((digits) => digits.toUpperCase());
  return targets.every(({ciphertext}) => {
    const digits = upperHexOf(ciphertext);
    return known.some((one) => one.includes(digits));
  });
}
