import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {defineConfig} from 'vitest/config';
import everything from '../../vitest.config.js';
import LONG from './long-tests.json' with {type: 'json'};
import {TierReporter} from './tier-reporter.js';

const MOCKING = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => path.posix.join('test', ...file.split(path.sep)))
  .filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

/**
 * The tests that a newcomer runs: every area, without the longest-running files. All others share
 * their modules, which saves a third of the time, except those that replace some.
 */
export default defineConfig({
  test: {
    reporters: ['default', new TierReporter('quick')],
    projects: [
      project('quick', {exclude: ['**/node_modules/**', ...LONG, ...MOCKING], isolate: false}),
      project('mocking', {include: MOCKING.filter((file) => !LONG.includes(file))}),
    ],
  },
});

function project(name: string, options: object) {
  return {test: {...everything.test, name, ...options}};
}
