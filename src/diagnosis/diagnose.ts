import {
  type DiagnosisCase,
  type GivenKey,
  MAX_DIAGNOSED_CHARS,
  type SearchKeys,
  wholeKeys,
} from '../input/case.js';
import {type Clues, clueSteps, collectClues} from '../input/clues.js';
import {finish, type Steps} from '../input/steps.js';
import {hexOf} from '../platform/bytes.js';
import {publishedKeys} from './candidates/published-keys.js';
import {type Finding, ranked, rankOf} from './finding.js';
import {findingsOf} from './findings/solved.js';
import {findingsWithout} from './findings/unsolved.js';
import type {Label} from './labels.js';
import type {KeyMatch} from './search/key-match.js';
import {openOneBlock} from './search/open-one-block.js';
import {
  brokenProbes,
  gappedProbes,
  probesOf,
  unmarkedProbes,
} from './search/prepared-ciphertext.js';
import {Search} from './search/search.js';
import {longStages, type Part, usualStages} from './search/search-plan.js';
import {type Judge, judgeOf, type Known, READ, type Slip, slipIn} from './search/slips.js';

/** Limits of a diagnosis, and its progress callback. */
export interface Limits {
  /** Clock in milliseconds, from any starting point. */
  readonly now: () => number;
  readonly budgetMs: number;
  readonly onProgress?: (stage: string, tried: number, elapsedMs: number) => void;
  /** Try only the usual causes: no nearby counters, no mistyped keys. */
  readonly usualOnly?: boolean;
  /** Run only this share of the long stages. */
  readonly part?: Part;
}

/** The result, with everything needed to report it. */
export interface Diagnosis {
  readonly solved: boolean;
  readonly findings: readonly Finding[];
  readonly found?: KeyMatch;
  readonly tried: number;
  readonly elapsedMs: number;
  readonly clues: Clues;
  readonly isComplete: boolean;
  /** Description of what was tried. */
  readonly stages: readonly string[];
}

/**
 * Finds the key, KSN, variant, mode, IV and packing that decrypt a case, and the mistake that was
 * made. A result is rejected if chance could have produced it (see `requiredBits`).
 */
export function diagnose(given: DiagnosisCase, limits: Limits): Diagnosis {
  return finish(diagnosisSteps(given, limits));
}

/** The same in steps of a few milliseconds, so that others can have a turn, or end it. */
export function* diagnosisSteps(given: DiagnosisCase, limits: Limits): Steps<Diagnosis> {
  const begin = limits.now();
  let lastReport = begin;
  const isOver = ({stage, tried} = READING) => {
    const time = limits.now();
    if (time - begin > limits.budgetMs) return true;
    if (time - lastReport < REPORT_MS) return false;
    lastReport = time;
    limits.onProgress?.(stage, tried, time - begin);
    return false;
  };
  const isLong = lengthOf(given) > MAX_DIAGNOSED_CHARS;
  const clues =
    (isLong ? undefined : yield* stepsInTime(clueSteps(given), isOver))?.result ??
    collectClues({...given, payload: '', ciphertexts: []});
  if (isLong) {
    const elapsedMs = limits.now() - begin;
    const findings = [{label: 'other-data', detail: TOO_LONG} as const];
    return {solved: false, findings, tried: 0, elapsedMs, clues, isComplete: true, stages: []};
  }
  return yield* withoutSlip(given, clues, limits, (keys) =>
    searchSteps(given, clues, keys, {limits, begin, isOver}),
  );
}

interface Run {
  readonly limits: Limits;
  readonly begin: number;
  readonly isOver: (search: Search) => boolean;
}

function* searchSteps(
  given: DiagnosisCase,
  clues: Clues,
  keys: SearchKeys,
  {limits, begin, isOver}: Run,
): Steps<Diagnosis> {
  const whole = [...probesOf(clues, false), ...gappedProbes(clues)];
  const search = new Search([...whole, ...brokenProbes(clues), ...unmarkedProbes(clues)]);
  const ended = yield* stepsInTime(firstFound(search, clues, keys, limits), () => isOver(search));
  const found = ended ? ended.result : (search.partial ?? search.padded);
  const {tried, stages} = search;
  const isComplete = ended !== undefined;
  const base = {tried, elapsedMs: limits.now() - begin, clues, isComplete, stages};
  if (found) {
    const findings = yield* findingsOf(found, given, clues, keys);
    return {...base, solved: true, found, findings};
  }
  const findings = findingsWithout(given, clues, keys, search.weak, isComplete);
  return {...base, solved: false, findings};
}

/**
 * The diagnosis that `search` makes, or that of the payload without its slip: looked for at once if no
 * terminal reads the payload, else if what is found may come of one.
 */
