import {nextTurn} from '#platform';
import {type DiagnosisJson, diagnosisJson} from '../diagnosis/answer/diagnosis-json.js';
import {diagnosisSteps, type Limits} from '../diagnosis/diagnose.js';
import {report} from '../diagnosis/report.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {parseCase} from '../input/case.js';
import type {Steps} from '../input/steps.js';

/** A case whose arguments were checked: its members as JSON, and what JSON cannot say. */
export interface CheckedCase {
  readonly json: string;
  /** Not in the JSON: a text of any length is not to be written and parsed. */
  readonly payload?: string | undefined;
  readonly expected: readonly string[];
  readonly terminals: TerminalSet;
}

/** What is read of an AbortSignal; the runtime's own type is not part of every declaration. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/**
 * Searches for the settings of a case, giving way to other tasks. Rejects with the reason of
 * `abort`, and with PaylensError 2005 for a wrong member.
 */
export async function runDiagnosis(
  {json, payload, expected, terminals}: CheckedCase,
  limits: Omit<Limits, 'now'>,
  abort: AbortSignalLike | undefined,
): Promise<DiagnosisJson> {
  const given = {...parseCase(json, terminals), ...(payload && {payload}), terminals, expected};
  const steps = diagnosisSteps(given, {...limits, now: () => performance.now()});
  return diagnosisJson(report(await inTurns(steps, abort)), true);
}

/** Other tasks wait no longer than this and one step. */
const TURN_MS = 4;

/** The result of `steps`, between which others have a `turn`. Rejects with the reason of `abort`. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  abort: AbortSignalLike | undefined,
  turn: () => Promise<void> = nextTurn,
): Promise<Result> {
  for (let since = performance.now(); ; ) {
    if (abort?.aborted) throw abort.reason;
    const {done, value} = steps.next();
    if (done) return value;
    if (performance.now() - since < TURN_MS) continue;
    await turn();
    since = performance.now();
  }
}
