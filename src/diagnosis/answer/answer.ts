import {ERROR_CATALOGUE} from '../../contract/error-catalogue.js';
import type {PaylensError} from '../../contract/paylens-error.js';
import type {DiagnosisCase} from '../../input/case.js';
import type {Steps} from '../../input/steps.js';
import {diagnosisSteps} from '../diagnose.js';
import {LABELS, type Label} from '../labels.js';
import {type Report, report} from '../report.js';
import {commandOf, isUnshown, preparationOf} from './command-of.js';
import {maskReport} from './mask-report.js';

/** Why something failed: one cause, what proves it, and what to run next. */
export interface Answer {
  /** Of the diagnosis; absent if the error itself says the cause. */
  readonly label?: Label;
  /** Sentences: what is wrong, and where. */
  readonly cause: string;
  /** Facts about the plaintext; none if nothing decrypts. */
  readonly evidence: readonly string[];
  /** A command. */
  readonly next?: string;
}

/** A failure, and what its diagnosis is given. */
export interface Failure {
  readonly error: Pick<PaylensError, 'code' | 'hint' | 'fault'>;
  readonly given: DiagnosisCase;
  /** Whether there were keys, the published ones included. */
  readonly hasKeys: boolean;
  /** Puts the next command in the words that the user used; absent: the payload literally, or from stdin. */
  readonly inWords?: (found: Report) => Report;
  /** The command that searches for longer, and shows what cannot be given to `command`. */
  readonly search: string;
  /** What the user wants of the payload: `decrypt` unless given. */
  readonly command?: 'inspect' | undefined;
  /** The longest that its diagnosis takes, in milliseconds: 300 unless nobody waits for it. */
  readonly budgetMs?: number;
}

const ANSWER_MS = 300;

/**
 * What a short diagnosis by the clock `now` finds out about a payload that failed: the cause, its
 * evidence and the next command, masked. The cause is the hint of the error if it finds no other.
 */
export function* answerSteps(failure: Failure, now: () => number): Steps<Answer> {
  const {error, given, hasKeys, inWords = (found) => found, search, budgetMs = ANSWER_MS} = failure;
  const {command} = failure;
  const {code, hint, fault} = error;
  const found = report(yield* diagnosisSteps(given, {budgetMs, now}));
  const shown = maskReport(inWords(found), given.terminals);
  // Where a digit was lost, how the rest decrypts and what stands around it is no cause.
  const isOdd = fault?.kind === 'half-byte';
  // Nor is a missing key or KSN, where the payload was not even read.
  const isRefused = given.deviceType !== undefined && !found.solved && OF_FORM.has(code);
  // What is said of this payload is more than that no key fits, and than how it is encrypted.
  const isSpecific = fault !== undefined || hint !== ERROR_CATALOGUE[code].hint;
  const isBytes = isOdd || isRefused;
  const isMistake = isBytes || isSpecific || OF_REQUEST.has(code);
  const answer = answerOf(isMistake ? mistakes(shown, isBytes) : shown, hint, command);
  const isNamed = answer?.label === 'payload-mistyped';
  const known = found.solved || !isSpecific || isNamed ? answer : undefined;
  const {next = search, ...why} = known ?? {cause: hint, evidence: []};
  // If keys were given, it is said which one is missing: how the payload decrypts is no cause.
  const isMissing = code === 2600 && hasKeys;
  return isMissing ? {cause: hint, evidence: [], next} : {...why, next};
}

/** Whether the type that was given is wrong, so that no further command repeats it. */
export function isOfOtherType({fault}: PaylensError): boolean {
  return fault?.kind === 'setting' && fault.setting === 'deviceType' && fault.is === 'wrong';
}

/** A serial number or KSN beside the payload is wrong, whatever its encryption. */
const OF_REQUEST: ReadonlySet<number> = new Set([2103, 2400]);
const OF_FORM: ReadonlySet<number> = new Set([2100, 2101, 2102]);

/** With the mistakes alone; `isBytes`: with those in its bytes alone. */
function mistakes(found: Report, isBytes: boolean): Report {
  const verdicts = found.verdicts.filter(({label, rank}) => {
    return rank === 'mistake' && (!isBytes || LABELS[label].subject.startsWith('bytes'));
  });
  return {...found, verdicts};
}

const MAX_FACTS = 3;

/** With the `hint` if what decrypts is right; undefined if nothing decrypts and no cause is known. */
function answerOf(
  {solved, verdicts, evidence, next}: Report,
  hint: string,
  wanted: Failure['command'],
): Answer | undefined {
  const isLate = verdicts.some(({label}) => label === 'out-of-time');
  const [first] = verdicts.filter(
    ({label, rank}) =>
      rank !== 'background' && !SAYS_NOTHING.has(label) && !(isLate && OF_ALL_TRIALS.has(label)),
  );
  if (!first && !solved) return undefined;
  const {label, text = hint, detail} = first ?? {};
  const command =
    next && !isUnshown(next)
      ? ((wanted ? undefined : preparationOf(next)) ?? commandOf(next, wanted))
      : undefined;
  return {
    ...(label && {label}),
    cause: detail === undefined ? text : `${text} ${detail}`,
    evidence: solved ? [...new Set(evidence)].slice(0, MAX_FACTS) : [],
    ...(command === undefined ? {} : {next: command}),
  };
}

/** Known only when everything was tried. */
const OF_ALL_TRIALS: ReadonlySet<Label> = new Set<Label>([
  ...(['wrong-key', 'no-key', 'component-missing', 'other-data'] as const),
]);

/** Never why something failed. */
const SAYS_NOTHING: ReadonlySet<Label> = new Set<Label>(['out-of-time', 'decrypts-plainly']);
