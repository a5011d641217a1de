import {mergeConfig} from 'vitest/config';
import everything from '../../vitest.config.js';
import {TierReporter} from './tier-reporter.js';

/** Everything in one run. */
export default mergeConfig(everything, {
  test: {reporters: ['default', new TierReporter('all')]},
});
