import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Run, runScenarios} from '../../src/conformance/run-scenarios.js';
import {SCENARIOS} from '../../src/conformance/scenarios/index.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {tenthOf} from '../long.js';
import {type BrokenServer, type Deviation, startBrokenServer} from './broken-server.js';
import {demoRun} from './demo-endpoint.js';
import {DEVIATIONS, joinsChallenges} from './deviations.js';

let sound: TestServer;
let broken: BrokenServer;
let run: Run;

beforeAll(async () => {
  sound = await startServer();
  broken = await startBrokenServer(sound.url);
  run = demoRun(broken.url);
});
afterAll(async () => {
  await broken.close();
  await sound.close();
});

/** The ids of the scenarios that fail for a server with these deviations. */
async function failing(
  deviations: readonly Deviation[],
  scenarios: typeof SCENARIOS = SCENARIOS,
): Promise<string[]> {
  broken.deviate(deviations);
  const results = await runScenarios(scenarios, run);
  return results
    .filter(({outcome}) => outcome === 'fail')
    .map(({scenario}) => scenario.id)
    .sort();
}

const NAMES = Object.keys(DEVIATIONS);
const idOf = (name: string) => name.split(' ')[0] ?? '';

test('there is a deviating server for every rule', () => {
  expect(new Set(NAMES.map(idOf))).toEqual(new Set(SCENARIOS.map(({id}) => id)));
});

test('the server between changes nothing by itself, nor by challenges in one header', async () => {
  expect(await failing([])).toEqual([]);
  expect(await failing([joinsChallenges])).toEqual([]);
});

test('text around its JSON keeps nothing else from being judged', async () => {
  const deviation = DEVIATIONS['response-json 4'];
  broken.deviate(deviation ? [deviation] : []);
  const results = await runScenarios(SCENARIOS, run);
  const others = results.filter(({scenario}) => scenario.id !== 'response-json');
  expect(others.filter(({outcome}) => outcome !== 'pass')).toEqual([]);
});

/** With these all scenarios are run, as with all in a long run. */
const whole = new Set(tenthOf(NAMES, (name) => name));

describe('a server that breaks one rule fails its scenario, and no other', () => {
  test.each(NAMES)('%s', async (name) => {
    const deviation = DEVIATIONS[name];
    const own = SCENARIOS.filter(({id}) => id === idOf(name));
    // One without steps judges the responses to all others.
    const isWhole = whole.has(name) || own.some(({watch}) => watch);
    const scenarios = isWhole ? SCENARIOS : own;
    expect(await failing(deviation ? [deviation] : [], scenarios)).toEqual([idOf(name)]);
  });
});
