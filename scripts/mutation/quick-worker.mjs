// Runs tests in this process, without Vitest's runner. Every mutant gets fresh modules, of which
// only the changed one is compiled again, and runs only with tests that execute the changed part.
// Tests that replace modules or start processes are left to worker.mjs.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {compileFunction} from 'node:vm';
import {transformSync} from 'rolldown/utils';
import {moduleRunnerTransform} from 'vite';
import {declaredBy, VITEST} from './quick-suite.mjs';

const root = process.cwd();
const TESTS = path.join(root, 'test') + path.sep;
/** What package.json says of `#platform` for Node. */
const PLATFORM = path.join(root, 'src/platform/node/platform.ts');
const compiled = new Map();
/** Names that Vite's transformation uses in place of `import`, `export` and `import.meta`. */
const PARAMETERS = [
  '__vite_ssr_import__',
  '__vite_ssr_dynamic_import__',
  '__vite_ssr_exportName__',
  '__vite_ssr_exportAll__',
  '__vite_ssr_import_meta__',
];

process.on('message', async ({changed, measured, marks, tests}) => {
  const load = loader(changed);
  process.send(measured ? {runs: await measure(load, measured, marks)} : await show(load, tests));
});
process.send({ready: true});

/**
 * For every test that passes: its file, its position there, its duration, and the marks it
 * executed.
 */
async function measure(load, files, marks) {
  const runs = [];
  for (const file of files) {
    globalThis.__ran = new Uint8Array(marks);
    const suite = await attempt(() => load(file));
    if (!suite) console.error(`left to Vitest: ${file}`);
    else runs.push(...(await measureSuite(suite, marks)).map((run) => ({file, ...run})));
  }
  return runs;
}

async function measureSuite({tests, before, after}, marks) {
  const runs = [];
  for (const run of before) await run();
  const atLoad = ranMarks();
  for (const [index, run] of tests.entries()) {
    process.send({alive: true});
    globalThis.__ran = new Uint8Array(marks);
    const begin = performance.now();
    const passed = await attempt(() => run().then(() => true));
    const ms = performance.now() - begin;
    if (!passed) console.error(`left to Vitest: ${run.title}`);
    else runs.push({index, ms, of: tests.length, ran: [...atLoad, ...ranMarks()]});
  }
  for (const run of after) await run();
  return runs;
}

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (process.env.DEBUG) console.error(error);
    return undefined;
  }
}

function ranMarks() {
  return [...globalThis.__ran.keys()].filter((id) => globalThis.__ran[id] === 1);
}

/**
 * Runs `tests`, given as file, positions of the tests in it, and their number; reports whether one
 * fails.
 */
async function show(load, tests) {
  try {
    for (const {file, places, of} of tests) {
      const suite = await load(file);
      for (const run of suite.before) await run();
      const all = suite.tests.length !== of;
      for (const run of all ? suite.tests : places.map((place) => suite.tests[place])) {
        process.send({alive: true});
        await run();
      }
      for (const run of suite.after) await run();
    }
    return {killed: false};
  } catch {
    return {killed: true};
  }
}

/** Loads a test file with fresh helpers, but its imports from `src` only once. */
function loader(changed) {
  const loaded = new Map();
  const load = (file) => {
    if (!loaded.has(file)) loaded.set(file, evaluate(file));
    return loaded.get(file);
  };
  async function evaluate(file) {
    const exports = {};
    const code = changed[path.relative(root, file)];
    const run = await (code === undefined ? compiledFile(file) : compile(file, code));
    const imported = (name) => {
      if (name === 'vitest') return VITEST;
      if (name === '#platform') return load(PLATFORM);
      if (!name.startsWith('.')) return import(name);
      return load(path.resolve(path.dirname(file), name).replace(/\.js$/, '.ts'));
    };
    const add = (name, get) => Object.defineProperty(exports, name, {enumerable: true, get});
    const addAll = (from) => {
      for (const name of Object.keys(from)) if (!(name in exports)) add(name, () => from[name]);
    };
    await run(imported, imported, add, addAll, {url: pathToFileURL(file).href});
    return exports;
  }
  return (test) => {
    for (const file of loaded.keys()) if (file.startsWith(TESTS)) loaded.delete(file);
    return declaredBy(() => load(path.join(root, test)));
  };
}

function compiledFile(file) {
  if (!compiled.has(file)) compiled.set(file, compile(file, readFileSync(file, 'utf8')));
  return compiled.get(file);
}

async function compile(file, text) {
  const {code: script, errors} = transformSync(file, text, {target: 'node20'});
  if (errors.length > 0) throw new SyntaxError(errors[0].message);
  const {code} = await moduleRunnerTransform(script, null, file, script);
  return compileFunction(`'use strict'; return (async () => {${code}\n})();`, PARAMETERS, {
    filename: file,
  });
}
