import {createCipheriv} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {processFiveBlocks, processTwoBlocks} from '../../../src/engine/cipher/des.js';
import {SCHEDULE_WORDS, writeSchedule} from '../../../src/engine/cipher/des-schedule.js';
import {toBytes, toWords} from '../../../src/engine/cipher/words.js';

const eightBytes = fc.uint8Array({minLength: 8, maxLength: 8});

/** OpenSSL 3 has no single DES; with three equal keys TDES is DES. */
function openssl(key: Uint8Array, block: Uint8Array): Buffer {
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return cipher.setAutoPadding(false).update(block);
}

function schedule(key: Uint8Array, reversed = false): Int32Array {
  const words = toWords(key);
  const written = new Int32Array(SCHEDULE_WORDS);
  writeSchedule(written, 0, words[0] ?? 0, words[1] ?? 0, reversed);
  return written;
}

function process(block: Uint8Array, passes: Int32Array): Buffer {
  const words = toWords(Buffer.concat([block, block]));
  processTwoBlocks(words, passes, passes);
  return Buffer.from(toBytes(words).subarray(0, 8));
}

describe('DES', () => {
  it('enciphers the example of FIPS 81, Appendix B', () => {
    const key = Buffer.from('0123456789ABCDEF', 'hex');
    const found = process(Buffer.from('Now is t', 'latin1'), schedule(key));
    expect(found.toString('hex')).toBe('3fa40e8a984d4815');
  });

  it('enciphers as OpenSSL does, for any key and block', () => {
    fc.assert(
      fc.property(eightBytes, eightBytes, (key, block) => {
        expect(process(block, schedule(key))).toEqual(openssl(key, block));
      }),
      {numRuns: 500},
    );
  });

  it('deciphers what it enciphered', () => {
    fc.assert(
      fc.property(eightBytes, eightBytes, (key, block) => {
        const enciphered = process(block, schedule(key));
        expect(process(enciphered, schedule(key, true))).toEqual(Buffer.from(block));
      }),
    );
  });

  it('processes two blocks under two keys as it would one by one', () => {
    fc.assert(
      fc.property(eightBytes, eightBytes, eightBytes, eightBytes, (k1, k2, b1, b2) => {
        const words = toWords(Buffer.concat([b1, b2]));
        processTwoBlocks(words, schedule(k1), schedule(k2));
        const each = [openssl(k1, b1), openssl(k2, b2)];
        expect(Buffer.from(toBytes(words))).toEqual(Buffer.concat(each));
      }),
    );
  });

  it('processes five blocks under one key as it would one by one', () => {
    const fiveBlocks = fc.array(eightBytes, {minLength: 5, maxLength: 5});
    fc.assert(
      fc.property(eightBytes, fiveBlocks, (key, blocks) => {
        const words = toWords(Buffer.concat(blocks));
        processFiveBlocks(words, schedule(key));
        const each = blocks.map((block) => openssl(key, block));
        expect(Buffer.from(toBytes(words))).toEqual(Buffer.concat(each));
      }),
    );
  });
});

describe('DES key schedule', () => {
  it('changes by the same words under a mask, whichever the key is', () => {
    const ofZeros = schedule(new Uint8Array(8));
    fc.assert(
      fc.property(eightBytes, eightBytes, (key, mask) => {
        const masked = key.map((byte, i) => byte ^ (mask[i] ?? 0));
        const change = schedule(mask).map((word, i) => word ^ (ofZeros[i] ?? 0));
        const sum = schedule(key).map((word, i) => word ^ (change[i] ?? 0));
        expect(schedule(masked)).toEqual(sum);
      }),
    );
  });

  it('numbers the pairs of S-boxes between their twice six bits of key', () => {
    fc.assert(
      fc.property(eightBytes, (key) => {
        const numbers = schedule(key).map((word) => word & 0xc0c0c0c0);
        const round = [0x00000040, 0x008000c0];
        expect([...numbers]).toEqual(Array.from({length: SCHEDULE_WORDS / 2}, () => round).flat());
      }),
    );
  });

  it('ignores the parity bit of every byte', () => {
    fc.assert(
      fc.property(eightBytes, (key) => {
        expect(schedule(key.map((byte) => byte ^ 1))).toEqual(schedule(key));
      }),
    );
  });
});
