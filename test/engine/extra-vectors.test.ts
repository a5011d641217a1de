import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {prepareCipher} from '../../src/engine/cipher/modes.js';
import type {Variant} from '../../src/engine/dukpt/key-usage.js';
import {parseKsn} from '../../src/engine/dukpt/ksn.js';
import {hexOf} from '../../src/platform/bytes.js';
import {ringOf, type SampleKey} from './samples.js';

interface Setting {
  readonly variant: Variant;
  readonly selfEncryption: boolean;
  readonly mode: 'cbc' | 'ecb';
}

interface PinVector {
  readonly id: string;
  readonly source: string;
  readonly request: {readonly ksn: string; readonly ciphertext: string};
  readonly keys: readonly SampleKey[];
  readonly expect: Setting & {
    readonly plaintext: {readonly hex: string};
    readonly pan: string;
    readonly pin: string;
  };
}

interface SwipeVector {
  readonly request: {readonly devicePayload: string};
  readonly keys: readonly SampleKey[];
  readonly expect: Setting & {
    readonly plaintext: Readonly<Record<string, {readonly hex: string}>>;
    readonly workingKey: string;
  };
}

const url = new URL('../samples/extras.json', import.meta.url);
const [swipe, ...pins]: [SwipeVector, ...PinVector[]] = JSON.parse(readFileSync(url, 'utf8'));

function workingKey(ksn: string, keys: readonly SampleKey[], setting: Setting): Uint8Array {
  const transaction = ringOf(keys).transaction(parseKsn(ksn));
  return transaction.workingKey(setting.variant, setting.selfEncryption);
}

function decrypt(ciphertext: string, key: Uint8Array, {mode}: Setting): string {
  const cipher = prepareCipher('tdes', key);
  const bytes = new Uint8Array(Buffer.from(ciphertext, 'hex'));
  return hexOf(mode === 'cbc' ? cipher.decryptCbc(bytes) : cipher.decryptEcb(bytes));
}

/** The PAN field of ISO 9564-1 format 0: the 12 digits before the check digit. */
function panField(pan: string): Buffer {
  return Buffer.from(`0000${pan.slice(-13, -1)}`, 'hex');
}

describe('online PIN blocks, pin variant, one ECB block', () => {
  for (const {id, request, keys, expect: expected} of pins) {
    it(`${id} decrypts to the published block`, () => {
      const key = workingKey(request.ksn, keys, expected);
      expect(decrypt(request.ciphertext, key, expected)).toBe(expected.plaintext.hex);
    });

    it(`${id} holds the published PIN`, () => {
      const field = panField(expected.pan);
      const block = Buffer.from(expected.plaintext.hex, 'hex');
      const clear = block.map((byte, i) => byte ^ (field[i] ?? 0));
      expect(hexOf(clear)).toBe(`04${expected.pin}`.padEnd(16, 'f'));
    });
  }
});

describe('MagneSafe V5, pin variant, CBC', () => {
  const fields = swipe.request.devicePayload.split('|');
  const ksn = fields[9] ?? '';

  it('derives the published working key', () => {
    const key = workingKey(ksn, swipe.keys, swipe.expect);
    expect(hexOf(key).toUpperCase()).toBe(swipe.expect.workingKey);
  });

  const parts = {track1: fields[2], track2: fields[3], track3: fields[4], session: fields[8]};
  for (const [name, ciphertext = ''] of Object.entries(parts)) {
    it(`decrypts ${name}`, () => {
      const key = workingKey(ksn, swipe.keys, swipe.expect);
      expect(decrypt(ciphertext, key, swipe.expect)).toBe(swipe.expect.plaintext[name]?.hex);
    });
  }
});
