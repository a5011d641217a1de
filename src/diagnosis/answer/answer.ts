import type {Label} from '../labels.js';
import type {Report} from '../report.js';
import {commandOf, preparationOf} from './command-of.js';

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

/** The longest that a diagnosis takes which nobody asked for, in milliseconds. */
export const ANSWER_MS = 300;

const MAX_FACTS = 3;

/**
 * The answer that a diagnosis gives, masked as it is: with the `hint` of the error if nothing is wrong
 * with what decrypts; undefined if nothing decrypts and no cause is known.
 */
export function answerOf(
  {solved, verdicts, evidence, next}: Report,
  hint: string,
): Answer | undefined {
  const isLate = verdicts.some(({label}) => label === 'out-of-time');
  const [first] = verdicts.filter(
    ({label, rank}) =>
      rank !== 'background' && !SAYS_NOTHING.has(label) && !(isLate && OF_ALL_TRIALS.has(label)),
  );
  if (!first && !solved) return undefined;
  const {label, text = hint, detail} = first ?? {};
  const command = next && (preparationOf(next) ?? commandOf(next));
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
