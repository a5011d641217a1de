import {type DiagnosisJson, diagnosisJson} from '../diagnosis/answer/diagnosis-json.js';
import {diagnosisSteps, type Limits} from '../diagnosis/diagnose.js';
import {report} from '../diagnosis/report.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {parseCase} from '../input/case.js';
import {type AbortSignalLike, inTurns} from '../input/steps.js';

/** A case whose arguments were checked: its members as JSON, and what JSON cannot say. */
export interface CheckedCase {
  readonly json: string;
  /** Not in the JSON: a text of any length is not to be written and parsed. */
  readonly payload?: string | undefined;
  readonly expected: readonly string[];
  readonly terminals: TerminalSet;
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
