import {mergeConfig} from 'vitest/config';
import everything from '../../vitest.config.js';
import {TierReporter} from './tier-reporter.js';

/** What CI runs: everything. */
export default mergeConfig(everything, {
  test: {reporters: ['default', new TierReporter('all')]},
});
