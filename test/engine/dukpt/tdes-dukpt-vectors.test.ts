import {createCipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {cmac} from '../../../src/engine/cipher/cmac.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {KeyRing, type RingKey} from '../../../src/engine/dukpt/key-ring.js';
import type {Variant} from '../../../src/engine/dukpt/key-usage.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {fromHex, toHex} from '../hex.js';
import {type DukptDevice, type DukptVector, readDukptVectors} from '../read-vectors.js';

function ring(kind: RingKey['kind'], hex: string, ksnPrefix: string): KeyRing {
  return new KeyRing([{kind, secret: new Secret(fromHex(hex)), ksnPrefix}], {cache: false});
}

function deriveKey(keys: KeyRing, {ksn, usage}: DukptVector): Uint8Array {
  const parsed = parseKsn(ksn, {anyCounter: true});
  if (usage === 'initial-key') return keys.initialKey(parsed);
  const variant = usage === 'transaction-key' ? 'none' : (usage as Variant);
  return keys.transaction(parsed).workingKey(variant, usage.startsWith('data'));
}

/** What the vector's method makes of its plaintext: keys and ciphers ours, MACs by OpenSSL. */
function compute({mode, plaintext = ''}: DukptVector, key: Uint8Array): string {
  const cipher = prepareCipher('tdes', key);
  const message = fromHex(plaintext);
  if (mode === 'cbc') return toHex(cipher.encryptCbc(message));
  if (mode === 'ecb') return toHex(cipher.encryptEcb(message));
  return toHex(mode === 'cmac' ? cmac(cipher, message) : retailMac(key, message));
}

/** ISO 9797-1 MAC algorithm 3, zero padding: a DES CBC-MAC whose last block is TDES. */
function retailMac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = Buffer.concat([message, Buffer.alloc((8 - (message.length % 8)) % 8)]);
  const left = key.subarray(0, 8);
  const single = openssl('des-ede3-cbc', Buffer.concat([left, left, left]), padded);
  const last = padded.subarray(-8).map((byte, i) => byte ^ (single.at(i - 16) ?? 0));
  return openssl('des-ede3-cbc', Buffer.concat([key, left]), Buffer.from(last));
}

function openssl(name: string, key: Uint8Array, data: Uint8Array): Buffer {
  return createCipheriv(name, key, new Uint8Array(8)).setAutoPadding(false).update(data);
}

const DEVICES = readDukptVectors('tdes-dukpt');
const ALL = DEVICES.flatMap((device) => device.vectors.map((vector) => ({...device, ...vector})));
type Row = DukptDevice & DukptVector;

describe('TDES DUKPT vectors', () => {
  it('are 382', () => {
    expect(ALL).toHaveLength(382);
  });

  it.each(ALL)('$ksn $usage: the key follows from the BDK', (row: Row) => {
    const keys = ring('bdk', row.bdk, row.ksn.slice(0, 10));
    expect(toHex(deriveKey(keys, row))).toBe(row.key);
  });

  it.each(ALL)('$ksn $usage: the key follows from the initial key', (row: Row) => {
    const keys = ring('ik', row.ik, parseKsn(row.ksn, {anyCounter: true}).initial);
    expect(toHex(deriveKey(keys, row))).toBe(row.key);
  });

  it.each(ALL.filter(({mode}) => mode))('$ksn $usage $mode: the message value follows', (row) => {
    const key = deriveKey(ring('bdk', row.bdk, row.ksn.slice(0, 10)), row);
    const length = row.ciphertext?.length ?? 0;
    expect(compute(row, key).slice(0, length)).toBe(row.ciphertext);
  });

  it.each(ALL.filter(({mode}) => mode === 'cbc'))('$ksn $usage: the data decrypt', (row) => {
    const key = deriveKey(ring('bdk', row.bdk, row.ksn.slice(0, 10)), row);
    const plain = prepareCipher('tdes', key).decryptCbc(fromHex(row.ciphertext ?? ''));
    expect(toHex(plain)).toBe(row.plaintext);
  });

  it('follow with the register cache too, in any order', () => {
    const rings = new Map(
      DEVICES.map(({bdk}) => [bdk, new KeyRing([{kind: 'bdk', secret: new Secret(fromHex(bdk))}])]),
    );
    const rows = [...ALL, ...ALL.toReversed()];
    const found = rows.map((row) => toHex(deriveKey(rings.get(row.bdk) as KeyRing, row)));
    expect(found).toEqual(rows.map(({key}) => key));
  });
});
