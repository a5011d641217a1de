import {PaylensError} from '../contract/paylens-error.js';
import {Conversation, type Endpoint} from './endpoint.js';
import {isUnreadable, judge, judgeAll} from './judge.js';
import type {Configuration, Heard, Mismatch, Need, Scenario} from './scenario.js';

/** The outcome of one scenario. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly outcome: 'pass' | 'fail' | 'not run';
  /** `not run`: what the configuration lacks. */
  readonly missing?: readonly Need[];
  /** `not run`: the failed scenario whose fault keeps this one from being judged. */
  readonly after?: string;
  /** `fail`: which step, unless it is about all responses, and why. */
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
  /** Ends the run; what was not run is reported so. */
  readonly signal?: AbortSignal;
  /** Called before a scenario is run. */
  readonly begin?: (scenario: Scenario) => void;
}

/**
 * Runs scenarios one after the other, then those that judge all responses, of which one that no
 * response concerns has no result. `report` is called with each result. Throws 9020 if the first
 * scenario cannot reach the endpoint.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  run: Run,
  report: (result: ScenarioResult) => void = () => {},
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const heard: Heard[] = [];
  const add = (result: ScenarioResult) => {
    results.push(result);
    report(result);
  };
  for (const scenario of scenarios.filter(({watch}) => !watch))
    add(afterBasis(await runScenario(scenario, run, {results, heard}), results));
  for (const scenario of scenarios) {
    const faults = scenario.watch && judgeAll(scenario.watch, heard);
    if (!faults) continue;
    const isIncomplete = faults.length === 0 && run.signal?.aborted;
    const outcome = faults.length > 0 ? 'fail' : isIncomplete ? 'not run' : 'pass';
    add({scenario, outcome, ...joined(faults), milliseconds: 0});
  }
  return results;
}

/** What is known so far. */
interface Known {
  readonly results: readonly ScenarioResult[];
  readonly heard: Heard[];
}

async function runScenario(scenario: Scenario, run: Run, known: Known): Promise<ScenarioResult> {
  const missing = scenario.needs.filter((need) => !isGiven(need, run));
  const notRun = {scenario, outcome: 'not run' as const, milliseconds: 0};
  if (missing.length > 0) return {...notRun, missing};
  if (run.signal?.aborted) return notRun;
  run.begin?.(scenario);
  const started = run.elapsed();
  const found = await firstFault(scenario, run, known);
  // A request that was cut off says nothing.
  if (run.signal?.aborted && found) return notRun;
  const milliseconds = run.elapsed() - started;
  if (found && 'after' in found) return {...notRun, ...found, milliseconds};
  return {scenario, outcome: found ? 'fail' : 'pass', ...found, milliseconds};
}

async function firstFault(scenario: Scenario, run: Run, {results, heard}: Known) {
  const conversation = new Conversation(run.endpoint);
  for (const [index, step] of scenario.steps(run.config).entries()) {
    const number = index + 1;
    try {
      const answer = await conversation.speak(step);
      const before = heard.map((other) => other.answer);
      const each = {id: scenario.id, number, step, answer, before};
      heard.push(each);
      const mismatches = judge(each);
      if (mismatches.length > 0) return {step: number, ...joined(mismatches)};
      if (isUnreadable(each)) return {after: 'response-json'};
    } catch (error) {
      if (!(error instanceof PaylensError) || !NO_ANSWER.has(error.code)) throw error;
      const isFirst = number === 1 && results.every(({outcome}) => outcome === 'not run');
      if (isFirst && isUnreachable(error)) throw error;
      return {step: number, expected: 'a response', received: error.detail};
    }
  }
  return undefined;
}

/** Whether no connection was made: nothing listens there, or the certificate was rejected. */
function isUnreachable({cause}: PaylensError): boolean {
  const {code = ''} = (cause ?? {}) as NodeJS.ErrnoException;
  return NO_CONNECTION.has(code) || /CERT|TLS|SSL/.test(code);
}

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No response, or none that can be used. */
const NO_ANSWER = new Set([9020, 9021]);

function joined(mismatches: readonly Mismatch[]): Partial<Mismatch> {
  if (mismatches.length === 0) return {};
  const [expected, received] = (['expected', 'received'] as const).map((name) => [
    ...new Set(mismatches.map((each) => each[name])),
  ]);
  return {expected: expected?.join('; ') ?? '', received: received?.join('; ') ?? ''};
}

/** A result that repeats the fault of a scenario that it builds on is not a finding of its own. */
function afterBasis(result: ScenarioResult, results: readonly ScenarioResult[]): ScenarioResult {
  const {scenario, outcome, expected, received, milliseconds} = result;
  const same = results.find(
    (other) =>
      scenario.basis?.includes(other.scenario.id) &&
      other.expected === expected &&
      other.received === received,
  );
  if (outcome !== 'fail' || !same) return result;
  return {scenario, outcome: 'not run', after: same.scenario.id, milliseconds};
}

function isGiven(need: Need, {config, methods, endpoint}: Run): boolean {
  if (need.startsWith('payload:')) return config.payloads?.[need.slice(8)] !== undefined;
  if (need === 'partnerWithoutHmac') return endpoint.withoutHmac !== undefined;
  if (need === 'device' || need === 'inactiveDevice' || need === 'twoClients') {
    return config[need] !== undefined;
  }
  return methods.has(need);
}
