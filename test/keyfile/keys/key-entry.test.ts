import {inspect} from 'node:util';
import {describe, expect, it} from 'vitest';
import {checkKeySet} from '../../../src/keyfile/keys/check-key-set.js';
import {
  algorithmsOf,
  type KeyForm,
  keyEntryFrom,
  keyFormOf,
} from '../../../src/keyfile/keys/key-entry.js';
import {parseKeys} from '../../../src/keyfile/parse-keyfile.js';
import {TEST_BDK, TEST_IK} from '../sample-keyfile.js';

const HEX_24 = `${TEST_BDK}${TEST_BDK.slice(16)}`;
const HEX_32 = `${TEST_BDK}${TEST_BDK}`;

describe('keyEntryFrom', () => {
  it.each<[Partial<KeyForm>, readonly string[]]>([
    [{}, ['tdes', 'aes']],
    [{algorithm: 'tdes'}, ['tdes']],
    [{algorithm: 'aes'}, ['aes']],
    [{hex: HEX_24}, ['aes']],
    [{hex: HEX_32}, ['aes']],
    [{kind: 'ik', ksnPrefix: 'FFFF9876543210E00000'}, ['tdes']],
    [{kind: 'ik', ksnPrefix: '123456789012345600000000'}, ['aes']],
    [{kind: 'kbpk', hex: HEX_24}, ['tdes', 'aes']],
    [{kind: 'working'}, ['tdes', 'aes']],
    [{kind: 'working', hex: TEST_BDK.slice(16)}, ['tdes']],
    [{kind: 'working', hex: HEX_24, ksnPrefix: 'FFFF9876543210E00001'}, ['tdes', 'aes']],
    [{kind: 'working', hex: HEX_32}, ['aes']],
  ])('lets %o serve %j', (changes, algorithms) => {
    expect(algorithmsOf(key(changes))).toEqual(algorithms);
  });

  it('names no algorithm where both are possible', () => {
    expect(key({})).not.toHaveProperty('algorithm');
    expect(key({algorithm: 'tdes'})).toHaveProperty('algorithm', 'tdes');
  });

  it.each<[Partial<KeyForm>, string]>([
    [{hex: ''}, 'hex: expected whole bytes, found 0 hex digits'],
    [{hex: TEST_BDK.slice(1)}, 'hex: expected whole bytes, found 31 hex digits'],
    [{hex: `${TEST_BDK.slice(2)}zz`}, 'hex: expected hex digits, found a non-hex character at 30'],
    [{hex: TEST_BDK.slice(16)}, 'hex: expected 16, 24 or 32 bytes for a bdk, found 8'],
    [{hex: HEX_24, algorithm: 'tdes'}, 'hex: expected 16 bytes for a tdes bdk, found 24'],
    [
      {hex: TEST_BDK.slice(16), kind: 'kbpk'},
      'hex: expected 16, 24 or 32 bytes for a kbpk, found 8',
    ],
    [{ksnPrefix: 'F'}, 'ksnPrefix: expected 2 to 16 hex digits for a BDK, found 1 character'],
    [{ksnPrefix: ''}, 'ksnPrefix: expected 2 to 16 hex digits for a BDK, found 0 characters'],
    [
      {ksnPrefix: 'FFFF9876543210E00'},
      'ksnPrefix: expected 2 to 16 hex digits for a BDK, found 17 characters',
    ],
    [
      {ksnPrefix: 'FFFFG'},
      'ksnPrefix: expected 2 to 16 hex digits for a BDK, found a non-hex character at digit 5',
    ],
    [
      {kind: 'ik'},
      'ksnPrefix: expected 14 to 16 hex digits or the initial KSN (20 or 24) for an IK, found none',
    ],
    [
      {kind: 'ik', ksnPrefix: 'FFFF987654321'},
      'ksnPrefix: expected 14 to 16 hex digits or the initial KSN (20 or 24) for an IK, found 13 characters',
    ],
    [
      {kind: 'ik', algorithm: 'aes', ksnPrefix: 'FFFF9876543210E00000'},
      'ksnPrefix: expected an initial KSN of 24 digits for aes, found 20',
    ],
    [
      {kind: 'working', ksnPrefix: 'FFFF9876543210E00'},
      'ksnPrefix: expected 2 to 16 hex digits or a whole KSN (20 or 24) for a working key, found 17 characters',
    ],
    [
      {kind: 'working', hex: TEST_BDK.slice(2)},
      'hex: expected 8, 16, 24 or 32 bytes for a working key, found 15',
    ],
    [{kind: 'kbpk', ksnPrefix: 'FFFF'}, 'ksnPrefix: expected none for a KBPK, found 4 characters'],
  ])('refuses %o with 9015', (changes, detail) => {
    expect(() => key(changes)).toThrow(
      expect.objectContaining({code: 9015, detail: `keys[0]: ${detail}`}),
    );
  });

  it.each([
    ['ffff9876543210e00001', 'FFFF9876543210E00000'],
    ['FFFF9876543210FFFFFF', 'FFFF9876543210E00000'],
    ['0000000000000012ABCDEF01', '000000000000001200000000'],
    ['ffff9876543210', 'FFFF9876543210'],
    ['FFFF 9876 5432 10E0', 'FFFF9876543210E0'],
  ])('stores the prefix %s of an ik as %s', (ksnPrefix, stored) => {
    expect(key({kind: 'ik', ksnPrefix}).ksnPrefix).toBe(stored);
  });

  it('stores the KSN of a working key with its counter', () => {
    const ksnPrefix = 'ffff9876543210e00001';
    expect(key({kind: 'working', ksnPrefix}).ksnPrefix).toBe(ksnPrefix.toUpperCase());
  });

  const LENGTHS = Array.from({length: 40}, (_, length) => length);
  it.each<[KeyForm['kind'], KeyForm['algorithm'], readonly number[]]>([
    ['bdk', 'tdes', [16]],
    ['bdk', 'aes', [16, 24, 32]],
    ['ik', 'tdes', [16]],
    ['ik', 'aes', [16, 24, 32]],
    ['kbpk', 'tdes', [16, 24]],
    ['kbpk', 'aes', [16, 24, 32]],
    ['working', 'tdes', [8, 16, 24]],
    ['working', 'aes', [16, 24, 32]],
    ['working', undefined, [8, 16, 24, 32]],
    ['bdk', undefined, [16, 24, 32]],
    ['ik', undefined, [16, 24, 32]],
    ['kbpk', undefined, [16, 24, 32]],
  ])('takes a %s for %s of %j bytes alone', (kind, algorithm, allowed) => {
    const prefix = kind === 'ik' ? {ksnPrefix: 'FFFF9876543210'} : {};
    const isTaken = (length: number) => {
      try {
        return key({kind, algorithm, hex: 'AB'.repeat(length), ...prefix}).secret.length === length;
      } catch (error) {
        expect(error).toMatchObject({code: 9015});
        return false;
      }
    };
    expect(LENGTHS.filter(isTaken)).toEqual(allowed);
  });

  it.each<[Partial<KeyForm>, string]>([
    [{kind: 'kbpk', algorithm: 'aes'}, 'found a kbpk'],
    [{kind: 'working', algorithm: 'aes'}, 'found a working key'],
    [{kind: 'bdk', algorithm: 'tdes'}, 'found a tdes key'],
  ])('refuses compatibility of %o with 9015', (changes, found) => {
    const detail = `keys[0]: compatibility: expected an AES BDK or IK, ${found}`;
    expect(() => key({...changes, compatibility: true})).toThrow(
      expect.objectContaining({code: 9015, detail}),
    );
  });

  it('gives the JSON form back', () => {
    const form = {
      name: 'n',
      kind: 'bdk',
      algorithm: 'aes',
      hex: TEST_BDK,
      compatibility: true,
    } as const;
    expect(keyFormOf(key(form))).toEqual(form);
  });

  it('does not print its bytes', () => {
    expect(inspect(key({}), {depth: 5}) + JSON.stringify(key({}))).not.toContain('0123');
  });
});

