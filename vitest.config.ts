import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page answers late while the other core is busy.
    expect: {poll: {timeout: 20_000}},
    // Vitest would leave one core idle; many tests wait for processes of their own.
    maxWorkers: '100%',
  },
});
