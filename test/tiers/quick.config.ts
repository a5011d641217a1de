import {mergeConfig} from 'vitest/config';
import everything from '../../vitest.config.js';
import LONG from './long-tests.json' with {type: 'json'};
import {TierReporter} from './tier-reporter.js';

/** What a newcomer runs: every area, without the files that take longest. */
export default mergeConfig(everything, {
  test: {exclude: Object.keys(LONG), reporters: ['default', new TierReporter('quick')]},
});
