import {describe, expect, it} from 'vitest';
import {exportKeyBlocks} from '../../../src/keyfile/key-blocks/export-key-blocks.js';
import {blocksOfLines, openImport} from '../../../src/keyfile/key-blocks/import-keys.js';
import {type KeyForm, keyEntryFrom, keyFormOf} from '../../../src/keyfile/keys/key-entry.js';
import {openIndependently} from '../independent-key-block.js';
import {TEST_BDK, TEST_IK} from '../sample-keyfile.js';

const KEK_16 = '89E88CF7931444F334BD7547FC3F380C';
const KEK_24 = `${KEK_16}A1B2C3D4E5F60718`;
const KEK_32 = KEK_16 + TEST_IK;

const TDES_BDK: KeyForm = {kind: 'bdk', algorithm: 'tdes', hex: TEST_BDK, ksnPrefix: 'FFFF987654'};
const AES_BDK: KeyForm = {kind: 'bdk', algorithm: 'aes', hex: KEK_16, ksnPrefix: '12345678'};
const IK: KeyForm = {
  kind: 'ik',
  algorithm: 'tdes',
  hex: TEST_IK,
  ksnPrefix: 'FFFF9876543210E00000',
};

function kbpk(hex: string, algorithm: 'tdes' | 'aes', name = 'transport'): KeyForm {
  return {kind: 'kbpk', name, algorithm, hex};
}

function entriesOf(forms: readonly KeyForm[]) {
  return forms.map((form, index) => keyEntryFrom(form, `keys[${index}]`));
}

function exported(forms: readonly KeyForm[], options: object = {}) {
  const random = (length: number) => new Uint8Array(length).fill(0x5c);
  return exportKeyBlocks(entriesOf(forms), {random, ...options});
}

function detailOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    const {code, detail} = error as {code: number; detail: string};
    return `${code} ${detail}`;
  }
  return 'no error';
}

