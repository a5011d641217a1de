import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {bindingOf} from '../../../src/engine/key-block/binding.js';
import {readHeader} from '../../../src/engine/key-block/header.js';
import {
  type KeyBlockHeader,
  unwrapKeyBlock,
  wrapKeyBlock,
} from '../../../src/engine/key-block/key-block.js';
import {errorOf} from '../error-of.js';
import {fromHex, toHex} from '../hex.js';

interface Vector {
  readonly standard: string;
  readonly kbpk: string;
  readonly block: string;
  readonly key: string;
}

const FILE = new URL('../../vectors/key-block.json', import.meta.url);
const VECTORS = (JSON.parse(readFileSync(FILE, 'utf8')) as {vectors: Vector[]}).vectors;
const SUPPORTED = VECTORS.filter(({block}) => block.charAt(0) < 'E');

const HEADER: KeyBlockHeader = {
  version: 'D',
  usage: 'B0',
  algorithm: 'A',
  mode: 'X',
  keyVersion: '00',
  exportability: 'E',
  optional: [],
};

function secret(hex: string): Secret {
  return new Secret(fromHex(hex));
}

/** The plaintext of a published block, to seal it again with the same fill. */
function plaintextOf({block, kbpk}: Vector): Uint8Array {
  const {header, headerText, body} = readHeader(block);
  const binding = bindingOf(header.version, fromHex(kbpk));
  const bytes = fromHex(body);
  const end = bytes.length - binding.macLength;
  const [encrypted, mac] = [bytes.subarray(0, end), bytes.subarray(end)];
  return binding.decrypt(Buffer.from(headerText), encrypted, mac).plain;
}

describe('unwrapKeyBlock', () => {
  it.each(SUPPORTED)('opens $block ($standard)', ({block, kbpk, key}) => {
    expect(toHex(unwrapKeyBlock(block, secret(kbpk)).key.reveal())).toBe(key);
  });

  it('reads the attributes and optional blocks', () => {
    const block =
      'B0104B0TX12S0100KS1800604B120F9292800000BB68BE8680A400D9191AD4ECE45B6E6C0D21C4738A52190E248719E24B433627';
    expect(unwrapKeyBlock(block, secret('1D22BF32387C600AD97F9B97A51311AC')).header).toEqual({
      version: 'B',
      usage: 'B0',
      algorithm: 'T',
      mode: 'X',
      keyVersion: '12',
      exportability: 'S',
      optional: [{id: 'KS', data: '00604B120F9292800000'}],
    });
  });

  it('refuses version E by name', () => {
    const {block, kbpk} = VECTORS.find((vector) => vector.block.startsWith('E')) as Vector;
    const {code, detail} = errorOf(() => unwrapKeyBlock(block, secret(kbpk)));
    expect([code, detail]).toEqual([9015, 'key block: expected version A, B, C or D, found E']);
  });

  it.each(SUPPORTED)('refuses $block with any character changed', ({block, kbpk}) => {
    for (let i = 0; i < block.length; i++) {
      const other = block.charAt(i) === '1' ? '2' : '1';
      const changed = block.slice(0, i) + other + block.slice(i + 1);
      expect(errorOf(() => unwrapKeyBlock(changed, secret(kbpk))).code).toBe(9015);
    }
  });

  it.each(SUPPORTED)('refuses $block cut at any length', ({block, kbpk}) => {
    for (let length = 0; length < block.length; length++) {
      const cut = () => unwrapKeyBlock(block.slice(0, length), secret(kbpk));
      expect(errorOf(cut).code).toBe(9015);
    }
  });

  it('refuses any text with 9015', () => {
    fc.assert(
      fc.property(
        fc.string({maxLength: 80}),
        fc.constantFrom('A', 'B', 'C', 'D'),
        (text, version) => {
          const length = String(text.length + 5).padStart(4, '0');
          const block = `${version}${length}${text}`;
          expect(errorOf(() => unwrapKeyBlock(block, secret('A5'.repeat(16)))).code).toBe(9015);
        },
      ),
    );
  });

  it('says that the KBPK may be another', () => {
    const {block} = SUPPORTED[0] as Vector;
    expect(errorOf(() => unwrapKeyBlock(block, secret('5A'.repeat(16)))).message).toBe(
      'Invalid key: key block: the MAC does not match: the block is damaged, or it was wrapped under a different KBPK',
    );
  });

  it('refuses a KBPK of a length that the version does not take', () => {
    const {block} = SUPPORTED[0] as Vector;
    expect(errorOf(() => unwrapKeyBlock(block, secret('A5'.repeat(32)))).detail).toBe(
      'key block: version A requires a KBPK of 16 or 24 bytes, found 32',
    );
  });
});

describe('wrapKeyBlock', () => {
  it.each(SUPPORTED)('reproduces $block with the same fill', (vector) => {
    const {header, key} = unwrapKeyBlock(vector.block, secret(vector.kbpk));
    const plain = plaintextOf(vector);
    const fill = plain.subarray(2 + key.length);
    const options = {random: () => fill, keyField: plain.length - 2};
    expect(wrapKeyBlock({header, key}, secret(vector.kbpk), options)).toBe(vector.block);
  });

  it('makes blocks that open to the same key and header', () => {
    const bytes = (length: number) => fc.uint8Array({minLength: length, maxLength: length});
    const key = fc.constantFrom(8, 16, 24, 32).chain(bytes);
    const optional = fc.array(
      fc.record({
        id: fc.constantFrom('KS', 'KC', 'KP', 'LB'),
        data: fc.string({unit: fc.constantFrom(...'0123456789ABCDEF'), maxLength: 300}),
      }),
      {maxLength: 3},
    );
    const version = fc.constantFrom('A', 'B', 'C', 'D');
    fc.assert(
      fc.property(version, bytes(24), key, optional, (v, kbpk, keyBytes, blocks) => {
        const header = {...HEADER, version: v, optional: blocks};
        const random = (length: number) => new Uint8Array(length).fill(0x5c);
        const sealed = {header, key: new Secret(keyBytes)};
        const block = wrapKeyBlock(sealed, new Secret(kbpk), {random});
        const opened = unwrapKeyBlock(block, new Secret(kbpk));
        expect(opened.key.equals(sealed.key)).toBe(true);
        const kept = opened.header.optional.filter(({id}) => id !== 'PB');
        expect({...opened.header, optional: kept}).toEqual(header);
      }),
    );
  });

  it('hides the length of a key where a longer field was asked for', () => {
    const random = (length: number) => new Uint8Array(length);
    const [short, long] = [16, 32].map(
      (length) =>
        wrapKeyBlock({header: HEADER, key: secret('A5'.repeat(length))}, secret('5A'.repeat(32)), {
          random,
          keyField: 32,
        }).length,
    );
    expect(short).toBe(long);
  });
});
