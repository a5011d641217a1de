import {recognise} from '../engine/recognise.js';
import {
  type DiagnosisCase,
  MAX_DIAGNOSED_CHARS,
  type SearchKeys,
  wholeKeys,
} from '../input/case.js';
import {type Clues, clueSteps, collectClues} from '../input/clues.js';
import {ofOtherType, repairedInterpretations} from '../input/interpret.js';
import {isReading} from '../input/interpretation.js';
import type {Place} from '../input/notations/notation.js';
import {finish, type Steps} from '../input/steps.js';
import {hexOf} from '../platform/bytes.js';
import {publishedKeys} from './candidates/published-keys.js';
import {type Finding, ranked, rankOf} from './finding.js';
import {works} from './findings/next-step.js';
import {hasOtherKsn} from './findings/other-reads.js';
import {isClosed} from './findings/reader-refusals.js';
import {findingsOf} from './findings/solved.js';
import {findingsWithout} from './findings/unsolved.js';
import type {Label} from './labels.js';
import {DAMAGED, type Judge, judgeOf, OPENED, READ, REFUSED} from './search/judge.js';
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
import {type DigitSearch, type Known, MAX_TYPED, type Slip, slipSteps} from './search/slips.js';

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
  const elapsed = () => limits.now() - begin;
  let lastReport = 0;
  const isOver = ({stage, tried} = READING) => {
    const time = limits.now() - begin;
    if (time > limits.budgetMs) return true;
    if (time - lastReport < REPORT_MS) return false;
    lastReport = time;
    limits.onProgress?.(stage, tried, time);
    return false;
  };
  const {payload = '', ciphertexts} = given;
  const length = ciphertexts.reduce((sum, {text}) => sum + text.length, payload.length);
  const isLong = length > MAX_DIAGNOSED_CHARS;
  const clues =
    (isLong ? undefined : yield* stepsInTime(clueSteps(given), isOver))?.result ??
    collectClues({...given, payload: '', ciphertexts: []});
  if (isLong) {
    const findings = [{label: 'other-data', detail: TOO_LONG} as const];
    const base = {tried: 0, elapsedMs: elapsed(), isComplete: true, stages: []};
    return {...base, solved: false, findings, clues};
  }
  const running = {limits, elapsed, isOver};
  const diagnosis = yield* withoutSlip(given, clues, running);
  const type = ownTypeOf(diagnosis, given);
  return type === undefined ? diagnosis : yield* ofType(given, type, running);
}

/** The limits of a diagnosis that runs. */
interface Running {
  readonly limits: Limits;
  readonly elapsed: () => number;
  readonly isOver: (search?: {readonly stage: string; readonly tried: number}) => boolean;
}

function* searchSteps(
  given: DiagnosisCase,
  clues: Clues,
  keys: SearchKeys,
  {limits, elapsed, isOver}: Running,
): Steps<Diagnosis> {
  const whole = [...probesOf(clues, false), ...gappedProbes(clues)];
  const search = new Search([...whole, ...brokenProbes(clues), ...unmarkedProbes(clues)]);
  const ended = yield* stepsInTime(firstFound(search, clues, keys, limits), () => isOver(search));
  const found = ended ? ended.result : (search.partial ?? search.padded);
  const {tried, stages} = search;
  const isComplete = ended !== undefined;
  const base = {tried, elapsedMs: elapsed(), clues, isComplete, stages};
  if (found) {
    const findings = yield* findingsOf(found, given, clues, keys);
    return {...base, solved: true, found, findings};
  }
  yield;
  const findings = findingsWithout(given, clues, keys, search.weak, isComplete);
  return {...base, solved: false, findings};
}

/**
 * What a search finds, or in the payload without its slip: that is looked for first if no terminal reads
 * the payload, else if what was found may come of one.
 */
