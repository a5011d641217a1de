import {describe, expect, it} from 'vitest';
import {ksnAt, nextKsn, parseKsn, withCounter} from '../../../src/engine/dukpt/ksn.js';
import {
  counterAfter,
  counterBefore,
  countersNear,
  lastCounter,
} from '../../../src/engine/dukpt/ksn-counter.js';

describe('counterAfter', () => {
  it('visits 1,048,575 counters of TDES DUKPT in all, as X9.24-1 says', () => {
    let visited = 0;
    const last = lastCounter('tdes');
    for (let at = counterAfter(0, 'tdes'); at <= last; at = counterAfter(at, 'tdes')) visited++;
    expect(visited).toBe(1_048_575);
  });

  it.each([
    ['tdes', 0x7fe, 0x800],
    ['tdes', 0x1ff800, 0x200000],
    ['aes', 0x7fffffff, 0x80000000],
    ['aes', 0xfffe8000, 0xffff0000],
    ['aes', 0xffff0000, 0x100000000],
  ] as const)('%s: %i is followed by %i', (scheme, counter, next) => {
    expect(counterAfter(counter, scheme)).toBe(next);
    if (counter !== 0x7fffffff) expect(counterBefore(next, scheme)).toBe(counter);
  });
});

describe('countersNear', () => {
  it('counts as numbers and as terminals do', () => {
    expect(countersNear(0x800, 'tdes', 1).sort()).toEqual([0x7fe, 0x7ff, 0x801]);
  });
});

describe('ksnAt', () => {
  it.each([
    ['FFFF9876543210E00001', 0x1fffff, 'FFFF9876543210FFFFFF'],
    ['FFFF9876543210FFFFFF', 0, 'FFFF9876543210E00000'],
    ['123456789012345600000001', 0xffffffff, '1234567890123456FFFFFFFF'],
    ['FFFF9876543210E00001', -1, undefined],
    ['FFFF9876543210E00001', 0x200000, undefined],
  ])('%s at counter %i', (ksn, counter, expected) => {
    expect(ksnAt(parseKsn(ksn, {anyCounter: true}), counter)?.hex).toBe(expected);
  });
});

describe('nextKsn', () => {
  it('counts up', () => {
    expect(nextKsn('FFFF9876543210E00001')).toBe('FFFF9876543210E00002');
  });

  it('starts at 1', () => {
    expect(nextKsn('FFFF9876543210E00000')).toBe('FFFF9876543210E00001');
  });

  // X9.24-1:2009, A.3: a counter has at most 10 set bits; 0x7FF has 11, and so has 0xBFF.
  it('skips counters with more than 10 bits', () => {
    expect(nextKsn('FFFF9876543210E007FE')).toBe('FFFF9876543210E00800');
    expect(nextKsn('FFFF9876543210E00BFE')).toBe('FFFF9876543210E00C00');
  });

  it('keeps the device part of the KSN when the counter carries into digit 15', () => {
    expect(nextKsn('FFFF9876543210EFFC00')).toBe('FFFF9876543210F00000');
  });

  it('refuses to go beyond the last counter', () => {
    expect(nextKsn('FFFF9876543210FFF400')).toBe('FFFF9876543210FFF800');
    expect(() => nextKsn('FFFF9876543210FFF800')).toThrow(
      expect.objectContaining({code: 2400, detail: 'the transaction counter is exhausted'}),
    );
  });

  it('lets AES counters have 16 bits of 32', () => {
    expect(nextKsn('12345678901234560000FFFE')).toBe('12345678901234560000FFFF');
    expect(nextKsn('12345678901234560001FFFE')).toBe('123456789012345600020000');
    expect(nextKsn('1234567890123456FFFE8000')).toBe('1234567890123456FFFF0000');
    expect(() => nextKsn('1234567890123456FFFF0000')).toThrow(
      expect.objectContaining({code: 2400}),
    );
  });
});

describe('withCounter', () => {
  it('sets the low 21 bits of a TDES KSN', () => {
    expect(withCounter('FFFF9876543210E00001', 0x100000)).toBe('FFFF9876543210F00000');
  });

  it('sets the low 32 bits of an AES KSN', () => {
    expect(withCounter('123456789012345600000001', 16)).toBe('123456789012345600000010');
  });

  it.each([0, -1, 1.5, 2 ** 21, 0x7ff])('refuses %d', (counter) => {
    expect(() => withCounter('FFFF9876543210E00001', counter)).toThrow(
      expect.objectContaining({code: 2400}),
    );
  });
});
