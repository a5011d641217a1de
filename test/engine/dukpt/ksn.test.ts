import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {keySetId, nextKsn, parseKsn, withCounter} from '../../../src/engine/dukpt/ksn.js';
import {errorOf} from '../error-of.js';

const EXPECTED =
  'expected a KSN of 20 hex digits (16 or 18 without the leading FF; 24 for AES), found ';

function ofLength(length: number): string {
  return '9876543210E00001'.padStart(30, '1').slice(30 - length);
}

describe('parseKsn', () => {
  it.each([
    ['FFFF9876543210E00008', 'FFFF9876543210E00008'],
    ['ffff9876543210e00008', 'FFFF9876543210E00008'],
    ['FFFF 9876 5432 10E0 0008', 'FFFF9876543210E00008'],
    ['\tFFFF9876543210E00008\r\n', 'FFFF9876543210E00008'],
    ['9876543210E00008', 'FFFF9876543210E00008'],
    ['12 9876543210E00008', 'FF129876543210E00008'],
    ['123456789012345600000001', '123456789012345600000001'],
  ])('reads %j as %s', (text, hex) => {
    expect(parseKsn(text).hex).toBe(hex);
  });

  it.each([
    ['9876543210E00008', 0xffff9876 | 0, 0x543210e0],
    ['123456789012345600000001', 0x12345678, 0x90123456 | 0],
  ])('takes the words of %s from the normalised form', (text, left, right) => {
    expect(parseKsn(text)).toMatchObject({left, right});
  });

  it.each([
    ['FFFF9876543210E00008', 'tdes'],
    ['9876543210E00008', 'tdes'],
    ['123456789012345600000001', 'aes'],
  ])('%s belongs to %s DUKPT', (text, scheme) => {
    expect(parseKsn(text).scheme).toBe(scheme);
  });

  it.each([
    ['FFFF9876543210E00008', 8],
    ['FFFF9876543210FFF800', 0x1ff800],
    ['FFFF9876543211000620', 0x620],
    ['6299490119000000000F', 15],
    ['1234567890123456FFFF0000', 0xffff0000],
  ])('the counter of %s is %i', (text, counter) => {
    expect(parseKsn(text).counter).toBe(counter);
  });

  it.each([
    ['FFFF9876543210E00008', 'FFFF9876543210E00000'],
    ['FFFF9876543210FFF800', 'FFFF9876543210E00000'],
    ['6299490119000010000F', '62994901190000000000'],
    ['FFFF9876543213100001', 'FFFF9876543213000000'],
    ['1234567890123456FFFF0000', '123456789012345600000000'],
  ])('the initial KSN of %s is %s', (text, initial) => {
    expect(parseKsn(text, {anyCounter: true}).initial).toBe(initial);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 19, 21, 22, 23, 25, 26])(
    'refuses %i digits with 2400',
    (length) => {
      const {code, detail} = errorOf(() => parseKsn(ofLength(length)));
      expect([code, detail]).toEqual([2400, `${EXPECTED}${length}`]);
    },
  );

  it('refuses 14 digits, naming the fixed-key build', () => {
    const {code, detail} = errorOf(() => parseKsn('63150000000001'));
    expect([code, detail]).toEqual([
      2400,
      `${EXPECTED}14: a serial number without a counter, which indicates fixed-key firmware`,
    ]);
  });

  it.each([
    ['zzzz9876543210E00001', 1],
    ['FFFF9876543210E0000G', 20],
    ['FFFF-9876543210E00001', 5],
    ['0xFFFF9876543210E00001', 2],
    ['FFFF9876543210E0000١', 20],
  ])('refuses %s, naming digit %i', (text, digit) => {
    const {code, detail} = errorOf(() => parseKsn(text));
    expect([code, detail]).toEqual([2400, `${EXPECTED}a non-hex character at digit ${digit}`]);
  });

  it.each(['FFFF9876543210E00000', '9876543210E00000', '123456789012345600000000'])(
    'refuses %s: counter 0',
    (text) => {
      const {code, detail} = errorOf(() => parseKsn(text));
      expect([code, detail]).toEqual([
        2400,
        'expected a transaction counter of 1 or more, found 0: this is the initial KSN of a device',
      ]);
    },
  );

  it.each([
    ['FFFF9876543210FFFFFF', 10, 21],
    ['FFFF9876543210FFFC00', 10, 11],
    ['FFFF9876543210E007FF', 10, 11],
    ['1234567890123456FFFF8000', 16, 17],
    ['1234567890123456FFFFFFFF', 16, 32],
  ])('refuses %s: more than %i set bits', (text, most, bits) => {
    const {code, detail} = errorOf(() => parseKsn(text));
    expect([code, detail]).toEqual([
      2400,
      `expected at most ${most} set bits in the counter, found ${bits}: no conforming terminal sends this KSN`,
    ]);
  });

  it.each(['FFFF9876543210FFF800', 'FFFF9876543210E003FF', '1234567890123456FFFF0000'])(
    'takes %s: as many set bits as there may be',
    (text) => {
      expect(parseKsn(text).hex).toBe(text);
    },
  );

  it.each(['FFFF9876543210E00000', 'FFFF9876543210FFFFFF', '1234567890123456FFFFFFFF'])(
    'takes the impossible counter of %s where that was asked for',
    (text) => {
      expect(parseKsn(text, {anyCounter: true}).hex).toBe(text);
    },
  );

  it('gives a KSN of 20 or 24 digits or 2400 for any text', () => {
    const hex = fc.string({unit: fc.constantFrom(...'0123456789abcdefABCDEF '), maxLength: 30});
    fc.assert(
      fc.property(fc.oneof(hex, fc.string()), (text) => {
        try {
          expect(parseKsn(text).hex).toMatch(/^(?:[0-9A-F]{20}|[0-9A-F]{24})$/);
        } catch (error) {
          expect(error).toMatchObject({name: 'PaylensError', code: 2400});
        }
      }),
      {numRuns: 1000},
    );
  });
});