function* withoutSlip(given: DiagnosisCase, clues: Clues, running: Running): Steps<Diagnosis> {
  const {limits, elapsed, isOver} = running;
  const keys = keysOf(given, clues);
  const judge = judgeOf(given, clues, keys.all);
  const {payload = ''} = given;
  const judged = limits.part || payload.length > MAX_TYPED ? OPENED : judge(payload);
  const isLate = () => elapsed() > limits.budgetMs * SHARE_OF_FIRST;
  const isRefused = judged < READ && !isRepairable(given, clues);
  const isSought = isRefused && !isReadUndone(clues);
  const sought = isSought ? yield* slipInTime(given, judge, isLate) : undefined;
  const isMended = sought?.payload !== undefined && judged !== DAMAGED;
  const first = isMended ? yield* mended(given, sought, running) : undefined;
  if (first) return first;
  const early = isMended ? undefined : sought;
  const isFirstOver: Running['isOver'] = (search) =>
    isOver(search) || (judged === READ && isLate());
  const diagnosis = yield* searchSteps(given, clues, keys, {...running, isOver: isFirstOver});
  const mayBe = (isRefused || judged === READ) && !early && isOfSlip(diagnosis);
  const isPlaced = diagnosis.solved || judged === READ;
  const parts = () => (isPlaced ? keyedParts(diagnosis, payload) : [{from: 0, to: payload.length}]);
  const digits = mayBe && {parts: parts(), isOnly: isSought};
  const late = digits ? yield* slipInTime(given, judge, isOver, digits) : early;
  if (late?.payload !== undefined && (diagnosis.solved || judged !== DAMAGED)) {
    const other = yield* mended(given, late, running);
    // If not the ciphertext changes but what is beside it, that may be wrong in other ways.
    return other && isInCiphertext(diagnosis, other) ? other : diagnosis;
  }
  // What a cut leaves of a field looks as if a character of it was lost.
  const isPart = diagnosis.findings.some(({label}) => label === 'frame-cut');
  return early && judged === REFUSED && !isPart ? withSlip(diagnosis, early) : diagnosis;
}

/**
 * True if a terminal reads the payload, whole, once a notation is undone: how many characters stand
 * together in that, and which ones are no digits, says nothing of a slip.
 */
function isReadUndone({interpretations}: Clues): boolean {
  return interpretations.some(
    (one) => isReading(one) && one.findings.some(({label}) => UNDONE.has(label)),
  );
}

const UNDONE: ReadonlySet<Label> = new Set<Label>([
  ...(['base64', 'hex-of-hex', 'text-encoding', 'text-escaped', 'white-space'] as const),
]);

/**
 * True if the letters themselves, or the frame, say which characters are wrong, lost or extra, or if a
 * terminal that was not named reads the payload.
 */
function isRepairable({payload = ''}: DiagnosisCase, {interpretations, terminals}: Clues): boolean {
  const isRepair = ({label}: Finding) =>
    /^(?:frame-(?:lost|added)|look-alikes$|wrong-type$)/.test(label);
  const isRepaired = interpretations.some(({findings}) => findings.some(isRepair));
  return isRepaired || repairedInterpretations(payload, terminals).length > 0;
}

/** Of the time, what is done first may take so much. */
const SHARE_OF_FIRST = 0.85;

/** True if a ciphertext that was found is another one, of the same length, in the mended payload. */
function isInCiphertext(one: Diagnosis, other: Diagnosis): boolean {
  const [given = [], mended = []] = [one, other].map(({found}) =>
    (found?.probe.interpretation.targets ?? []).map(({ciphertext}) => hexOf(ciphertext)),
  );
  const changed = given.filter((hex) => !mended.includes(hex));
  const isAlike = changed.every((hex) => mended.some(({length}) => length === hex.length));
  return !one.solved || (changed.length > 0 && isAlike);
}

const SETTLES_TYPE: ReadonlySet<Label> = new Set<Label>(['wrong-type', 'decrypts-plainly']);

/** The type whose payload this is, if it decrypts only as that and not as the one that was given. */
function ownTypeOf(
  {found, findings, clues: {terminals}}: Diagnosis,
  {deviceType, payload = '', ksn, iv}: DiagnosisCase,
): string | undefined {
  if (!found || deviceType === undefined || payload.length > MAX_TYPED) return undefined;
  if (findings.some(({label}) => SETTLES_TYPE.has(label))) return undefined;
  const isOf = (type: string) =>
    works({deviceType: type, devicePayload: payload, ksn, iv}, found, terminals);
  return isOf(deviceType) ? undefined : recognise(payload, terminals).find(isOf);
}

/** The diagnosis of the payload as one of its own type, in the time that is left. */
function* ofType(given: DiagnosisCase, deviceType: string, running: Running): Steps<Diagnosis> {
  const diagnosis = yield* again({...given, deviceType}, running);
  const others = diagnosis.findings.filter(({label}) => label !== 'decrypts-plainly');
  return {...diagnosis, findings: ranked([ofOtherType([deviceType], given.deviceType), ...others])};
}

