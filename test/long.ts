import {createHash} from 'node:crypto';

/** `npm run test:long` runs every case of the long tests; every other run a seeded tenth. */
export const IS_LONG = process.env.TEST_LONG === '1';

/** Set by vitest.config.ts, which prints it. `TEST_SEED=... npm run test:all` repeats a run. */
export const TEST_SEED = process.env.TEST_SEED ?? '1';

/**
 * The cases of a long test that this run tries: all of them, or the tenth whose titles have the
 * lowest hashes with the seed, and never fewer than one.
 */
export function tenthOf<T>(cases: readonly T[], title: (one: T, index: number) => string): T[] {
  if (IS_LONG) return [...cases];
  return cases
    .map((one, index) => ({one, index, rank: hash(title(one, index))}))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.ceil(cases.length / 10))
    .sort((a, b) => a.index - b.index)
    .map(({one}) => one);
}

/** Whether this run tries a case of these, without knowing them all: each in a long run. */
export function isInTenth(title: string): boolean {
  return IS_LONG || hash(title) % 10 === 0;
}

/** How often a random test draws: `times` in a long run, a tenth of that in every other one. */
export function draws(times: number): number {
  return IS_LONG ? times : Math.ceil(times / 10);
}

/** The seed of a test that draws its cases, as fast-check takes it. */
export function seedOf(title: string): number {
  return hash(title) | 0;
}

function hash(title: string): number {
  return createHash('sha256').update(`${TEST_SEED} ${title}`).digest().readUInt32BE();
}
