import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {Tally} from '../../../src/cli/batch/tally.js';

let now = 0;
beforeEach(() => {
  now = 5000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function answered(lines: number, failures: Record<number, number> = {}) {
  return {bytes: new Uint8Array(), lines, failures, firsts: {}, traces: []};
}

describe('the summary of a batch', () => {
  it.each([
    [0, '0 lines, none failed; 2.0 s, 0 lines/s'],
    [1, '1 line, none failed; 2.0 s, 1 lines/s'],
    [999, '999 lines, none failed; 2.0 s, 500 lines/s'],
    [2_000, '2,000 lines, none failed; 2.0 s, 1,000 lines/s'],
    [1_234_568, '1,234,568 lines, none failed; 2.0 s, 617,284 lines/s'],
  ])('of %i lines in two seconds', (lines, expected) => {
    const tally = new Tally();
    tally.add(answered(lines));
    now += 2000;
    expect(tally.summary()).toBe(expected);
  });

  it('counts failures over all blocks, by code in order', () => {
    const tally = new Tally();
    tally.add(answered(5, {2400: 1, 2004: 2}));
    tally.add(answered(1500, {2400: 1499}));
    now += 500;
    expect(tally.failed).toBe(1502);
    expect(tally.summary()).toBe(
      '1,505 lines, 1,502 failed (2004: 2, 2400: 1,500); 0.5 s, 3,010 lines/s',
    );
  });
});

describe('the progress of a batch', () => {
  it.each([
    [0, '0 %  7 lines, 3 failed'],
    [100, '10 %  7 lines, 3 failed'],
    [499, '49 %  7 lines, 3 failed'],
    [1000, '100 %  7 lines, 3 failed'],
    [2000, '100 %  7 lines, 3 failed'],
  ])('after %i of 1000 bytes', (read, expected) => {
    const tally = new Tally(1000);
    tally.add(answered(7, {2004: 3}));
    tally.read = read;
    expect(tally.progress()).toBe(expected);
  });

  it.each([undefined, 0])('of an input of size %s is the lines alone', (size) => {
    const tally = new Tally(size);
    tally.add(answered(1200));
    expect(tally.progress()).toBe('1,200 lines, 0 failed');
  });

  it('begins with nothing read', () => {
    expect(new Tally(2).progress()).toBe('0 %  0 lines, 0 failed');
  });

  it('is first due a tenth of a second after the process began', () => {
    now = 99;
    const tally = new Tally();
    expect(tally.isDue()).toBe(false);
    now = 100;
    expect(tally.isDue()).toBe(true);
  });

  it('is due at most ten times a second', () => {
    const tally = new Tally();
    const due = [0, 1, 98, 1, 99, 1, 500].map((later) => {
      now += later;
      return tally.isDue();
    });
    expect(due).toEqual([true, false, false, true, false, true, true]);
  });
});
