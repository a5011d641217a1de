import {createCipheriv} from 'node:crypto';
import fc from 'fast-check';
import {beforeAll, describe, expect, it, vi} from 'vitest';
import {desKernel} from '../../../src/engine/cipher/des.js';
import {compiledDes} from '../../../src/engine/cipher/des-compiled.js';
import {
  DATA,
  DES_BLOCKS,
  type DesKernel,
  desBytes,
  desMemory,
  IV,
  KEY_PASSES,
  MASKED_PASSES,
  OUTPUT,
  PASSES_BYTES,
  SCHEDULE_BYTES,
  STEP_KEY,
  wordsAt,
} from '../../../src/engine/cipher/des-memory.js';
import {writeDecipherPasses, writeEncipherPasses} from '../../../src/engine/cipher/des-passes.js';
import {SCALAR_DES} from '../../../src/engine/cipher/des-scalar.js';
import {TdesCipher} from '../../../src/engine/cipher/tdes-cipher.js';
import {toBytes, toWords} from '../../../src/engine/cipher/words.js';

const bytesOf = (length: number) => fc.uint8Array({minLength: length, maxLength: length});
const eightBytes = bytesOf(8);

/** OpenSSL 3 has no single DES; with three equal keys TDES is DES. */
function openssl(key: Uint8Array, block: Uint8Array): Buffer {
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return cipher.setAutoPadding(false).update(block);
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ (b[i] ?? 0));
}

// The first use fills the tables.
beforeAll(() => {
  desKernel();
});

it('compiles where WebAssembly has vectors, as here', () => {
  expect(desMemory).toBeDefined();
  expect(compiledDes()).toBeDefined();
});

describe.each([
  ['scalar', () => SCALAR_DES],
  ['compiled', () => compiledDes() ?? SCALAR_DES],
] as const)('the %s kernel', (_, kernel) => {
  const des: DesKernel = kernel();

  function schedule(into: number, key: Uint8Array, isReversed = false): Int32Array {
    const [left = 0, right = 0] = toWords(key);
    if (isReversed) des.reversed(into, left, right);
    else des.schedule(into, left, right);
    return wordsAt(into, SCHEDULE_BYTES / 4).slice();
  }

  function process(block: Uint8Array, key: Uint8Array, isReversed = false): Buffer {
    wordsAt(DES_BLOCKS, 4).set(toWords(Buffer.concat([block, block])));
    schedule(KEY_PASSES, key, isReversed);
    des.two(KEY_PASSES, KEY_PASSES, SCHEDULE_BYTES);
    return Buffer.from(toBytes(wordsAt(DES_BLOCKS, 2)));
  }

  it('enciphers the example of FIPS 81, Appendix B', () => {
    const key = Buffer.from('0123456789ABCDEF', 'hex');
    const found = process(Buffer.from('Now is t', 'latin1'), key);
    expect(found.toString('hex')).toBe('3fa40e8a984d4815');
  });

  it('enciphers as OpenSSL does, for any key and block', () => {
    fc.assert(
      fc.property(eightBytes, eightBytes, (key, block) => {
        expect(process(block, key)).toEqual(openssl(key, block));
      }),
      {numRuns: 500},
    );
  });

  it('deciphers what it enciphered', () => {
    fc.assert(
      fc.property(eightBytes, eightBytes, (key, block) => {
        expect(process(process(block, key), key, true)).toEqual(Buffer.from(block));
      }),
    );
  });

  it('processes two blocks under two keys as it would one by one', () => {
    fc.assert(
      fc.property(eightBytes, eightBytes, eightBytes, eightBytes, (k1, k2, b1, b2) => {
        wordsAt(DES_BLOCKS, 4).set(toWords(Buffer.concat([b1, b2])));
        schedule(KEY_PASSES, k1);
        schedule(MASKED_PASSES, k2);
        des.two(KEY_PASSES, MASKED_PASSES, SCHEDULE_BYTES);
        const each = [openssl(k1, b1), openssl(k2, b2)];
        expect(Buffer.from(toBytes(wordsAt(DES_BLOCKS, 4)))).toEqual(Buffer.concat(each));
      }),
    );
  });

  it.each(['five', 'pair'] as const)('deciphers chained blocks as OpenSSL does: %s', (name) => {
    const blocks = fc.integer({min: 1, max: 13}).chain((count) => bytesOf(8 * count));
    fc.assert(
      fc.property(bytesOf(24), eightBytes, blocks, (key, iv, plain) => {
        const cipher = createCipheriv('des-ede3-cbc', key, iv).setAutoPadding(false);
        desBytes.set(iv, IV);
        desBytes.set(cipher.update(plain), DATA);
        writeDecipherPasses(des, KEY_PASSES, toWords(key));
        des[name](0, plain.length, KEY_PASSES, PASSES_BYTES);
        expect(desBytes.slice(OUTPUT, OUTPUT + plain.length)).toEqual(plain);
      }),
    );
  });

  it('makes passes for two keys as for three', () => {
    fc.assert(
      fc.property(bytesOf(16), (key) => {
        const words = toWords(key);
        for (const write of [writeEncipherPasses, writeDecipherPasses]) {
          write(des, KEY_PASSES, words);
          write(des, MASKED_PASSES, [...words, ...words.subarray(0, 2)]);
          expect(wordsAt(KEY_PASSES, PASSES_BYTES / 4)).toEqual(
            wordsAt(MASKED_PASSES, PASSES_BYTES / 4),
          );
        }
      }),
    );
  });

  // ANSI X9.24-1:2009, A.2: each half enciphers the register, XORed with the other half before and after.
  it('steps from key to key as the standard says, with the DES of OpenSSL', () => {
    const mask = Buffer.from('C0C0C0C000000000', 'hex');
    const half = (key: Uint8Array, right: Uint8Array, register: Uint8Array) =>
      xor(openssl(key, xor(register, right)), right);
    fc.assert(
      fc.property(eightBytes, eightBytes, eightBytes, (left, right, register) => {
        wordsAt(STEP_KEY, 4).set(toWords(Buffer.concat([left, right])));
        const [first = 0, second = 0] = toWords(register);
        des.step(first, second);
        const expected = [
          half(xor(left, mask), xor(right, mask), register),
          half(left, right, register),
        ];
        expect(Buffer.from(toBytes(wordsAt(STEP_KEY, 4)))).toEqual(Buffer.concat(expected));
      }),
    );
  });

  it('ignores the parity bit of every byte', () => {
    fc.assert(
      fc.property(eightBytes, (key) => {
        expect(schedule(KEY_PASSES, xor(key, new Uint8Array(8).fill(1)))).toEqual(
          schedule(MASKED_PASSES, key),
        );
      }),
    );
  });
});

