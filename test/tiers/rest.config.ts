import {mergeConfig} from 'vitest/config';
import everything from '../../vitest.config.js';
import LONG from './long-tests.json' with {type: 'json'};
import {LongestFirst} from './longest-first.js';
import {TierReporter} from './tier-reporter.js';

/** What CI runs after `npm test`: the files that take longer. */
export default mergeConfig(
  {...everything, test: {...everything.test, include: []}},
  {
    test: {
      include: LONG,
      reporters: ['default', new TierReporter('rest')],
      sequence: {sequencer: LongestFirst},
    },
  },
);
