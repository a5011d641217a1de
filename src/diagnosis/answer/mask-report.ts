import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';
import type {NextStep} from '../findings/next-step.js';
import type {Plaintext, Report, Solution, Verdict} from '../report.js';
import {holdsClearCard} from './holds-clear-card.js';

/**
 * A report as it may be shown unasked: sentences without card numbers, names without any long number,
 * and a next command without a payload that holds clear card data. Plaintexts are masked where they
 * are shown.
 */
export function maskReport(report: Report, terminals?: TerminalSet): Report {
  const {verdicts, solution, evidence, plaintexts, next, excluded} = report;
  return {
    ...report,
    verdicts: verdicts.map(
      (one): Verdict =>
        one.detail === undefined ? one : {...one, detail: redactCardNumbers(one.detail)},
    ),
    ...(solution ? {solution: maskSolution(solution)} : {}),
    evidence: evidence.map(redactCardNumbers),
    plaintexts: plaintexts.map((one): Plaintext => ({...one, name: maskUnknown(one.name)})),
    ...(next ? {next: maskNext(next, terminals)} : {}),
    excluded: excluded.map(redactCardNumbers),
  };
}

function maskSolution(solution: Solution): Solution {
  const {form, key} = solution;
  return {
    ...solution,
    form: redactCardNumbers(form),
    key: {...key, source: redactCardNumbers(key.source)},
  };
}

/** A payload with asterisks in it would not decrypt, so the command reads it from stdin. */
function maskNext(next: NextStep, terminals: TerminalSet | undefined): NextStep {
  if (next.given?.input || !holdsClearCard(next.request, terminals)) return next;
  const {devicePayload, ...holds} = next.request;
  const input = {words: ['-'], holds: {}};
  return {
    ...next,
    request: {...holds, devicePayload: ''},
    given: {keyfile: [], ...next.given, input},
  };
}
