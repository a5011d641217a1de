import type {ScenarioResult} from '../../conformance/run-scenarios.js';
import type {Scenario} from '../../conformance/scenario.js';
import {foreignText} from '../output/foreign-text.js';
import {hanging, indented, type Layout, stack} from '../output/layout/layout.js';
import {UNLIMITED} from '../output/layout/text-width.js';
import {colors} from '../output/output.js';
import {printable, printableLines} from '../output/terminal-text.js';

/** How many scenarios passed, failed and were not run. */
export function tallyOf(results: readonly ScenarioResult[]) {
  const count = (outcome: ScenarioResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {passed: count('pass'), failed: count('fail'), notRun: count('not run')};
}

/** Whether a scenario was not run for another reason than a failure of which there is a result. */
export function isLeftOut({outcome, after}: ScenarioResult): boolean {
  return outcome === 'not run' && after === undefined;
}

/**
 * One result for people: on a terminal a line, and below it why it failed; elsewhere one line of
 * outcome, scenario, rule, clause, and why.
 */
export function verifyLines(result: ScenarioResult): Layout {
  const {outcome, scenario} = result;
  const {id, title, clause} = scenario;
  const why = whyOf(result);
  const {mark, paint} = MARKS[outcome];
  return (width) => {
    if (width === UNLIMITED) return [outcome, id, title, clause, why].map(oneLine).join('\t');
    const head = hanging(2, `${mark} ${id}  ${title}`)(width).replace(mark, () => paint(mark));
    if (why === '') return head;
    return stack(head, indented(2, `${clause}\n${printableLines(why)}`))(width);
  };
}

const MARKS = {
  pass: {mark: '✓', paint: colors.green},
  fail: {mark: '✗', paint: colors.red},
  'not run': {mark: '-', paint: colors.yellow},
};

function oneLine(text: string): string {
  return printable(text.replaceAll('\n', '; '));
}

/** How many scenarios were not run, by what the configuration lacks. */
export function missingLines(results: readonly ScenarioResult[]): readonly string[] {
  const needs = new Map<string, number>();
  for (const {missing: [need] = []} of results)
    if (need !== undefined) needs.set(need, (needs.get(need) ?? 0) + 1);
  return [...needs].map(([need, count]) => {
    const scenarios = `${count} ${count === 1 ? 'scenario' : 'scenarios'}`;
    return `- ${scenarios} not run: not in the configuration: ${need}`;
  });
}

/** Why a scenario did not pass, for people; empty when it did. */
export function whyOf(result: ScenarioResult): string {
  const {outcome, missing, after, expected, received, step} = result;
  if (outcome === 'pass') return '';
  if (missing) return `not in the configuration: ${missing.join(', ')}`;
  if (after !== undefined) return `cannot be judged while ${after} fails`;
  if (outcome === 'not run') return 'interrupted';
  const place = step === undefined ? '' : `step ${step}: `;
  return `${place}expected ${expected}\nreceived ${foreignText(received ?? '')}`;
}

/** The distinct needs of the scenarios that were not run. */
export function missingNeeds(results: readonly ScenarioResult[]): readonly string[] {
  return [...new Set(results.flatMap(({missing = []}) => missing))];
}

/** The results for programs. */
export function verifyJson(results: readonly ScenarioResult[]): object {
  return {
    ...tallyOf(results),
    scenarios: results.map(
      ({scenario, outcome, missing, after, step, expected, received, milliseconds}) => ({
        ...headOf(scenario),
        outcome,
        ...(missing && {missing}),
        ...(after !== undefined && {after}),
        ...(outcome === 'fail' && {step, expected, received}),
        milliseconds: Math.round(milliseconds * 10) / 10,
      }),
    ),
  };
}

/** Description of a scenario for `--list`. */
export function headOf({id, title, clause, level, needs}: Scenario) {
  return {id, title, clause, level, needs};
}
