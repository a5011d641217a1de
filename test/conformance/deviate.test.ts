import {afterAll, beforeAll, expect, test} from 'vitest';
import {runScenarios} from '../../src/conformance/run-scenarios.js';
import {SCENARIOS} from '../../src/conformance/scenarios/index.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {type BrokenServer, type Deviation, startBrokenServer} from './broken-server.js';
import {demoRun} from './demo-endpoint.js';
import {DEVIATIONS} from './deviations.js';

let sound: TestServer;
let broken: BrokenServer;
beforeAll(async () => {
  sound = await startServer();
  broken = await startBrokenServer(sound.url);
});
afterAll(async () => {
  await broken.close();
  await sound.close();
});

const idOf = (name: string) => name.split(' ')[0] ?? '';

/** The failed scenarios of a server with these deviations. */
async function failedBy(names: readonly string[], more: Deviation[] = []) {
  broken.deviate([...names.flatMap((name) => DEVIATIONS[name] ?? []), ...more]);
  const results = await runScenarios(SCENARIOS, demoRun(broken.url));
  return results.filter(({outcome}) => outcome === 'fail');
}

// Each of them alone is in broken.test.ts, which takes longer.
test.each([
  ['a messageId of 24 digits hides no wrong mode', ['message-id', 'card-meta']],
  ['a member that is missing hides none that is wrong', ['card-meta', 'card-meta 2', 'card-hex']],
  ['no Digest, and a code that is wrong', ['auth-digest 2', 'code-2003', 'code-1202']],
  [
    'many at once',
    ['reference-51', 'hmac-stale', 'status-405', 'challenges 2', 'members-known 2', 'body-deep'],
  ],
])('%s', async (_, names) => {
  const ids = (await failedBy(names)).map(({scenario}) => scenario.id);
  expect(ids.sort()).toEqual([...new Set(names.map(idOf))].sort());
});

test('all that is wrong in a response is named, with its place', async () => {
  const [failed] = await failedBy(['card-meta', 'card-meta 2']);
  expect(failed).toMatchObject({
    expected: expect.stringMatching(/meta\.serial.*meta\.mode keyed, swiped or emv/),
    received: expect.stringMatching(/contactless \(read-generic and \d+ more\)/),
  });
});

test('a run that is ended reports what it knows, and the others as not run', async () => {
  broken.deviate([DEVIATIONS['message-id'] ?? (() => {})]);
  const controller = new AbortController();
  const run = {...demoRun(broken.url), signal: controller.signal};
  const results = await runScenarios(SCENARIOS, run, ({scenario}) => {
    if (scenario.id === 'reference-50') controller.abort();
  });
  const outcomes = new Map(results.map(({scenario, outcome}) => [scenario.id, outcome]));
  expect([
    outcomes.get('partner-valid'),
    outcomes.get('message-id'),
    outcomes.get('reference-51'),
    outcomes.get('response-json'),
  ]).toEqual(['pass', 'fail', 'not run', 'not run']);
});
