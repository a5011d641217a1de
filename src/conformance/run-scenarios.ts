import {PaylensError} from '../contract/paylens-error.js';
import {Conversation, type Endpoint} from './endpoint.js';
import {isUnreachable} from './http.js';
import {judge} from './judge.js';
import type {Configuration, Need, Scenario} from './scenario.js';

/** The outcome of one scenario. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly outcome: 'pass' | 'fail' | 'not run';
  /** `not run`: what the configuration lacks. */
  readonly missing?: readonly Need[];
  /** `fail`: which step, and why. */
  readonly step?: number;
  readonly expected?: string;
  readonly received?: string;
  readonly milliseconds: number;
}

/** The endpoint that scenarios are run against, and the credentials to use. */
export interface Run {
  readonly endpoint: Endpoint;
  readonly config: Configuration;
  /** The methods that the partner may use. */
  readonly methods: ReadonlySet<string>;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

/**
 * Runs scenarios one after the other; `report` is called with each result. Throws 9020 if the
 * first of them cannot reach the endpoint.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  run: Run,
  report: (result: ScenarioResult) => void = () => {},
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    const first = results.every(({outcome}) => outcome === 'not run');
    const result = await runScenario(scenario, run, first);
    results.push(result);
    report(result);
  }
  return results;
}

async function runScenario(scenario: Scenario, run: Run, first: boolean): Promise<ScenarioResult> {
  const missing = scenario.needs.filter((need) => !isGiven(need, run));
  if (missing.length > 0) return {scenario, outcome: 'not run', missing, milliseconds: 0};
  const started = run.elapsed();
  const fault = await firstFault(scenario, run, first);
  const milliseconds = run.elapsed() - started;
  return {scenario, outcome: fault ? 'fail' : 'pass', ...fault, milliseconds};
}

async function firstFault(scenario: Scenario, {endpoint, config}: Run, first: boolean) {
  const conversation = new Conversation(endpoint);
  for (const [index, step] of scenario.steps(config).entries()) {
    const before = [...conversation.answers];
    try {
      const mismatch = judge(await conversation.speak(step), step.expect, before);
      if (mismatch) return {step: index + 1, ...mismatch};
    } catch (error) {
      if (!(error instanceof PaylensError) || !NO_ANSWER.has(error.code)) throw error;
      if (first && before.length === 0 && isUnreachable(error)) throw error;
      return {step: index + 1, expected: 'a response', received: error.detail};
    }
  }
  return undefined;
}

/** No response, or one that is too long. */
const NO_ANSWER = new Set([9020, 9021]);

function isGiven(need: Need, {config, methods, endpoint}: Run): boolean {
  if (need.startsWith('payload:')) return config.payloads?.[need.slice(8)] !== undefined;
  if (need === 'partnerWithoutHmac') return endpoint.withoutHmac !== undefined;
  if (need === 'device' || need === 'inactiveDevice' || need === 'twoClients') {
    return config[need] !== undefined;
  }
  return methods.has(need);
}