describe('the KSN of another transaction', () => {
  // X9.24-1:2009, A.3: at most 10 bits are set, X9.24-3:2017, 6.4: at most 16; 0 is the initial KSN.
  it.each([
    ['FFFF9876543210E00000', 'FFFF9876543210E00001'],
    ['FFFF9876543210E003FF', 'FFFF9876543210E00400'],
    ['FFFF9876543210E007FE', 'FFFF9876543210E00800'],
    ['FFFF9876543210E00FFF', 'FFFF9876543210E01000'],
    ['123456789012345600000000', '123456789012345600000001'],
    ['12345678901234560000FFFF', '123456789012345600010000'],
    ['12345678901234560001FFFE', '123456789012345600020000'],
  ])('behind %s is %s', (ksn, next) => {
    expect(nextKsn(ksn)).toBe(next);
  });

  it.each(['FFFF9876543210FFF800', '1234567890123456FFFF0000'])('behind %s is none', (ksn) => {
    expect(errorOf(() => nextKsn(ksn)).code).toBe(2400);
  });

  it('has the counter that is asked for, also of an initial KSN', () => {
    expect(withCounter('FFFF9876543210E00000', 5)).toBe('FFFF9876543210E00005');
    expect(withCounter('FFFF9876543210E00000', 0x100000)).toBe('FFFF9876543210F00000');
    expect(withCounter('1234567890123456FFFFFFFF', 5)).toBe('123456789012345600000005');
  });

  it.each([0, 1.5, 0x200000, 0x7ff])('has no counter of %i', (counter) => {
    expect(errorOf(() => withCounter('FFFF9876543210E00001', counter)).code).toBe(2400);
  });
});

describe('keySetId', () => {
  it('is the first ten digits of the normalised KSN', () => {
    expect(keySetId(parseKsn('9876543210e00008'))).toBe('FFFF987654');
  });
});
