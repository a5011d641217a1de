import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import type {KeyBlockHeader} from '../../../src/engine/key-block/header.js';
import {wrapKeyBlock} from '../../../src/engine/key-block/key-block.js';
import {openKeyBlock} from '../../../src/keyfile/key-blocks/open-key-block.js';
import {describeKey} from '../../../src/keyfile/keys/describe-key.js';
import {type KeyEntry, keyEntryFrom} from '../../../src/keyfile/keys/key-entry.js';

interface Vector {
  readonly standard: string;
  readonly kbpk: string;
  readonly block: string;
  readonly kcv?: string;
}

const FILE = new URL('../../vectors/key-block.json', import.meta.url);
const ALL = (JSON.parse(readFileSync(FILE, 'utf8')) as {vectors: Vector[]}).vectors;
const SUPPORTED = ALL.filter(({block}) => /^[A-D]/.test(block));
const OURS = SUPPORTED.filter(({block, kcv}) => kcv && /^.{5}(?:B0|K0)/.test(block));
const OTHERS = SUPPORTED.filter(({block}) => !/^.{5}(?:B0|D0|K0)/.test(block));

const KBPK = '89E88CF7931444F334BD7547FC3F380C';
const KEY = '0123456789ABCDEFFEDCBA9876543210';

function kbpkOf(hex: string, block = 'B'): KeyEntry {
  const algorithm = block.startsWith('D') ? 'aes' : 'tdes';
  return keyEntryFrom({kind: 'kbpk', name: 'transport', algorithm, hex}, 'kbpk');
}

/** A version B block of the TDES test key. */
function blockOf(over: Partial<KeyBlockHeader>, key = KEY): string {
  const header: KeyBlockHeader = {
    version: 'B',
    usage: 'B0',
    algorithm: 'T',
    mode: 'X',
    keyVersion: '00',
    exportability: 'E',
    optional: [],
    ...over,
  };
  const secret = new Secret(Buffer.from(key, 'hex'));
  const random = (length: number) => new Uint8Array(length);
  return wrapKeyBlock({header, key: secret}, new Secret(Buffer.from(KBPK, 'hex')), {random});
}

