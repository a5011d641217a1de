// `npm run mutation -- AREA`: StrykerJS with the tests of one area.
import {AREAS} from './areas.mjs';

const name = process.env.MUTATION_AREA;
const area = AREAS[name];
if (!area) throw new Error(`MUTATION_AREA is one of ${Object.keys(AREAS).join(', ')}`);

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: {configFile: 'scripts/mutation/vitest.config.mjs', related: false},
  mutate: area.src.map((files) => files.replace(/\*\*$/, '**/*.ts')),
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
