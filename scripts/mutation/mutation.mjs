// npm run mutation -- AREA [--seed N] [--count N] [--only FILE] [--again FILE] [--tests PATH]
//
// Selects mutants of an area with a seed that it prints, and runs the area's tests on each: first
// the quick tests that execute the changed part, in one process, then on the survivors the slow
// tests, with Vitest in a copy of the repository. Prints every survivor, and the share of killable
// mutants that were killed; exits with code 1 if it is below 90 %. Takes minutes and is not part of
// CI.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {AREAS, LONG} from './areas.mjs';
import {mutantsOf} from './mutants.mjs';
import {selectionFrom} from './selection.mjs';
import {TestRunner} from './test-runner.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'test',
  'samples',
  'bin',
  'dist',
  'docs',
  'scripts',
  'deploy',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'package.json',
  'package-lock.json',
  'oclif.manifest.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const GOAL = 0.9;

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    count: {type: 'string', default: '150'},
    again: {type: 'string', default: ''},
    only: {type: 'string', default: ''},
    tests: {type: 'string', default: ''},
    quick: {type: 'boolean', default: false},
    jobs: {type: 'string', default: '2'},
  },
});
const [name = ''] = positionals;
const area = AREAS[name] && {quick: [], slow: [], ...AREAS[name]};
if (!area) {
  console.error(`Expected an area: ${Object.keys(AREAS).join(', ')}`);
  process.exit(2);
}
const texts = new Map();
const allTests = filesBelow('test', '.test.ts').filter(
  (file) => file.includes(values.tests) && !LONG.includes(path.basename(file, '.test.ts')),
);

async function main() {
  const all = area.src.flatMap(sources).filter((file) => file.includes(values.only));
  const mutants = all.flatMap((file) => mutantsOf(file, textOf(file)));
  const drawn = values.again
    ? named(mutants, readFileSync(values.again, 'utf8').split('\n'))
    : draw(mutants, Number(values.count), Number(values.seed));
  console.log(
    `${name}: ${drawn.length} of ${mutants.length} mutants in ${all.length} files, seed ${values.seed}`,
  );
  const copies = Array.from({length: Number(values.jobs)}, copyTree);
  try {
    report(await outcomesOf(drawn, copies));
  } finally {
    for (const copy of copies) rmSync(copy, {recursive: true, force: true});
  }
}

function sources(prefix) {
  return statSync(path.join(root, prefix)).isFile() ? [prefix] : filesBelow(prefix, '.ts');
}

function filesBelow(folder, ending) {
  return readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith(ending) && !isForPeople(file))
    .map((file) => path.posix.join(folder, file))
    .sort();
}

/** True for the description of a terminal, which is text for people. */
function isForPeople(file) {
  return path.basename(file) === 'about.ts';
}

/** Mutants printed by an earlier run; a random selection differs once the source has changed. */
function named(mutants, labels) {
  const wanted = new Set(labels.map((label) => label.replace(/^\w+: (?=src\/)/, '')));
  return mutants.filter((mutant) => wanted.has(labelOf(mutant)));
}

/**
 * `test/x/*` means the tests directly in that folder, anything else all tests whose path begins
 * with it; with `--tests` only those whose path contains that text.
 */
function testsOf(prefixes) {
  return prefixes.flatMap((prefix) =>
    allTests.filter((file) =>
      prefix.endsWith('/*')
        ? path.posix.dirname(file) === prefix.slice(0, -2)
        : file.startsWith(prefix),
    ),
  );
}

/** `count` elements of `list`, the same for the same seed, in list order. */
function draw(list, count, seed) {
  const ranked = list.map((one, i) => ({
    one,
    i,
    rank: createHash('sha256').update(`${seed}:${i}`).digest('hex'),
  }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked
    .slice(0, count)
    .sort((a, b) => a.i - b.i)
    .map(({one}) => one);
}

function copyTree() {
  const copy = mkdtempSync(path.join(tmpdir(), 'paylens-mutation-'));
  for (const entry of COPIED)
    cpSync(path.join(root, entry), path.join(copy, entry), {recursive: true});
  // Hard links: a build through a symbolic link does not find its packages.
  const {status} = spawnSync('cp', ['-al', path.join(root, 'node_modules'), copy]);
  if (status !== 0)
    cpSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), {recursive: true});
  return copy;
}

