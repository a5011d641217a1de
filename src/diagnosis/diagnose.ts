import {
  type DiagnosisCase,
  type GivenKey,
  MAX_DIAGNOSED_CHARS,
  type SearchKeys,
  wholeKeys,
} from '../input/case.js';
import {type Clues, clueSteps, collectClues} from '../input/clues.js';
import {finish, type Steps} from '../input/steps.js';
import {publishedKeys} from './candidates/published-keys.js';
import type {Finding} from './finding.js';
import {findingsOf} from './findings/solved.js';
import {findingsWithout} from './findings/unsolved.js';
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
  const keys = keysOf(given, clues);
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
