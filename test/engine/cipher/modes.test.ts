import {createCipheriv} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {errorOf} from '../error-of.js';
import {fromHex, toHex} from '../hex.js';

const FORMS = [
  {algorithm: 'tdes', keyBytes: 16, blockSize: 8, openssl: 'des-ede3'},
  {algorithm: 'tdes', keyBytes: 24, blockSize: 8, openssl: 'des-ede3'},
  {algorithm: 'aes', keyBytes: 16, blockSize: 16, openssl: 'aes-128'},
  {algorithm: 'aes', keyBytes: 24, blockSize: 16, openssl: 'aes-192'},
  {algorithm: 'aes', keyBytes: 32, blockSize: 16, openssl: 'aes-256'},
] as const;

type Form = (typeof FORMS)[number];

/** The key as OpenSSL wants it: two-key TDES with the first key repeated. */
function opensslKey({algorithm}: Form, key: Uint8Array): Uint8Array {
  return algorithm === 'tdes' ? Buffer.concat([key, key.subarray(0, 8)]).subarray(0, 24) : key;
}

function openssl(
  form: Form,
  mode: 'cbc' | 'ecb',
  key: Uint8Array,
  data: Uint8Array,
  iv?: Uint8Array,
) {
  const name = `${form.openssl}-${mode}`;
  const start = mode === 'ecb' ? null : (iv ?? new Uint8Array(form.blockSize));
  const cipher = createCipheriv(name, opensslKey(form, key), start);
  return toHex(cipher.setAutoPadding(false).update(data));
}

function inputs({keyBytes, blockSize}: Form) {
  return [
    fc.uint8Array({minLength: keyBytes, maxLength: keyBytes}),
    fc.uint8Array({minLength: 12 * blockSize, maxLength: 12 * blockSize}),
    fc.uint8Array({minLength: blockSize, maxLength: blockSize}),
    fc.nat({max: 12}),
  ] as const;
}

describe.each(FORMS)('$algorithm with a key of $keyBytes bytes', (form) => {
  it('encrypts and decrypts CBC as OpenSSL does', () => {
    fc.assert(
      fc.property(...inputs(form), (key, bytes, iv, blocks) => {
        const data = bytes.subarray(0, blocks * form.blockSize);
        const cipher = prepareCipher(form.algorithm, key);
        const encrypted = cipher.encryptCbc(data, iv);
        expect(toHex(encrypted)).toBe(openssl(form, 'cbc', key, data, iv));
        expect(toHex(cipher.decryptCbc(encrypted, iv))).toBe(toHex(data));
      }),
    );
  });

  it('encrypts and decrypts ECB as OpenSSL does', () => {
    fc.assert(
      fc.property(...inputs(form), (key, bytes, _iv, blocks) => {
        const data = bytes.subarray(0, blocks * form.blockSize);
        const cipher = prepareCipher(form.algorithm, key);
        const encrypted = cipher.encryptEcb(data);
        expect(toHex(encrypted)).toBe(openssl(form, 'ecb', key, data));
        expect(toHex(cipher.decryptEcb(encrypted))).toBe(toHex(data));
      }),
    );
  });

  it('starts the chain at zero without an IV', () => {
    const key = new Uint8Array(form.keyBytes).fill(0x5a);
    const data = new Uint8Array(3 * form.blockSize).fill(7);
    const found = prepareCipher(form.algorithm, key).encryptCbc(data);
    expect(toHex(found)).toBe(openssl(form, 'cbc', key, data));
  });

  it('gives every result bytes of its own', () => {
    const cipher = prepareCipher(form.algorithm, new Uint8Array(form.keyBytes));
    const lengths = Array.from({length: 300}, (_, i) => form.blockSize * (1 + (i % 40)));
    const results = lengths.map((length) => cipher.encryptCbc(new Uint8Array(length)));
    const before = results.map(toHex);
    for (const length of lengths) cipher.decryptCbc(new Uint8Array(length)).fill(0xff);
    expect([before.map((hex) => hex.length / 2), results.map(toHex)]).toEqual([lengths, before]);
  });

  it('refuses data that is not whole blocks with 2102', () => {
    const cipher = prepareCipher(form.algorithm, new Uint8Array(form.keyBytes));
    const {code, detail} = errorOf(() => cipher.decryptCbc(new Uint8Array(form.blockSize + 1)));
    expect([code, detail]).toEqual([
      2102,
      `ciphertext: expected a multiple of ${form.blockSize} bytes, found ${form.blockSize + 1}`,
    ]);
  });

  it('refuses an IV that is not one block with 2602', () => {
    const cipher = prepareCipher(form.algorithm, new Uint8Array(form.keyBytes));
    const decrypt = () => cipher.decryptCbc(new Uint8Array(form.blockSize), new Uint8Array(4));
    expect(errorOf(decrypt).code).toBe(2602);
  });
});

describe('prepareCipher', () => {
  it.each([0, 8, 15, 17, 32])('refuses a TDES key of %i bytes with 9015', (length) => {
    expect(errorOf(() => prepareCipher('tdes', new Uint8Array(length))).code).toBe(9015);
  });

  it.each([0, 8, 15, 17, 33])('refuses an AES key of %i bytes with 9015', (length) => {
    expect(errorOf(() => prepareCipher('aes', new Uint8Array(length))).code).toBe(9015);
  });

  it('keeps two TDES ciphers that take turns apart', () => {
    const [one, two] = ['11', '22'].map((byte) => prepareCipher('tdes', fromHex(byte.repeat(16))));
    const data = fromHex('00'.repeat(16));
    const alone = toHex(one?.encryptEcb(data) ?? data);
    two?.decryptEcb(data);
    expect(toHex(one?.encryptEcb(data) ?? data)).toBe(alone);
  });

  it('does not depend on the key bytes after it', () => {
    const key = fromHex('0123456789ABCDEFFEDCBA9876543210');
    const cipher = prepareCipher('tdes', key);
    key.fill(0);
    expect(toHex(cipher.encryptEcb(new Uint8Array(8))).slice(0, 6)).toBe('08D7B4');
  });
});