/** More than the memory of the kernel holds at once, and more uses than it takes to compile. */
describe('TdesCipher', () => {
  it.each([8, 16, 24, 40, 48, 56, 80, 0x4000, 0x4008, 0x8018])('deciphers %i bytes', (length) => {
    const [key, iv] = [new Uint8Array(24), new Uint8Array(8)].map((all, n) =>
      all.map((_, i) => 31 * i + 7 * n),
    ) as [Uint8Array, Uint8Array];
    const plain = new Uint8Array(length).map((_, i) => (i * i) >> 3);
    const encrypted = createCipheriv('des-ede3-cbc', key, iv).setAutoPadding(false).update(plain);
    desBytes.fill(0, IV, OUTPUT + 0x4000);
    const each = createCipheriv('des-ede3-ecb', key, null).setAutoPadding(false).update(plain);
    const cipher = new TdesCipher(key);
    expect(cipher.decryptCbc(encrypted, iv)).toEqual(plain);
    expect(cipher.decryptEcb(each)).toEqual(plain);
    expect(desBytes.subarray(OUTPUT, OUTPUT + 0x4000).some((byte) => byte !== 0)).toBe(false);
    expect(desBytes.subarray(IV, DATA + 0x4000).some((byte) => byte !== 0)).toBe(false);
    cipher.wipe();
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'is not disturbed by a compilation after %i uses',
    async (uses) => {
      vi.resetModules();
      const {desKernel: fresh} = await import('../../../src/engine/cipher/des.js');
      const {TdesCipher: Cipher} = await import('../../../src/engine/cipher/tdes-cipher.js');
      const [key, iv] = [new Uint8Array(16).fill(0x5b), new Uint8Array(8).fill(7)];
      const plain = new Uint8Array(56).fill(9);
      const scalar = fresh();
      for (let use = uses; use < 10_000; use++) fresh();
      const cipher = new Cipher(key);
      for (let use = 0; use < 8; use++) {
        expect(cipher.decryptCbc(cipher.encryptCbc(plain, iv), iv)).toEqual(plain);
      }
      expect(fresh()).not.toBe(scalar);
    },
  );
});
