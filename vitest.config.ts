import {randomInt} from 'node:crypto';
import {defineConfig} from 'vitest/config';

/** Picks the tenth of the long tests that this run tries (test/long.ts). */
process.env.TEST_SEED ??= String(randomInt(1_000_000));
console.log(`TEST_SEED=${process.env.TEST_SEED}`);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page answers late while the other core is busy.
    expect: {poll: {timeout: 20_000}},
    // Vitest would leave one core idle. More at once take as long, and tests that measure fail.
    maxWorkers: '100%',
    // Room for what one test makes: moving it would count as the time of the code that is measured.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=128'],
  },
});
