import {readFileSync} from 'node:fs';
import {mergeConfig} from 'vitest/config';
import everything from '../../vitest.config.js';
import {FILES} from './sharing-modules.js';

process.env.TEST_LONG = '1';

/** The files whose cases test/long.ts picks. */
const include = FILES.filter((file) => /\/long\.js'/.test(readFileSync(file, 'utf8')));

/** Every case of the long tests: by hand or at night, for CI tries a seeded tenth of them. */
export default mergeConfig(
  {...everything, test: {...everything.test, include: []}},
  {test: {include, testTimeout: 3_600_000}},
);
