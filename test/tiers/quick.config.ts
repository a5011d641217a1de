import {defineConfig} from 'vitest/config';
import LONG from './long-tests.json' with {type: 'json'};
import {sharingModules} from './sharing-modules.js';
import {TierReporter} from './tier-reporter.js';

/** The tests that a newcomer runs: every area, without the longest-running files. */
export default defineConfig({
  test: {
    reporters: ['default', new TierReporter('quick')],
    projects: sharingModules('quick', (file) => !LONG.includes(file)),
  },
});