const MIN_MENDED_MS = 20;

/**
 * The diagnosis of the payload without a slip, in the time that is left; undefined if a second read is in
 * it, which a wrong length makes part of the first.
 */
function* mended(given: DiagnosisCase, slip: Slip, running: Running): Steps<Diagnosis | undefined> {
  const {payload = ''} = slip;
  const diagnosis = yield* again({...given, payload}, running);
  const ksn = diagnosis.found?.ksn?.ksn;
  return ksn && hasOtherKsn(payload, ksn) ? undefined : withSlip(diagnosis, slip);
}

/** Another diagnosis in the time that is left. */
function again(given: DiagnosisCase, {limits, elapsed}: Running): Steps<Diagnosis> {
  const budgetMs = Math.max(MIN_MENDED_MS, limits.budgetMs - elapsed());
  return diagnosisSteps(given, {...limits, budgetMs});
}

/** The slip is the first mistake. */
function withSlip(diagnosis: Diagnosis, {detail}: Slip): Diagnosis {
  const findings = ranked([{label: 'payload-mistyped', detail}, ...diagnosis.findings]);
  return {...diagnosis, findings};
}

/** True if no other mistake was found than what a slip looks like in a payload that is still read. */
function isOfSlip({solved, findings}: Diagnosis): boolean {
  if (!solved) return !findings.some(isClosed);
  return findings.every((one) => rankOf(one) !== 'mistake' || OF_SLIPS.has(one.label));
}

const OF_SLIPS: ReadonlySet<Label> = new Set<Label>([
  ...(['data-damaged', 'chain-runs-on', 'iv-missing', 'not-card-data'] as const),
  ...(['masked-copy-differs', 'frame-damaged', 'part-missing'] as const),
]);

function* slipInTime(
  {payload = '', deviceType}: DiagnosisCase,
  judge: Judge,
  isOver: () => boolean,
  digits?: DigitSearch,
): Steps<Slip | undefined> {
  const known: Known = {isOfOneType: deviceType !== undefined};
  yield* stepsInTime(slipSteps({payload, judge, known}, digits), isOver);
  return known.slip;
}

/** Two digits may be transposed across the end of a block. */
const MARGIN = 2;

/**
 * Where a wrong digit keeps a payload that is read from being decrypted: its ciphertexts and KSNs. Of
 * what was found, the damaged blocks, and then the whole ciphertext that has them or does not decrypt,
 * where its hex stands in the payload: not every damaged block is seen in the plaintext.
 */
function keyedParts({found, clues}: Diagnosis, payload: string): Place[] {
  const text = payload.toLowerCase();
  const placed = (hex = '', {from, to} = {from: 0, to: hex.length / 2}) => {
    const begin = text.indexOf(hex.toLowerCase());
    const [first, end] = [begin + 2 * from - MARGIN, begin + 2 * to + MARGIN];
    return hex === '' || begin === -1 ? [] : [{from: first, to: end}];
  };
  if (!found) {
    const read = clues.interpretations.filter(({kind}) => kind === 'reading');
    return read
      .flatMap(({targets}) => targets)
      .flatMap(({ciphertext, ksn}) => [...placed(ksn), ...placed(hexOf(ciphertext))]);
  }
  return found.probe.interpretation.targets.flatMap((target) => {
    const reading = found.opened.find((one) => one.target === target)?.reading;
    const damage = reading ? reading.damage : [];
    const hex = hexOf(target.ciphertext);
    return damage ? [...damage.flatMap((part) => placed(hex, part)), ...placed(hex)] : [];
  });
}

const TOO_LONG = `It has more than ${MAX_DIAGNOSED_CHARS} characters, which no terminal sends, and was not searched: pass the lines with the payload.`;

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

/** A published key that was also given counts as given. */
function keysOf(given: DiagnosisCase, clues: Clues): SearchKeys {
  const written = [...given.writtenKeys, ...clues.keys];
  const seen = new Set<string>();
  const all = [...wholeKeys(written), ...given.keys, ...publishedKeys()].filter(({bytes, kind}) => {
    const id = `${kind === 'component' ? kind : ''}${bytes.join()}`;
    return !seen.has(id) && seen.add(id);
  });
  return {all, written};
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
  for (const stage of part ? [] : usualStages(clues, keys)) {
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
