import type {ScenarioResult} from '../../conformance/run-scenarios.js';
import type {Scenario} from '../../conformance/scenario.js';
import {foreignText} from '../output/foreign-text.js';
import type {Layout} from '../output/layout/layout.js';
import {type Cell, table} from '../output/layout/table.js';
import {colors} from '../output/output.js';

/** How many scenarios passed, failed and were not run. */
export interface VerifyTally {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
}

export function tallyOf(results: readonly ScenarioResult[]): VerifyTally {
  const count = (outcome: ScenarioResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {passed: count('pass'), failed: count('fail'), notRun: count('not run')};
}

/**
 * The results for people: outcome, scenario, clause, and what was expected and received. The
 * scenarios that were not run are only counted, by what the configuration lacks.
 */
export function verifyTable(results: readonly ScenarioResult[]): Layout {
  const notRun = results.filter(({outcome}) => outcome === 'not run');
  const needs = new Map<string, number>();
  for (const {missing: [need = ''] = []} of notRun) needs.set(need, (needs.get(need) ?? 0) + 1);
  const rows: Cell[][] = results
    .filter(({outcome}) => outcome !== 'not run')
    .map((result) => {
      const {scenario, outcome} = result;
      return [MARKS[outcome], scenario.id, scenario.title, scenario.clause, whyOf(result)];
    });
  for (const [need, count] of needs) {
    const scenarios = `${count} ${count === 1 ? 'scenario' : 'scenarios'}`;
    const why = `not in the configuration: ${need}`;
    rows.push([MARKS['not run'], scenarios, 'see --list', '', why]);
  }
  return table(['', 'scenario', 'rule', 'clause', 'expected and received'], rows);
}

const MARKS = {
  pass: {text: '✓', paint: colors.green},
  fail: {text: '✗ fail', paint: colors.red},
  'not run': {text: 'not run', paint: colors.yellow},
};

/** Why a scenario did not pass, for people; empty when it did. */
export function whyOf({outcome, missing, expected, received, step}: ScenarioResult): string {
  if (outcome === 'not run') return `not in the configuration: ${missing?.join(', ')}`;
  if (outcome === 'pass') return '';
  return `step ${step}: expected ${expected}\nreceived ${foreignText(received ?? '')}`;
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
      ({scenario, outcome, missing, step, expected, received, milliseconds}) => ({
        ...headOf(scenario),
        outcome,
        ...(missing && {missing}),
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