/** Runs the quick tests on every mutant, and the slow ones on the survivors. */
async function outcomesOf(drawn, copies) {
  const results = drawn.map((mutant) => ({mutant, fate: 'survived'}));
  const isSlow = !values.quick && [...slowTests('').stages, slowTests('').alone].flat().length > 0;
  for (const judge of [area.quick.length > 0 && quickJudge, isSlow && slowJudge].filter(Boolean)) {
    const left = results.filter(({fate}) => fate === 'survived');
    if (left.length === 0) break;
    const queue = left.values();
    await Promise.all(copies.map(async (copy) => tryAll(queue, await judge(copy))));
    process.stderr.write('\n');
  }
  return results;
}

async function tryAll(queue, {runner, mutationOf}) {
  for (const result of queue) {
    result.fate = await runner.fateOf(mutationOf(result.mutant));
    process.stderr.write(
      result.fate === 'killed' ? '.' : `\n${result.fate}: ${labelOf(result.mutant)}\n`,
    );
  }
  runner.stop();
}

/** Judges mutants by the tests that run in one process. */
async function quickJudge(copy) {
  const runner = new TestRunner(copy, 'quick-worker.mjs');
  const tests = testsOf(area.quick).filter((test) => !replacesModules(test));
  const sourceFiles = area.src.flatMap(sources).map((file) => [file, textOf(file)]);
  const {slowestMs, testsOf: chosenFor} = await selectionFrom(runner, sourceFiles, tests);
  runner.longestMs = 20_000 + 10 * slowestMs;
  const mutationOf = (mutant) => ({
    changed: {[mutant.file]: mutated(mutant)},
    tests: chosenFor(mutant),
  });
  return {runner, mutationOf};
}

/** Judges mutants by the tests that Vitest must run. */
async function slowJudge(copy) {
  const runner = new TestRunner(copy, 'worker.mjs');
  const mutationOf = (mutant) => ({
    file: mutant.file,
    original: textOf(mutant.file),
    code: mutated(mutant),
    ...slowTests(mutant.file),
  });
  const [file = ''] = area.src.flatMap(sources);
  if ((await runner.fateOf(mutationOf({file, start: 0, end: 0, to: ''}))) !== 'survived')
    throw new Error('the tests fail before anything is mutated');
  return {runner, mutationOf};
}

function mutated({file, start, end, to}) {
  const text = textOf(file);
  return text.slice(0, start) + to + text.slice(end);
}

/** Slow tests, those named after the file first. */
function slowTests(file) {
  const namesake = path.basename(file, '.ts');
  const tests = testsOf(area.slow);
  const first = tests.filter((test) => path.basename(test).startsWith(namesake));
  const stages = [first, tests.filter((test) => !first.includes(test))];
  return {
    stages: stages.map((some) => some.filter((test) => !replacesModules(test))),
    alone: testsOf([...area.quick, ...area.slow]).filter(replacesModules),
    build: area.build === true,
  };
}

/** Modules are loaded once for all tests, so tests that replace modules run separately. */
function replacesModules(test) {
  return textOf(test).includes('vi.mock(');
}

/**
 * The text of a file when the run began: a run takes minutes, and the file may be edited meanwhile.
 */
function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(path.join(root, file), 'utf8'));
  return texts.get(file);
}

function report(results) {
  const equivalent = new Set(
    JSON.parse(readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8')).map(
      ({mutant}) => mutant,
    ),
  );
  const survivors = results.filter(({fate}) => fate === 'survived').map(({mutant}) => mutant);
  const timeouts = results.filter(({fate}) => fate === 'timeout').length;
  const open = survivors.filter((mutant) => !equivalent.has(labelOf(mutant)));
  for (const mutant of open) console.log(labelOf(mutant));
  const able = results.length - (survivors.length - open.length);
  const share = (able - open.length) / able;
  console.log(
    `${able - open.length} of ${able} killed, of these ${timeouts} by timeout (${(100 * share).toFixed(1)} %), ${survivors.length - open.length} equivalent`,
  );
  process.exitCode = share >= GOAL ? 0 : 1;
}

/**
 * Names a mutant by the text of its line, so that the name survives changes elsewhere in the file.
 */
function labelOf({file, start, end, from, to}) {
  const code = textOf(file);
  const lineStart = code.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = code.indexOf('\n', end);
  const line =
    code.slice(lineStart, start) +
    `[${from} => ${to}]` +
    code.slice(end, lineEnd < 0 ? code.length : lineEnd);
  return `${file}: ${line.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`;
}

await main();
