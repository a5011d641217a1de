import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {mergeConfig} from 'vitest/config';
import everything from '../../vitest.config.js';

process.env.TEST_LONG = '1';

/** The files whose cases test/long.ts picks. */
const include = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => path.posix.join('test', ...file.split(path.sep)))
  .filter((file) => /\/long\.js'/.test(readFileSync(file, 'utf8')));

/** Every case of the long tests: by hand or at night, for CI tries a seeded tenth of them. */
export default mergeConfig(
  {...everything, test: {...everything.test, include: []}},
  {test: {include, testTimeout: 3_600_000}},
);