describe('checkKeySet', () => {
  it.each<[string, Partial<KeyForm>, Partial<KeyForm>]>([
    ['another prefix', {ksnPrefix: 'FFFF'}, {ksnPrefix: 'FFFF98'}],
    ['another kind', {ksnPrefix: 'FFFF9876543210'}, {kind: 'ik', ksnPrefix: 'FFFF9876543210'}],
    ['another algorithm', {algorithm: 'tdes'}, {algorithm: 'aes'}],
    ['kbpks of other names', {kind: 'kbpk', name: 'a'}, {kind: 'kbpk', name: 'b'}],
    ['a kbpk without a name beside one with', {kind: 'kbpk'}, {kind: 'kbpk', name: 'b'}],
    ['a kbpk with a name before one without', {kind: 'kbpk', name: 'b'}, {kind: 'kbpk'}],
  ])('lets two keys stand with %s', (_, first, second) => {
    expect(() => checkKeySet([key(first), key(second)])).not.toThrow();
  });

  it.each<[string, Partial<KeyForm>, Partial<KeyForm>, string]>([
    [
      'same name',
      {name: 'a', ksnPrefix: 'AA'},
      {name: 'a', ksnPrefix: 'BB'},
      'key 2: the name "a" is already taken by key 1',
    ],
    [
      'same prefix',
      {ksnPrefix: 'ffff'},
      {ksnPrefix: 'FFFF'},
      'key 2: bdk for KSN FFFF.. is already taken by key 1',
    ],
    [
      'two kbpks without a name',
      {kind: 'kbpk'},
      {kind: 'kbpk', hex: TEST_IK},
      'key 2: the slot of the unnamed KBPK is already taken by key 1',
    ],
    [
      'same prefix, one without algorithm',
      {algorithm: 'aes'},
      {},
      'key 2: bdk for every KSN is already taken by key 1',
    ],
    [
      'same prefix, the second for TDES alone',
      {ksnPrefix: 'FFFF'},
      {ksnPrefix: 'FFFF', algorithm: 'tdes'},
      'key 2: bdk for KSN FFFF.. is already taken by key 1',
    ],
  ])('refuses %s with 9015', (_, first, second, detail) => {
    const check = () => checkKeySet([key(first), key(second)]);
    expect(check).toThrow(expect.objectContaining({code: 9015, detail}));
  });
});