describe('exportKeyBlocks', () => {
  it.each([
    ['B', 'tdes', KEK_16],
    ['B', 'tdes', KEK_24],
    ['D', 'aes', KEK_16],
    ['D', 'aes', KEK_24],
    ['D', 'aes', KEK_32],
  ] as const)('writes version %s under a KBPK of %s: %s', (version, algorithm, hex) => {
    const {forms} = exported([kbpk(hex, algorithm), TDES_BDK]);
    const {header, optional, key, macHolds} = openIndependently(forms[0]?.keyBlock ?? '', hex);
    expect(header.slice(0, 1) + header.slice(5, 12)).toBe(`${version}B0TX00E`);
    expect(optional).toMatchObject({KS: 'FFFF987654', KC: '0008D7B4'});
    expect({key, macHolds}).toEqual({key: TEST_BDK, macHolds: true});
  });

  it.each([
    ['T', TEST_BDK, '08D7B4'],
    ['D', TEST_BDK.slice(16), 'A68CDC'],
  ])('writes a working key as usage D0, algorithm %s', (algorithm, hex, kcv) => {
    const ksnPrefix = 'FFFF9876543210E00001';
    const forms = [
      kbpk(KEK_32, 'aes'),
      {kind: 'working', algorithm: 'tdes', hex, ksnPrefix},
    ] as const;
    const [{keyBlock = ''} = {}] = exported(forms).forms;
    const {header, optional, key, macHolds} = openIndependently(keyBlock, KEK_32);
    expect(header.slice(5, 9)).toBe(`D0${algorithm}B`);
    expect(optional).toMatchObject({KS: ksnPrefix, KC: `00${kcv}`});
    expect({key, macHolds}).toEqual({key: hex, macHolds: true});
    const {keys} = openImport(blocksOfLines([keyBlock]), entriesOf(forms), undefined);
    expect(keys.map(keyFormOf)).toEqual([forms[1]]);
  });

  it('writes an AES BDK as algorithm A', () => {
    const {forms} = exported([kbpk(KEK_32, 'aes'), AES_BDK]);
    const opened = openIndependently(forms[0]?.keyBlock ?? '', KEK_32);
    expect([opened.header.slice(5, 9), opened.key]).toEqual(['B0AX', KEK_16]);
  });

  it.each([
    ['an initial key', IK, 'B1TX'],
    ['a KBPK', kbpk(TEST_IK, 'tdes', 'other'), 'K1TB'],
  ])('gives %s its usage', (_, form, attributes) => {
    const {forms} = exported([kbpk(KEK_32, 'aes'), form], {kbpk: 'transport'});
    expect(forms[0]?.keyBlock.slice(5, 9)).toBe(attributes);
  });

  it.each([
    ['A', 'tdes', KEK_16],
    ['B', 'tdes', KEK_16],
    ['C', 'tdes', KEK_16],
    ['D', 'aes', KEK_32],
  ] as const)(
    'writes version %s so that an import gives the same keys',
    (version, algorithm, hex) => {
      const transport = kbpk(hex, algorithm);
      const {forms} = exported([transport, TDES_BDK, IK], {version});
      const items = blocksOfLines(forms.map(({keyBlock}) => keyBlock));
      const {keys} = openImport(items, entriesOf([transport]), undefined);
      expect(keys.map(keyFormOf)).toEqual([TDES_BDK, IK]);
    },
  );

  it('names keys in the JSON form only where they have a name', () => {
    const unnamed: KeyForm = {kind: 'kbpk', algorithm: 'tdes', hex: KEK_24};
    const named = {...TDES_BDK, name: 'lab'};
    const membersOf = (forms: readonly KeyForm[]) =>
      exported(forms).forms.map(({keyBlock: _, ...rest}) => rest);
    expect(membersOf([unnamed, TDES_BDK])).toStrictEqual([{}]);
    expect(membersOf([kbpk(KEK_24, 'tdes'), named])).toStrictEqual([
      {name: 'lab', kbpk: 'transport'},
    ]);
  });

  it('keeps in the JSON form that a key also serves KSNs of 10 bytes', () => {
    for (const compatibility of [true, false]) {
      const {forms} = exported([kbpk(KEK_32, 'aes'), {...AES_BDK, compatibility}]);
      expect(forms[0]?.compatibility).toBe(compatibility);
    }
  });

  it.each<[Partial<KeyForm>, string]>([
    [{ksnPrefix: 'FFFF987654'}, 'bdk for KSN FFFF987654..'],
    [{}, 'bdk'],
    [{name: 'lab', ksnPrefix: 'FFFF987654'}, 'bdk "lab"'],
  ])('calls the key %o in messages %s', (form, text) => {
    const unset: KeyForm = {kind: 'bdk', hex: TEST_BDK, ...form};
    expect(exported([kbpk(KEK_16, 'tdes'), unset]).warnings).toEqual([
      `${text}: its algorithm is not set; the block specifies TDES`,
    ]);
  });

  it('hides the length of an AES key', () => {
    const long = {...AES_BDK, hex: KEK_32, ksnPrefix: '87654321'};
    const {forms} = exported([kbpk(TEST_IK + KEK_16, 'aes'), AES_BDK, long]);
    expect(forms[0]?.keyBlock.length).toBe(forms[1]?.keyBlock.length);
  });

  it('fills with the random bytes that it is given', () => {
    const blocks = [1, 2].map((byte) => {
      const random = (length: number) => new Uint8Array(length).fill(byte);
      return exported([kbpk(KEK_16, 'tdes'), TDES_BDK], {random}).forms[0]?.keyBlock;
    });
    expect(blocks[0]).not.toBe(blocks[1]);
    expect(exported([kbpk(KEK_16, 'tdes'), TDES_BDK])).toEqual(
      exported([kbpk(KEK_16, 'tdes'), TDES_BDK]),
    );
  });

  // The bits of strength are those of NIST SP 800-57 Part 1, table 2.
  it.each<[string, KeyForm, KeyForm, number, number]>([
    ['an AES BDK under a TDES KBPK', kbpk(KEK_24, 'tdes'), AES_BDK, 128, 112],
    ['AES-256 under AES-128', kbpk(TEST_IK, 'aes'), {...AES_BDK, hex: KEK_32}, 256, 128],
    ['AES-256 under AES-192', kbpk(KEK_24, 'aes'), {...AES_BDK, hex: KEK_32}, 256, 192],
    ['3TDEA under 2TDEA', kbpk(KEK_16, 'tdes'), kbpk(KEK_24, 'tdes', 'strong'), 112, 80],
  ])('refuses %s', (_, transport, key, needed, found) => {
    const detail = detailOf(() => exported([transport, key], {kbpk: 'transport'}));
    expect(detail).toMatch(/^9015 .*expected a KBPK as strong as the key/);
    expect(detail).toContain(`the key (${needed} bits), found`);
    expect(detail).toMatch(new RegExp(` of ${found} bits$`));
  });

  it.each<[string, readonly KeyForm[], object, string]>([
    ['no kbpk', [TDES_BDK], {}, '9001 expected one KBPK in the keyfile, found none'],
    [
      'two kbpks and no name',
      [kbpk(KEK_16, 'tdes'), kbpk(KEK_24, 'tdes', 'other')],
      {},
      '9001 expected one KBPK in the keyfile, found 2',
    ],
    [
      'the name of a bdk',
      [kbpk(KEK_16, 'tdes'), {...TDES_BDK, name: 'lab'}],
      {kbpk: 'lab'},
      '9001 expected a KBPK named "lab" in the keyfile, found a BDK',
    ],
  ])('refuses %s', (_, forms, options, detail) => {
    expect(detailOf(() => exported(forms, options))).toBe(detail);
  });

  it('asks for the version where the KBPK could be a TDES or an AES key', () => {
    const either: KeyForm = {kind: 'kbpk', hex: KEK_16};
    expect(detailOf(() => exported([either, TDES_BDK]))).toContain('could be a TDES or an AES key');
    expect(exported([either, TDES_BDK], {version: 'D'}).forms[0]?.keyBlock).toMatch(/^D/);
  });

  it('refuses a version that takes another KBPK', () => {
    const run = () => exported([kbpk(KEK_16, 'tdes'), TDES_BDK], {version: 'D'});
    expect(detailOf(run)).toMatch(
      /^9015 .*version D requires a KBPK of AES, found KBPK "transport"/,
    );
  });

  it('warns of versions A and C and of a key whose algorithm is not set', () => {
    const unset: KeyForm = {kind: 'bdk', name: 'lab', hex: TEST_BDK};
    const {warnings} = exported([kbpk(KEK_16, 'tdes'), unset], {version: 'C'});
    expect(warnings).toEqual([
      'version C of key blocks is deprecated: use B, or D under an AES KBPK',
      'bdk "lab": its algorithm is not set; the block specifies TDES',
    ]);
  });
});
