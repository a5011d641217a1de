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
 * The results for people: outcome, scenario, clause, and what was expected and received. Those that
 * were not run for want of the same share a row.
 */
export function verifyTable(results: readonly ScenarioResult[]): Layout {
  const run = results.filter(({outcome}) => outcome !== 'not run').map(resultRow);
  const rows = [...run, ...notRunRows(results)];
  return table(['', 'scenario', 'rule', 'clause', 'expected and received'], rows);
}

function resultRow(result: ScenarioResult): Cell[] {
  const {scenario, outcome} = result;
  return [MARKS[outcome], scenario.id, scenario.title, scenario.clause, whyOf(result)];
}

function notRunRows(results: readonly ScenarioResult[]): Cell[][] {
  const alike = new Map<string, ScenarioResult[]>();
  for (const result of results) {
    const [need] = result.missing ?? [];
    if (need !== undefined) alike.set(need, [...(alike.get(need) ?? []), result]);
  }
  return [...alike].map(([need, [first, ...more]]) =>
    first && more.length === 0 ? resultRow(first) : commonRow(need, alike.get(need) ?? []),
  );
}

/** For those whose first need is the same; some may have more of them. */
function commonRow(need: string, results: readonly ScenarioResult[]): Cell[] {
  const others = new Set(results.flatMap(({missing = []}) => missing.slice(1)));
  const also = others.size > 0 ? `, some of them also ${[...others].join(', ')}` : '';
  const why = `not in the configuration: ${need}${also}`;
  return [MARKS['not run'], `${results.length} scenarios`, 'see --list', '', why];
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

/** What the configuration lacks for the scenarios that were not run, each named once. */
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
