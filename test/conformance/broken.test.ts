import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {hasMessageId, hasNewMessageId} from '../../src/conformance/rules.js';
import {type Run, runScenarios} from '../../src/conformance/run-scenarios.js';
import type {Expectation, Scenario} from '../../src/conformance/scenario.js';
import {SCENARIOS} from '../../src/conformance/scenarios/index.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {type BrokenServer, type Passing, startBrokenServer} from './broken-server.js';
import {demoRun} from './demo-endpoint.js';

/** One way to break an answer, and which expectations must notice it. */
interface Break {
  readonly name: string;
  readonly concerns: (expect: Expectation) => boolean;
  readonly change: (passing: Passing, expect: Expectation) => void;
}

const edit = (passing: Passing, change: (body: Record<string, unknown>) => void) => {
  const body = JSON.parse(passing.text);
  change(body);
  passing.text = JSON.stringify(body);
};

const BREAKS: readonly Break[] = [
  {
    name: 'refuses what is right, or takes what is wrong',
    concerns: () => true,
    change: (passing, {success}) => {
      passing.status = success ? 400 : 200;
      const messageId = '1234567890123456789012345';
      passing.text = success
        ? JSON.stringify({
            success: false,
            errCode: 1003,
            errMessage: 'Authentication required',
            messageId,
          })
        : JSON.stringify({success: true, messageId});
    },
  },
  {
    name: 'answers no JSON',
    concerns: () => true,
    change: (passing) => {
      passing.text = '<html>';
    },
  },
  {
    name: 'answers another content type',
    concerns: () => true,
    change: (passing) => {
      passing.headers['content-type'] = 'text/html';
    },
  },
  {
    name: 'answers another status',
    concerns: ({status}) => status !== undefined,
    change: (passing) => {
      passing.status = passing.status === 418 ? 419 : 418;
    },
  },
  {
    name: 'answers another errCode',
    concerns: ({errCode}) => errCode !== undefined,
    change: (passing) => edit(passing, (body) => Object.assign(body, {errCode: 9999})),
  },
  {
    name: 'leaves out the message',
    concerns: ({success}) => !success,
    change: (passing) => edit(passing, (body) => delete body.errMessage),
  },
  {
    name: 'leaves out a member',
    concerns: ({members}) => members !== undefined,
    change: (passing, {members = {}}) =>
      edit(passing, (body) => {
        for (const name of Object.keys(members)) delete body[name];
      }),
  },
  {
    name: 'leaves out a header',
    concerns: ({headers}) => headers !== undefined,
    change: (passing, {headers = {}}) => {
      for (const name of Object.keys(headers)) delete passing.headers[name];
    },
  },
  {
    name: 'gives a messageId of 24 digits',
    concerns: ({rules = []}) => rules.includes(hasMessageId),
    change: (passing) => edit(passing, (body) => Object.assign(body, {messageId: '1'.repeat(24)})),
  },
  {
    name: 'repeats a messageId',
    concerns: ({rules = []}) => rules.includes(hasNewMessageId),
    change: (passing) =>
      edit(passing, (body) =>
        Object.assign(body, {messageId: JSON.parse(passing.previous).messageId}),
      ),
  },
  ...readBreaks(),
];

/** What can be wrong with a decrypted read. */
function readBreaks(): Break[] {
  const changes: Record<string, (body: Record<string, Record<string, unknown>>) => void> = {
    'gives another PAN': (body) => Object.assign(body.extracted ?? {}, {PAN: '4999999999999999'}),
    'gives no expiry': (body) => delete body.extracted?.EXPY,
    'gives no device': (body) => delete body.meta?.device,
    'gives an unknown mode': (body) => Object.assign(body.meta ?? {}, {mode: 'contactless'}),
    'counts a track wrongly': (body) => {
      for (const name of TRACKS) Object.assign(body[name] ?? {}, {length: -1});
      if (!TRACKS.some((name) => body[name])) delete body.meta;
    },
    'shows the PAN in a masked copy': (body) => {
      for (const name of TRACKS) Object.assign(body[name] ?? {}, {masked: body[name]?.ascii});
      if (!TRACKS.some((name) => body[name])) delete body.meta;
    },
  };
  return Object.entries(changes).map(([name, change]) => ({
    name,
    concerns: ({rules = []}) => rules.length > 4,
    change: (passing) => edit(passing, (body) => change(body as never)),
  }));
}

const TRACKS = ['track1', 'track2', 'track2equivalent', 'keyed'];

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

const CASES = SCENARIOS.flatMap((scenario) => {
  const expect = lastStep(scenario)?.expect;
  return BREAKS.filter(({concerns}) => expect && concerns(expect)).map((change) => ({
    id: scenario.id,
    scenario,
    name: change.name,
    change,
  }));
});

function lastStep(scenario: Scenario) {
  return scenario.steps(run?.config ?? {payloads: {}}).at(-1);
}

describe('every scenario can fail', () => {
  test.each(CASES)('$id notices a server that $name', async ({scenario, change}) => {
    const steps = scenario.steps(run.config);
    const expectation = steps.at(-1)?.expect ?? {success: true};
    const isEmpty = steps.at(-1)?.body === '';
    broken.arm(isEmpty ? -steps.length : steps.length, (passing) =>
      change.change(passing, expectation),
    );
    const [result] = await runScenarios([scenario], run);
    expect(result?.outcome).toBe('fail');
  });

  test('the server between changes nothing by itself', async () => {
    broken.arm(0, () => {});
    const results = await runScenarios(SCENARIOS, run);
    expect(
      results.filter(({outcome}) => outcome !== 'pass').map(({scenario}) => scenario.id),
    ).toEqual([]);
  });
});
