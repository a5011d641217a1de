import type {Heard, Level, Mismatch, Rule, Scenario, Watch} from './scenario.js';

/** One rule about all responses: page and heading, the responses that it concerns, what they must be. */
export type WatchRow = readonly [
  id: string,
  title: string,
  clause: string,
  concerns: Watch['concerns'],
  rule: Rule,
];

/** A rule about all responses as a scenario of a level. */
export function watchScenario(row: WatchRow, level: Level): Scenario {
  const [id, title, clause, concerns, rule] = row;
  return {id, title, clause, level, needs: [], steps: () => [], watch: {concerns, rule}};
}

/** Whether a response is a JSON object. */
export function isObject({answer}: Heard): boolean {
  return answer.body !== undefined;
}

/** Nothing if it holds, else one mismatch. */
export function must(holds: boolean, expected: string, received: unknown): Mismatch[] {
  const shown = typeof received === 'string' ? received : (JSON.stringify(received) ?? 'nothing');
  return holds ? [] : [{expected, received: shown}];
}

/** Whether it is a string, and of a form. */
export function isText(value: unknown, form = /^/): value is string {
  return typeof value === 'string' && form.test(value);
}

/** The members of an object; of anything else, none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
