import {readdirSync, readFileSync} from 'node:fs';
import {defineConfig} from 'vitest/config';
import {AREAS} from './areas.mjs';

/** Tests of many cases would be run for every mutant. */
const LONG = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .map((file) => `test/${file}`)
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => /\/long\.js'|reads put together/.test(readFileSync(file, 'utf8')));

/** The tests of one area. */
export default defineConfig({
  test: {
    include: AREAS[process.env.MUTATION_AREA].tests.map((name) =>
      name.replace(/\*\*$/, '**/*.test.ts'),
    ),
    exclude: LONG,
    testTimeout: 60_000,
    watch: false,
  },
});