describe('parseKeys', () => {
  it('takes the form of `keys` in samples', async () => {
    const keys = await parseKeys([
      {kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF987654'},
      {kind: 'ik', hex: TEST_IK, ksnPrefix: 'FFFF9876543210'},
    ]);
    expect(keys.map(({kind, ksnPrefix}) => [kind, ksnPrefix])).toEqual([
      ['bdk', 'FFFF987654'],
      ['ik', 'FFFF9876543210'],
    ]);
  });

  it('names every entry at fault in one error', async () => {
    const forms = [
      {kind: 'bdk', hex: TEST_BDK},
      {kind: 'bdk', hex: 'AB'},
      {kind: 'zmk', hex: TEST_BDK},
      {kind: 'bdk', hex: TEST_BDK, ksnprefix: 'FFFF'},
      'text',
    ];
    const error: Error = await parseKeys(forms).then(
      () => new Error('none'),
      (e) => e,
    );
    expect(error).toMatchObject({code: 9015});
    for (const where of ['key 2: hex', 'key 3: kind', 'key 4', 'key 5']) {
      expect(error.message).toContain(where);
    }
    expect(error.message).not.toContain('key 1');
    expect(error.message).not.toContain(TEST_BDK.slice(0, 6));
  });

  it('refuses what is no array with 9015', async () => {
    await expect(parseKeys({kind: 'bdk'})).rejects.toMatchObject({code: 9015});
  });
});

function key(changes: Partial<KeyForm>) {
  return keyEntryFrom({kind: 'bdk', hex: TEST_BDK, ...changes}, 'keys[0]');
}
