// The parts of Vitest that most tests need, without its runner.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import {fn, restoreAllMocks, spyOn} from '@vitest/spy';
import * as chai from 'chai';

let suite;
let hooks;

/** The tests declared while `load` loads a test file, in order, and the hooks around them. */
export async function declaredBy(load) {
  hooks = {before: [], after: []};
  suite = {tests: [], before: [], after: []};
  await load();
  return suite;
}

function it(title, ...rest) {
  const run = rest.find((one) => typeof one === 'function');
  const {before, after} = hooks;
  const whole = async () => {
    for (const hook of before) await hook();
    try {
      await run({});
    } finally {
      for (const hook of after) await hook();
    }
  };
  suite.tests.push(Object.assign(whole, {title}));
}

function describe(_name, ...rest) {
  const outer = hooks;
  hooks = {before: [...outer.before], after: [...outer.after]};
  rest.find((one) => typeof one === 'function')();
  hooks = outer;
}

for (const block of [it, describe]) {
  block.each =
    (cases) =>
    (name, ...rest) => {
      const run = rest.find((one) => typeof one === 'function');
      for (const one of cases) {
        block(name, () => run(...(Array.isArray(one) ? one : [one])));
      }
    };
  block.skipIf = (isSkipped) => (isSkipped ? SKIPPED : block);
}
const SKIPPED = Object.assign(() => {}, {each: () => () => {}});

const stubbed = new Map();

const vi = {
  fn,
  spyOn,
  restoreAllMocks,
  stubEnv: (name, value) => {
    if (!stubbed.has(name)) stubbed.set(name, process.env[name]);
    setEnv(name, value);
  },
  unstubAllEnvs: () => {
    for (const [name, value] of stubbed) setEnv(name, value);
    stubbed.clear();
  },
};

function setEnv(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** Vitest's expect(), created as its runner creates it. */
function makeExpect() {
  const expect = (value, message) => chai.expect(value, message);
  globalThis[GLOBAL_EXPECT] = expect;
  for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
  Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
  expect.getState = () => getState(expect);
  expect.setState = (state) => setState(state, expect);
  expect.setState({assertionCalls: 0, isExpectingAssertions: false, environment: 'node'});
  return expect;
}

export const VITEST = {
  it,
  test: it,
  describe,
  vi,
  expect: makeExpect(),
  beforeAll: (run) => suite.before.push(run),
  afterAll: (run) => suite.after.push(run),
  beforeEach: (run) => hooks.before.push(run),
  afterEach: (run) => hooks.after.push(run),
};
