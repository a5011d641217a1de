import {describe, expect, it} from 'vitest';
import {
  combinedComponents,
  oddParity,
  parityVariants,
  repairedKeys,
  typos,
} from '../../../src/diagnosis/candidates/key-candidates.js';
import type {GivenKey, GivenKind} from '../../../src/input/case.js';
import {TEST_BDK, TEST_IK} from '../../keyfile/sample-keyfile.js';

const given = (hex: string, source = 'key', kind: GivenKind = 'unknown') =>
  ({bytes: new Uint8Array(Buffer.from(hex, 'hex')), source, origin: 'given', kind}) as GivenKey;
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();
const onesIn = (byte: number) => byte.toString(2).replaceAll('0', '').length;

describe('a key with a typo', () => {
  const all = [...typos(given(TEST_BDK), ['bdk'])].map(({bytes}) => hexOf(bytes));

  it('is every key that differs in one digit or the order of two digits or bytes, once, and no other', () => {
    const digits = [...TEST_BDK];
    const swaps = digits.slice(1).filter((digit, i) => digit !== digits[i]);
    // No two neighbouring bytes of this key are equal.
    expect(all).toHaveLength(15 * 32 + swaps.length + 15);
    expect(new Set(all).size).toBe(all.length);
    for (const hex of all) {
      const places = [...digits.keys()].filter((i) => hex[i] !== digits[i]);
      const [first = -1, last = first] = [places[0], places.at(-1)];
      expect([1, 2, 4]).toContain(places.length);
      expect(last - first).toBe(places.length - 1);
    }
  });

  it('is tried in every role asked for', () => {
    const roles = [...typos(given(TEST_BDK), ['bdk', 'ik'])].map(({role}) => role);
    expect(roles.filter((role) => role === 'ik')).toHaveLength(all.length);
    expect(roles).toHaveLength(2 * all.length);
  });
});

describe('odd parity', () => {
  it('changes the last bit of a byte at most, and makes its ones odd', () => {
    const bytes = Uint8Array.from({length: 256}, (_, i) => i);
    oddParity(bytes).forEach((byte, i) => {
      expect([byte >> 1, onesIn(byte) % 2]).toEqual([i >> 1, 1]);
    });
  });

  it('of the right half can be set in 255 other ways', () => {
    const all = [...parityVariants(given(TEST_BDK), 'ik')].map(({bytes}) => hexOf(bytes));
    expect(new Set(all).size).toBe(255);
    for (const hex of all) {
      expect(hex.slice(0, 16)).toBe(TEST_BDK.slice(0, 16));
      expect(hex.replaceAll(/(.)./g, '$1')).toBe(TEST_BDK.replaceAll(/(.)./g, '$1'));
      expect(hex).not.toBe(TEST_BDK);
    }
    expect([...parityVariants(given(TEST_BDK.slice(16)), 'ik')]).toEqual([]);
  });
});

describe('components', () => {
  const parts = ['11', '22', '44'].map((byte, i) => given(byte.repeat(16), `c${i + 1}`));
  const made = (keys: readonly GivenKey[]) =>
    combinedComponents(keys).filter(({role}) => role === 'bdk');

  it('are put together all of them first, then in pairs', () => {
    expect(made(parts).map(({bytes, madeOf}) => [madeOf.join(), hexOf(bytes).slice(0, 2)])).toEqual(
      [
        ['c1,c2,c3', '77'],
        ['c2,c3', '66'],
        ['c1,c3', '55'],
        ['c1,c2', '33'],
      ],
    );
    expect(
      combinedComponents(parts)
        .map(({role}) => role)
        .slice(0, 4),
    ).toEqual([...['bdk', 'ik', 'working', 'transaction']]);
  });

  it('are those that are said to be ones, where two or more are', () => {
    const [a, b, c] = parts as [GivenKey, GivenKey, GivenKey];
    const stated = [a, {...b, kind: 'component' as const}, {...c, kind: 'component' as const}];
    expect(made(stated).map(({madeOf}) => madeOf.join())).toEqual(['c2,c3']);
  });

  it('of other lengths, or the same one twice, make no key', () => {
    expect(made([given(TEST_BDK), given(TEST_BDK.slice(16))])).toEqual([]);
    expect(made([given(TEST_BDK, 'a'), given(TEST_BDK, 'b')])).toEqual([]);
    expect(made([given(TEST_BDK)])).toEqual([]);
  });

  it('are five at most', () => {
    const many = Array.from({length: 7}, (_, i) => given(`0${i + 1}`.repeat(16), `c${i}`));
    expect(made(many)[0]?.madeOf).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  });
});

describe('a key whose bytes were put together wrongly', () => {
  const repaired = (...keys: GivenKey[]) =>
    repairedKeys(keys)
      .filter(({role, adjustIk}) => role === 'bdk' && !adjustIk)
      .map(({change, bytes, madeOf}) => [change, hexOf(bytes), madeOf.join()]);
  const odd = hexOf(oddParity(new Uint8Array(Buffer.from(TEST_IK, 'hex'))));

  it.each<[string, string, readonly (readonly unknown[])[]]>([
    [
      '16 bytes',
      TEST_IK,
      [
        ['key-halves', TEST_IK.slice(16) + TEST_IK.slice(0, 16), 'key'],
        ['key-parity', odd, 'key'],
      ],
    ],
    ['16 bytes of odd parity', odd, [['key-halves', odd.slice(16) + odd.slice(0, 16), 'key']]],
    ['24 bytes', odd + odd.slice(16), [['key-halves', odd, 'key']]],
    [
      '32 bytes',
      odd + odd.slice(16) + odd.slice(0, 16),
      [
        ['key-halves', odd, 'key'],
        ['key-halves', odd.slice(16) + odd.slice(0, 16), 'key'],
      ],
    ],
    ['8 bytes', odd.slice(16), [['key-halves', odd.slice(16).repeat(2), 'key']]],
  ])('of %s', (_, hex, expected) => {
    expect(repaired(given(hex))).toEqual(expected);
  });

  it('is the key whose hex digits were given as hex', () => {
    const hex = Buffer.from(odd, 'latin1').toString('hex');
    expect(repaired(given(hex))).toContainEqual(['hex-as-text', odd, 'key']);
    expect(repaired(given(`${hex.slice(0, -2)}47`)).map(([change]) => change)).not.toContain(
      'hex-as-text',
    );
  });

  it('is two halves that were given apart, in either order', () => {
    const [left, right] = [odd.slice(0, 16), odd.slice(16)];
    const joined = repaired(given(left, 'a'), given(right, 'b')).filter(
      ([, hex]) => hex !== left.repeat(2) && hex !== right.repeat(2),
    );
    expect(joined).toEqual([
      ['key-halves', left + right, 'a,b'],
      ['key-halves', right + left, 'b,a'],
    ]);
  });
});