function open(block: string, form: object = {}) {
  return openKeyBlock({keyBlock: block, ...form}, kbpkOf(KBPK, block), 'line 1');
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

describe('openKeyBlock', () => {
  it.each(OURS)('gives the key of $block its published KCV', ({block, kbpk, kcv}) => {
    const {key} = openKeyBlock({keyBlock: block}, kbpkOf(kbpk, block), 'line 1');
    expect(describeKey(key).kcv).toEqual({tdes: kcv});
  });

  it('makes a working key of usage D0', () => {
    const found = SUPPORTED.filter(({block}) => /^.{5}D0/.test(block));
    const opened = found.map(({block, kbpk}) =>
      openKeyBlock({keyBlock: block}, kbpkOf(kbpk, block), 'line 1'),
    );
    expect(opened.map(({key: {kind, algorithm}}) => [kind, algorithm])).toEqual([
      ['working', 'aes'],
    ]);
    expect(describeKey(opened[0]?.key as KeyEntry).kcv.aes).toMatch(/^0A00E3/);
  });

  it('makes a working key of single DES, with the KSN that the block names', () => {
    const optional = [{id: 'KS', data: 'FFFF9876543210E00001'}];
    const {key} = open(blockOf({usage: 'D0', algorithm: 'D', optional}, KEY.slice(16)));
    expect(key).toMatchObject({kind: 'working', algorithm: 'tdes', ksnPrefix: optional[0]?.data});
    // FIPS 46-3 with OpenSSL: des-ede3 of eight zero bytes under FEDCBA9876543210 three times.
    expect(describeKey(key).kcv).toEqual({tdes: 'A68CDC'});
  });

  it.each(OTHERS)('refuses the usage of $block by name', ({block, kbpk}) => {
    const run = () => openKeyBlock({keyBlock: block}, kbpkOf(kbpk, block), 'line 1');
    expect(detailOf(run)).toMatch(
      /^9015 line 1: expected usage B0 \(BDK\).*, found (?:P0 \(PIN encryption\)|M3 \(MAC\))$/,
    );
  });

  it.each([
    ['B0', {}, 'bdk'],
    ['B1', {ksnPrefix: 'FFFF9876543210E00000'}, 'ik'],
    ['K0', {}, 'kbpk'],
    ['K1', {}, 'kbpk'],
  ])('makes of usage %s with %o a %s', (usage, form, kind) => {
    expect(open(blockOf({usage}), form).key).toMatchObject({kind, algorithm: 'tdes'});
  });

  it('takes algorithm A for AES', () => {
    expect(open(blockOf({algorithm: 'A'})).key.algorithm).toBe('aes');
  });

  it.each([
    ['B1', 'KS', 'FFFF9876543210E00001', 'FFFF9876543210E00000'],
    ['B0', 'KS', 'FFFF987654', 'FFFF987654'],
    ['B0', 'KS', 'FFFF9876543210E00000', 'FFFF987654'],
    ['B0', 'KS', '123456789012345600000000', '12345678'],
    ['B0', 'BI', '00FFFF987654', 'FFFF987654'],
    ['B1', 'IK', '1234567890123456', '1234567890123456'],
    ['K0', 'KS', 'FFFF987654', undefined],
  ])('usage %s, block %s %s: serves %s', (usage, id, data, prefix) => {
    const block = blockOf({usage, optional: [{id, data}]});
    expect(open(block).key.ksnPrefix).toBe(prefix);
  });

  it.each([
    ['KS', 'FFFF987654', 'FFFF123456'],
    ['IK', '1234567890123456', '1234567890123457'],
    ['BI', '00FFFF987654', '00FFFF123456'],
    ['KC', '0008D7B4', '0008D7B5'],
  ])('takes %s twice where it says the same, and never the first of two', (id, data, other) => {
    const blockWith = (...all: string[]) =>
      blockOf({optional: all.map((one) => ({id, data: one}))});
    const once = open(blockWith(data)).key;
    expect(open(blockWith(data, data)).key.ksnPrefix).toBe(once.ksnPrefix);
    for (const block of [blockWith(data, other), blockWith(other, data)])
      expect(detailOf(() => open(block))).toBe(
        `9015 line 1: expected one block ${id}, found two that differ`,
      );
  });

  it('prefers the prefix that is given to the one in the block', () => {
    const block = blockOf({optional: [{id: 'KS', data: 'FFFF987654'}]});
    expect(open(block, {ksnPrefix: 'AA'}).key.ksnPrefix).toBe('AA');
  });

  // The KCV of the published test BDK; its CMAC form by OpenSSL (`openssl mac CMAC`, DES-EDE3-CBC).
  it.each(['0008D7B4', '0008d7', '0008D7B4FB', '010A82458664'])(
    'accepts the KCV in KC %s',
    (data) => {
      expect(open(blockOf({optional: [{id: 'KC', data}]})).key.kind).toBe('bdk');
    },
  );

  // By OpenSSL, too (AES-128-CBC).
  it('accepts the KCV of an AES key', () => {
    const optional = [{id: 'KC', data: '012090A67375'}];
    expect(open(blockOf({algorithm: 'A', optional})).key.algorithm).toBe('aes');
  });

  it.each([
    ['0008D7B5', 'KC: expected a key of KCV 08D7B5, found 08D7B4'],
    ['0208D7B4', 'KC: expected method 00 or 01 and a KCV of two to five bytes'],
    ['00', 'KC: expected method 00 or 01 and a KCV of two to five bytes'],
    ['990008D7B4', 'KC: expected method 00 or 01 and a KCV of two to five bytes'],
    ['0008D7B4FB0011223344', 'KC: expected method 00 or 01 and a KCV of two to five bytes'],
    ['0008D7B4F', 'KC: expected method 00 or 01 and a KCV of two to five bytes'],
  ])('refuses KC %s', (data, detail) => {
    const block = blockOf({optional: [{id: 'KC', data}]});
    expect(detailOf(() => open(block))).toBe(`9015 line 1: ${detail}`);
  });

  it.each<[string, string, string]>([
    ['an initial key without a KSN', blockOf({usage: 'B1'}), 'ksnPrefix: expected 14 to 16'],
    [
      'algorithm H',
      blockOf({algorithm: 'H'}),
      'expected algorithm T (TDES), D (DES) or A (AES), found H',
    ],
    ['a single DES key', blockOf({}, KEY.slice(16)), 'expected 16 bytes for a tdes bdk, found 8'],
    ['version E', `E${blockOf({}).slice(1)}`, 'expected version A, B, C or D, found E'],
    ['a cut block', blockOf({}).slice(0, -2), 'the length at offset 1 is 0080, found 78'],
    ['a cut header', 'B0080B0T', 'expected at least 16 header characters'],
    ['a clear key', KEY, 'expected a key block, found hex digits, which may be a clear key'],
  ])('refuses %s with 9015', (_, block, detail) => {
    expect(detailOf(() => open(block))).toContain('9015 line 1: ');
    expect(detailOf(() => open(block))).toContain(detail);
  });

  it('names the KBPK that did not open the block', () => {
    const other = kbpkOf(KEY);
    expect(detailOf(() => openKeyBlock({keyBlock: blockOf({})}, other, 'line 1'))).toBe(
      '9015 line 1: key block: the MAC does not match: the block is damaged, or it was wrapped under a different KBPK; tried KBPK "transport" (KCV 08D7B4)',
    );
  });

  it('refuses a KBPK of the other algorithm', () => {
    const aes = keyEntryFrom({kind: 'kbpk', algorithm: 'aes', hex: KBPK}, 'kbpk');
    expect(detailOf(() => openKeyBlock({keyBlock: blockOf({})}, aes, 'line 1'))).toContain(
      'version B requires a KBPK of TDES',
    );
  });

  it.each([
    ['A', 'line 1: version A of key blocks is deprecated'],
    ['C', 'line 1: version C of key blocks is deprecated'],
  ] as const)('warns of version %s', (version, warning) => {
    expect(open(blockOf({version})).warnings.join()).toContain(warning);
  });

  it('warns of a key that is not for export', () => {
    expect(open(blockOf({exportability: 'N'})).warnings.join()).toContain('non-exportable');
    expect(open(blockOf({})).warnings).toEqual([]);
  });
});
