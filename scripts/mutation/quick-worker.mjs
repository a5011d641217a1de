// Runs the tests of a mutant in this process, without Vitest's runner: every mutant gets fresh modules,
// of which only the changed one is compiled anew. For tests that start no process; those that replace
// modules are left to worker.mjs. A hundred times as fast.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {compileFunction} from 'node:vm';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import * as chai from 'chai';
import {transformSync} from 'esbuild';

const root = process.cwd();
const compiled = new Map();

process.on('message', async ({file, code, stages}) => {
  process.send({killed: await fails({[path.join(root, file)]: code}, stages.flat())});
});
process.send({ready: true});

/** Whether a test fails when `changed` stands in place of what the files hold. */
async function fails(changed, tests) {
  const load = loader(changed);
  try {
    for (const test of tests) {
      process.send({alive: true});
      suite = {tests: [], before: [], after: []};
      load(path.join(root, test));
      for (const run of [...suite.before, ...suite.tests, ...suite.after]) await run();
    }
    return false;
  } catch {
    return true;
  }
}

/** Loads a module and all that it imports once. */
function loader(changed) {
  const loaded = new Map([['vitest', {exports: VITEST}]]);
  return function load(file) {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = {exports: {}};
    loaded.set(file, module);
    const native = createRequire(file);
    const run = changed[file] === undefined ? compiledFile(file) : compile(file, changed[file]);
    run(module.exports, module, (name) => {
      if (name === 'vitest') return VITEST;
      if (!name.startsWith('.')) return native(name);
      return load(path.resolve(path.dirname(file), name).replace(/\.js$/, '.ts'));
    });
    return module.exports;
  };
}

function compiledFile(file) {
  if (!compiled.has(file)) compiled.set(file, compile(file, readFileSync(file, 'utf8')));
  return compiled.get(file);
}

function compile(file, text) {
  const {code} = transformSync(text, {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    supported: {'dynamic-import': false},
    define: {'import.meta.url': JSON.stringify(pathToFileURL(file).href)},
    logLevel: 'silent',
  });
  return compileFunction(code, ['exports', 'module', 'require'], {filename: file});
}

let suite;

function it(_name, ...rest) {
  const run = rest.find((one) => typeof one === 'function');
  suite.tests.push(run);
}

function describe(_name, ...rest) {
  rest.find((one) => typeof one === 'function')();
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
}

/** Vitest's expect(), made as its runner makes it. */
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

const VITEST = {
  it,
  test: it,
  describe,
  expect: makeExpect(),
  beforeAll: (run) => suite.before.push(run),
  afterAll: (run) => suite.after.push(run),
};
