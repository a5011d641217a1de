import {describe, expect, it} from 'vitest';
import {addFill, countedFillStart, type Fill, isFill} from '../../../src/engine/cipher/padding.js';
import {fromHex, toHex} from '../hex.js';

// By the definitions: ISO/IEC 7816-4 (80, then zeros), RFC 5652 section 6.3, ANSI X9.23.
const FILLED = [
  ['zero', '112233', 8, '1122330000000000'],
  ['ff', '112233', 8, '112233FFFFFFFFFF'],
  ['iso7816', '112233', 8, '1122338000000000'],
  ['pkcs7', '112233', 8, '1122330505050505'],
  ['x923', '112233', 8, '1122330000000005'],
  ['zero', '1122334455667788', 8, '1122334455667788'],
  ['ff', '1122334455667788', 8, '1122334455667788'],
  ['iso7816', '1122334455667788', 8, '11223344556677888000000000000000'],
  ['pkcs7', '1122334455667788', 8, '11223344556677880808080808080808'],
  ['x923', '1122334455667788', 8, '11223344556677880000000000000008'],
  ['pkcs7', '112233445566778899', 16, '11223344556677889907070707070707'],
  ['x923', '11223344556677', 8, '1122334455667701'],
  ['iso7816', '11223344556677', 8, '1122334455667780'],
] as const;

describe('a fill', () => {
  it.each(FILLED)('%s makes %s whole blocks of %i bytes: %s', (fill, plain, block, filled) => {
    expect(toHex(addFill(fromHex(plain), fill, block))).toBe(filled);
  });

  it.each(FILLED)('%s behind %s is that one (%i bytes a block)', (fill, plain, _, filled) => {
    expect(isFill(fromHex(filled), plain.length / 2, [fill])).toBe(true);
  });
});

const BEHIND = [
  ['a block of 80 00 behind zeros', '0000008000000000000000', ['iso7816']],
  ['a block of 80 00 of AES behind zeros', `0000${'80'.padEnd(32, '0')}`, ['iso7816']],
  ['80 00 that is no block behind zeros', '00000080000000', []],
  ['a block of 80 00 behind a block of zeros', `${'00'.repeat(8)}8000000000000000`, []],
  ['nothing', '', ['zero', 'ff', 'iso7816', 'pkcs7', 'x923']],
  ['one zero', '00', ['zero']],
  ['zeros', '000000', ['zero']],
  ['zeros and something', '000002', []],
  ['FF', 'FFFF', ['ff']],
  ['FF and something', 'FFFE', []],
  ['80 alone', '80', ['iso7816']],
  ['80 and zeros', '800000', ['iso7816']],
  ['80 and something', '800001', []],
  ['81', '81', []],
  ['01', '01', ['pkcs7', 'x923']],
  ['02 02', '0202', ['pkcs7']],
  ['00 02', '0002', ['x923']],
  ['03 02', '0302', []],
  ['01 02', '0102', []],
  ['02 03 03', '020303', []],
  ['one less than it says', '0303', []],
  ['16 times 10', '10'.repeat(16), ['pkcs7']],
  ['17 times 11', '11'.repeat(17), []],
  ['15 zeros and 10', `${'00'.repeat(15)}10`, ['x923']],
  ['16 zeros and 11', `${'00'.repeat(16)}11`, []],
] as const satisfies readonly (readonly [string, string, readonly Fill[]])[];

describe('what stands behind a text', () => {
  it.each(BEHIND)('%s (%s) is %j', (_, behind, fills) => {
    const bytes = fromHex(`AB${behind}`);
    const found = (['zero', 'ff', 'iso7816', 'pkcs7', 'x923'] as const).filter((fill) =>
      isFill(bytes, 1, [fill]),
    );
    expect(new Set(found)).toEqual(new Set(fills));
  });

  it('may be any fill when none is named', () => {
    const found = BEHIND.filter(([, behind]) => isFill(fromHex(`AB${behind}`), 1));
    expect(found.map(([name]) => name)).toEqual(
      BEHIND.filter(([, , fills]) => fills.length > 0).map(([name]) => name),
    );
  });

  it('is no fill where it begins behind the end', () => {
    expect(isFill(fromHex('AB'), 2)).toBe(false);
  });
});

describe('a fill that says where it begins', () => {
  it.each([
    ['AABB0202', 2],
    ['AABB0002', 2],
    ['AABB01', 2],
    ['AABB8000', 2],
    ['AABB80', 2],
    ['80800000', 1],
    ['8000', 0],
    ['0202', 0],
    ['0002', 0],
    ['AABB', 2],
    ['AABB0000', 4],
    ['AABB03', 3],
    ['AA80BB', 3],
    ['', 0],
  ])('of %s begins at byte %i', (bytes, start) => {
    expect(countedFillStart(fromHex(bytes))).toBe(start);
  });
});
