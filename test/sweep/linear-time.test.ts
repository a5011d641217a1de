import {describe, expect, it} from 'vitest';
import {tenthOf} from '../long.js';
import {sweepEntries} from './entries.js';
import {superLinear} from './measure.js';
import {SWEEP_TEXTS} from './texts.js';

/** A tenth of a tenth in CI: with everything that takes text, one thing in each hundred is tried. */
const texts = tenthOf(
  tenthOf(SWEEP_TEXTS, ({title}) => title),
  ({title}) => `${title} again`,
);

/**
 * No input is expensive: each text at 16 and at 64 KiB, for everything that a stranger's text gets
 * to. Four times the text may cost six times the CPU time.
 */
describe('linear time', async () => {
  const entries = await sweepEntries();

  it.each(texts)('for $title', async (text) => {
    const faults: string[] = [];
    for (const entry of tenthOf(entries, ({name}) => `${text.title} ${name}`)) {
      const fault = await superLinear(entry, text);
      if (fault) faults.push(fault);
    }
    expect(faults).toEqual([]);
  });

  it.each([
    ['an expression that moves', (text: string) => /4+$/.test(text.slice(-text.length / 8))],
    ['a list that is searched', (text: string) => distinct([...Array(text.length >> 3).keys()])],
    // The speed of the machine may swing as much as a square differs at 24 KiB.
  ])('is told from the square of it: %s', {retry: 2}, async (name, run) => {
    const text = {title: name, ofSize: (size: number) => `${'4'.repeat(size - 1)}!`};
    expect(await superLinear({name, run}, text)).toContain(name);
  });

  it.each([
    ['one walk', (text: string) => text.replaceAll(/4/g, (four) => `${four}${four}`).length],
    ['another way for long texts', (text: string) => text.length > 20_000 && distinct([...text])],
  ])('is seen as such: %s', async (name, run) => {
    const text = {title: name, ofSize: (size: number) => '4'.repeat(size)};
    expect(await superLinear({name, run}, text)).toBeUndefined();
  });
});

function distinct<T>(all: readonly T[]): T[] {
  const seen: T[] = [];
  for (const one of all) if (!seen.includes(one)) seen.push(one);
  return seen;
}
