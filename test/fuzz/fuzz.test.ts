import {describe, expect, it} from 'vitest';
import {draws} from '../long.js';
import {readCorpus} from './corpus.js';
import {fuzz} from './fuzz.js';
import type {FuzzTarget} from './fuzz-target.js';
import {TARGETS} from './targets/index.js';

/** Executions of each target; `npm run fuzz` is the long run. */
const EACH = process.env.SLOW ? 100_000 : draws(2_000);
/** Always the same mutations, so that a failure comes again. */
const SEED = 20_261_120;

describe('fuzzing', () => {
  it.each(TARGETS.map((target) => [target.name, target] as const))(
    '%s keeps its promises on the corpus and what is made of it',
    {timeout: 3_600_000},
    async (name, target) => {
      const options = {executions: EACH, seed: SEED, corpus: readCorpus(name)};
      expect((await fuzz(target, options)).finding).toBeUndefined();
    },
  );

  it('goes where answers differ, and cuts down the input that breaks a promise', async () => {
    const {finding} = await fuzz(hidden('FA57'), {executions: 50_000, seed: SEED});
    expect(finding).toMatchObject({input: ['FA57'], broken: expect.stringContaining('found')});
  });

  it('finds an answer that is another the second time', async () => {
    let count = 0;
    const target = {...hidden('x'), run: () => ({features: [], answer: count++})};
    const {finding} = await fuzz(target, {executions: 10, seed: SEED});
    expect(finding?.broken).toBe('answers differently the second time');
  });
});

/** Throws where `word` stands, and answers differently for each letter more of it. */
function hidden(word: string): FuzzTarget {
  return {
    name: 'hidden',
    seeds: () => [['0000000000']],
    run: ([text = '']) => {
      if (text.includes(word)) throw new Error('found');
      const known = [...word].findLastIndex((_, i) => text.includes(word.slice(0, i)));
      return {features: [`${known}`], answer: known};
    },
  };
}
