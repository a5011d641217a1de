import {describe, expect, it} from 'vitest';
import {nextKsn, withCounter} from '../../src/simulator/ksn-counter.js';

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

  it('visits 1,048,575 counters in all, as the standard says', () => {
    let visited = 0;
    let counter = 0;
    while (counter < 2 ** 21) {
      counter++;
      while (counter.toString(2).replaceAll('0', '').length > 10) counter += counter & -counter;
      if (counter < 2 ** 21) visited++;
    }
    expect(visited).toBe(1_048_575);
  });

  it('keeps the device part of the KSN when the counter carries into digit 15', () => {
    expect(nextKsn('FFFF9876543210EFFC00')).toBe('FFFF9876543210F00000');
  });

  it('refuses to go beyond the last counter', () => {
    expect(nextKsn('FFFF9876543210FFF400')).toBe('FFFF9876543210FFF800');
    expect(() => nextKsn('FFFF9876543210FFF800')).toThrow(
      expect.objectContaining({code: 2400, detail: 'the transaction counter is used up'}),
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
