import {defineConfig} from 'vitest/config';
import LONG from './long-tests.json' with {type: 'json'};
import {LongestFirst} from './longest-first.js';
import {sharingModules} from './sharing-modules.js';
import {TierReporter} from './tier-reporter.js';

/** What CI runs after `npm test`: the files that take longer. */
export default defineConfig({
  test: {
    reporters: ['default', new TierReporter('rest')],
    sequence: {sequencer: LongestFirst},
    projects: sharingModules('rest', (file) => LONG.includes(file)),
  },
});
