import {afterAll, beforeAll, expect, test} from 'vitest';
import {runScenarios, type ScenarioResult} from '../../src/conformance/run-scenarios.js';
import {SCENARIOS} from '../../src/conformance/scenarios/index.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {demoRun} from './demo-endpoint.js';

let server: TestServer;
let results: ReadonlyMap<string, ScenarioResult>;

beforeAll(async () => {
  server = await startServer();
  const list = await runScenarios(SCENARIOS, demoRun(server.url));
  results = new Map(list.map((result) => [result.scenario.id, result]));
});
afterAll(() => server.close());

test.each(SCENARIOS)('the demo server passes $id: $title', ({id}) => {
  const {outcome, expected, received, missing} = results.get(id) ?? {};
  expect({outcome, expected, received, missing}).toEqual({outcome: 'pass'});
});

test('ids are unique', () => {
  expect(results.size).toBe(SCENARIOS.length);
});
