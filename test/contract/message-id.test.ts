import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createMessageIds} from '../../src/contract/message-id.js';

const INSTANT = Date.UTC(2016, 6, 1, 0, 23, 57, 999);

describe('createMessageIds', () => {
  it('gives 1, UTC date and time, the draw and a counter', () => {
    const next = createMessageIds({now: () => INSTANT, draw: 10337});
    expect([next(), next()]).toEqual(['1201607010023571033700000', '1201607010023571033700001']);
  });

  it('begins the counter anew with each second', () => {
    let now = INSTANT;
    const next = createMessageIds({now: () => now, draw: 0});
    next();
    now += 1000;
    expect(next()).toBe('1201607010023580000000000');
  });

  it('runs on into the next second after 100,000 ids in one', () => {
    const next = createMessageIds({now: () => INSTANT, draw: 0});
    for (let i = 0; i < 100_000; i++) next();
    expect(next()).toBe('1201607010023580000000000');
  });

  it('fills a small draw up to five digits', () => {
    expect(createMessageIds({now: () => INSTANT, draw: 7})().slice(15, 20)).toBe('00007');
  });

  it.each([-1, 100_000, 0.5, Number.NaN])('refuses the draw %d', (draw) => {
    expect(() => createMessageIds({now: () => INSTANT, draw})).toThrow('five digits');
  });

  it('never repeats and never goes back, however the clock steps', () => {
    const steps = fc.array(fc.integer({min: -100_000, max: 100_000}), {maxLength: 200});
    fc.assert(
      fc.property(steps, (milliseconds) => {
        let now = INSTANT;
        const next = createMessageIds({now: () => now, draw: 54321});
        let last = next();
        for (const step of milliseconds) {
          now += step;
          const id = next();
          expect(id).toMatch(/^1\d{24}$/);
          expect(id > last).toBe(true);
          last = id;
        }
      }),
    );
  });
});
