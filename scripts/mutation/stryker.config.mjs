// `npm run mutation -- AREA`: StrykerJS with the tests of one area.
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {AREAS} from './areas.mjs';

const name = process.env.MUTATION_AREA;
const area = AREAS[name];
if (!area) throw new Error(`MUTATION_AREA is one of ${Object.keys(AREAS).join(', ')}`);

/** `MUTATION_LINES=60` mutates that many lines of the area, drawn by TEST_SEED, instead of all. */
const lines = Number(process.env.MUTATION_LINES ?? 0);

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: {configFile: 'scripts/mutation/vitest.config.mjs', related: false},
  mutate: lines > 0 ? drawn(lines) : area.src.map(typescript),
  // Texts for people are not tested word by word.
  mutator: {excludedMutations: ['StringLiteral']},
  // Stryker would rewrite our configuration with a compiler API that TypeScript 7 does not have.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  dryRunTimeoutMinutes: 30,
  concurrency: 2,
  thresholds: {high: 95, low: 90, break: 85},
  reporters: ['clear-text', 'json'],
  jsonReporter: {fileName: `node_modules/.cache/mutation/${name}.json`},
  tempDirName: 'node_modules/.cache/stryker',
  clearTextReporter: {allowColor: false, reportTests: false},
};

function typescript(files) {
  return files.replace(/\*\*$/, '**/*.ts');
}

function drawn(count) {
  return sourceFiles()
    .flatMap((file) => codeLines(file).map((line) => `${file}:${line}-${line}`))
    .map((place) => [
      createHash('sha256')
        .update(process.env.TEST_SEED + place)
        .digest('hex'),
      place,
    ])
    .sort()
    .slice(0, count)
    .map(([, place]) => place);
}

/** The files of the area: each of its patterns is a file, or a beginning that `*` or `**` continues. */
function sourceFiles() {
  const begins = area.src.map((pattern) => pattern.replace(/\*+$/, ''));
  return readdirSync('src', {recursive: true, encoding: 'utf8'})
    .map((file) => path.posix.join('src', ...file.split(path.sep)))
    .filter((file) => file.endsWith('.ts') && begins.some((begin) => file.startsWith(begin)))
    .filter((file) => !begins.some((begin) => begin[0] === '!' && file.startsWith(begin.slice(1))));
}

/** Numbers of the lines that can hold a mutant: no comments, imports or brackets alone. */
function codeLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, i) => (/^\s*(?:\/\*|\*|\/\/|import |[\])}]*[,;]?$)/.test(text) ? [] : [i + 1]));
}
