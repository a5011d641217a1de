import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import LONG from './long-tests.json' with {type: 'json'};
import {LongestFirst} from './longest-first.js';
import {sharingModules} from './sharing-modules.js';
import {TierReporter} from './tier-reporter.js';

/** One more than there are cores: these tests wait for browsers, servers and programs. */
const maxWorkers = availableParallelism() + 1;

/** What CI runs after `npm test`: the files that take longer. */
export default defineConfig({
  test: {
    reporters: ['default', new TierReporter('rest')],
    sequence: {sequencer: LongestFirst},
    projects: sharingModules('rest', (file) => LONG.includes(file), {maxWorkers}),
  },
});