function* withoutSlip(
  given: DiagnosisCase,
  clues: Clues,
  limits: Limits,
  search: (keys: SearchKeys) => Steps<Diagnosis>,
): Steps<Diagnosis> {
  const keys = keysOf(given, clues);
  const judge = judgeOf(given, clues, keys.all);
  const judged = isOfOtherType(clues) ? READ : judge(given.payload ?? '');
  const early = judged < READ ? yield* slipInTime(given, judge, limits) : undefined;
  if (early?.payload !== undefined) return yield* mended(given, early, limits);
  const diagnosis = yield* search(keys);
  const isLate = judged === READ && diagnosis.solved && isOfSlip(diagnosis);
  const late = isLate ? yield* slipInTime(given, judge, limits) : undefined;
  if (late?.payload !== undefined) {
    const other = yield* mended(given, late, limits);
    // Where the ciphertext stays as it is, not the slip but what it contradicts may be wrong.
    return ciphertextsOf(other) === ciphertextsOf(diagnosis) ? diagnosis : other;
  }
  // The form proves little if it may be any of several.
  return early && given.deviceType !== undefined ? withSlip(diagnosis, early) : diagnosis;
}

function ciphertextsOf({found}: Diagnosis): string {
  const targets = found?.probe.interpretation.targets ?? [];
  return targets.map(({ciphertext}) => hexOf(ciphertext)).join();
}

/** The diagnosis of the payload without a slip. */
function* mended(given: DiagnosisCase, slip: Slip, limits: Limits): Steps<Diagnosis> {
  const {payload = ''} = slip;
  return withSlip(yield* diagnosisSteps({...given, payload}, limits), slip);
}

/** The slip is the first mistake. */
function withSlip(diagnosis: Diagnosis, {detail}: Slip): Diagnosis {
  const findings = ranked([{label: 'payload-mistyped', detail}, ...diagnosis.findings]);
  return {...diagnosis, findings};
}

/** True if no other mistake was found than what a slip looks like in a payload that is still read. */
function isOfSlip({findings}: Diagnosis): boolean {
  return findings.every((one) => rankOf(one) !== 'mistake' || OF_SLIPS.has(one.label));
}

const OF_SLIPS: ReadonlySet<Label> = new Set<Label>([
  ...(['data-damaged', 'chain-runs-on', 'iv-missing', 'not-card-data'] as const),
  'masked-copy-differs',
]);

const SHARE_OF_SLIPS = 0.85;

function* slipInTime(
  {payload = ''}: DiagnosisCase,
  judge: Judge,
  {now, budgetMs}: Limits,
): Steps<Slip | undefined> {
  const known: Known = {};
  const end = now() + budgetMs * SHARE_OF_SLIPS;
  yield* stepsInTime(slipIn(payload, judge, known), () => now() > end);
  return known.slip;
}

/** True if a terminal that was not named reads the payload. */
function isOfOtherType({interpretations}: Clues): boolean {
  return interpretations.some(({findings}) => findings.some(({label}) => label === 'wrong-type'));
}

const TOO_LONG = `It has more than ${MAX_DIAGNOSED_CHARS} characters, which no terminal sends, and was not searched: pass the lines with the payload.`;

function lengthOf({payload = '', ciphertexts}: DiagnosisCase): number {
  return ciphertexts.reduce((sum, {text}) => sum + text.length, payload.length);
}

/** The state of the search while the input is read. */
const READING = {stage: 'reading', tried: 0};

/** The result; undefined if the time is over before the last step. */
function* stepsInTime<Result>(
  steps: Steps<Result>,
  isOver: () => boolean,
): Steps<{readonly result: Result} | undefined> {
  while (!isOver()) {
    const {done, value} = steps.next();
    if (done) return {result: value};
    yield;
  }
  return undefined;
}

const REPORT_MS = 250;

function keysOf(given: DiagnosisCase, clues: Clues): SearchKeys {
  const written = [...given.writtenKeys, ...clues.keys];
  const all: GivenKey[] = [...wholeKeys(written), ...given.keys, ...publishedKeys()];
  return {all: distinct(all), written};
}

/** A published key that was also given counts as given. */
function distinct(keys: readonly GivenKey[]): GivenKey[] {
  const seen = new Set<string>();
  return keys.filter(({bytes, kind}) => {
    const id = `${kind === 'component' ? kind : ''}${bytes.join()}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** A partial proof from the usual causes is returned before thousands of keys are tried. */
function* firstFound(
  search: Search,
  clues: Clues,
  keys: SearchKeys,
  {usualOnly, part}: Limits,
): Steps<KeyMatch | undefined> {
  const short = openOneBlock(clues, keys);
  if (short) return short;
  const usual = part ? [] : usualStages(clues, keys);
  for (const stage of usual) {
    const found = yield* search.run(stage);
    if (found) return found;
  }
  if (usualOnly || search.partial || search.padded) return search.partial ?? search.padded;
  for (const stage of longStages(clues, keys, part)) {
    const found = (yield* search.run(stage)) ?? search.partial;
    if (found) return found;
  }
  return search.padded;
}
