import {createCipheriv, createHmac} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {cmac} from '../../../src/engine/cipher/cmac.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {
  type DerivedKey,
  deriveInitialKey,
  deriveTransactionKeys,
  wipeDerived,
} from '../../../src/engine/dukpt/derive-keys.js';
import {KeyRing, testKeyRing, testKeys} from '../../../src/engine/dukpt/key-ring.js';
import type {AesKeyType} from '../../../src/engine/dukpt/key-usage.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {errorOf} from '../error-of.js';
import {fromHex, toHex} from '../hex.js';
import {readDukptVectors} from '../read-vectors.js';

/** Table 2 of ANSI X9.24-3:2017, 6.3.2. */
const CODES: Readonly<Record<string, string>> = {
  kek: '0002',
  pin: '1000',
  'mac-generation': '2000',
  'mac-verification': '2001',
  'data-encryption': '3000',
  'data-decryption': '3001',
};

const AES = readDukptVectors('aes-dukpt').flatMap(({bdk, vectors}) =>
  vectors.filter(({type}) => type !== undefined).map((vector) => ({bdk, ...vector})),
);
const AES_TRANSACTIONS = readDukptVectors('aes-dukpt').flatMap(({bdk, vectors}) =>
  vectors.filter(({usage}) => usage === 'transaction-key').map((vector) => ({bdk, ...vector})),
);

function aesRing(bdk: string): KeyRing {
  const secret = new Secret(fromHex(bdk));
  return new KeyRing([{kind: 'bdk', algorithm: 'aes', secret, compatibility: true}]);
}

function aesKeys({bdk, ksn, type}: {bdk: string; ksn: string; type?: string}): DerivedKey[] {
  const parsed = parseKsn(ksn, {anyCounter: true});
  return deriveTransactionKeys(aesRing(bdk), parsed, type as AesKeyType);
}

function tdesKcv(key: Uint8Array): string {
  const whole = key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  const cipher = createCipheriv('des-ede3', whole, null);
  return cipher.update(Buffer.alloc(8)).subarray(0, 3).toString('hex').toUpperCase();
}

function hmacKcv(key: Uint8Array): string {
  return createHmac('sha256', key).digest('hex').slice(0, 6).toUpperCase();
}

function aesKcv(key: Uint8Array): string {
  return toHex(cmac(prepareCipher('aes', key), new Uint8Array(16))).slice(0, 10);
}

describe('the keys of an AES DUKPT transaction', () => {
  it.each(AES)('$ksn $usage $type: as published', (row) => {
    const found = aesKeys(row).find(({usage}) => usage === CODES[row.usage]);
    const {key = new Uint8Array(), algorithm, kcv} = found ?? {};
    expect(toHex(key)).toBe(row.key);
    const [kind, check] = row.type?.endsWith('tdea')
      ? ['tdes', tdesKcv]
      : row.type?.startsWith('hmac')
        ? ['hmac', hmacKcv]
        : ['aes', aesKcv];
    expect({algorithm, kcv}).toEqual({algorithm: kind, kcv: (check as typeof tdesKcv)(key)});
  });

  it.each(AES_TRANSACTIONS)('$ksn: the transaction key as published', (row) => {
    const [transaction] = aesKeys(row);
    expect([transaction?.name, toHex(transaction?.key ?? new Uint8Array())]).toEqual([
      'transaction key',
      row.key,
    ]);
  });

  it('are those of every usage, AES as long as the BDK', () => {
    const keys = aesKeys({bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1'.repeat(2), ksn: KSN_AES});
    expect(keys.map(({name, usage, key}) => [name, usage, key.length])).toEqual([
      ['transaction key', undefined, 32],
      ['key encryption', '0002', 32],
      ['PIN', '1000', 32],
      ['MAC generation', '2000', 32],
      ['MAC verification', '2001', 32],
      ['MAC, both ways', '2002', 32],
      ['data encryption', '3000', 32],
      ['data decryption', '3001', 32],
      ['data, both ways', '3002', 32],
    ]);
  });

  it('differ from one another', () => {
    const keys = aesKeys({bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1', ksn: KSN_AES});
    expect(new Set(keys.map(({key}) => toHex(key))).size).toBe(9);
  });

  it('are refused of a type that is stronger than the BDK: 9015', () => {
    const row = {bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1', ksn: KSN_AES};
    expect(errorOf(() => aesKeys({...row, type: 'aes192'})).code).toBe(9015);
    expect(errorOf(() => aesKeys({...row, type: 'hmac256'})).code).toBe(9015);
  });
});

const KSN_AES = '123456789012345600000001';

describe('the keys of a TDES DUKPT transaction', () => {
  const ksn = parseKsn('FFFF9876543210E00001');
  const keys = deriveTransactionKeys(testKeyRing(), ksn);

  // ANSI X9.24-1:2009, Annex A.4.1: the transaction key XORed with these, in both halves.
  it.each([
    ['PIN', '00000000000000FF'],
    ['MAC request', '000000000000FF00'],
    ['MAC response', '00000000FF000000'],
    ['data request', '0000000000FF0000'],
    ['data response', '000000FF00000000'],
  ])('%s: the transaction key under the mask %s', (name, mask) => {
    const masks = fromHex(mask + mask);
    const transaction = fromHex('042666B49184CFA368DE9628D0397BC9');
    const expected = transaction.map((byte, i) => byte ^ (masks[i] ?? 0));
    const found = keys.find((key) => key.name === name);
    expect([toHex(found?.key ?? new Uint8Array()), found?.usage]).toEqual([toHex(expected), mask]);
  });

  it.each(['data request', 'data response'])('%s, self-encrypted: under itself', (name) => {
    const plain = keys.find((key) => key.name === name)?.key ?? new Uint8Array();
    const cipher = createCipheriv('des-ede3', Buffer.concat([plain, plain.subarray(0, 8)]), null);
    cipher.setAutoPadding(false);
    const found = keys.find((key) => key.name === `${name}, self-encrypted`);
    expect(toHex(found?.key ?? new Uint8Array())).toBe(toHex(cipher.update(plain)));
  });

  it('are the transaction key and seven more, each with its KCV', () => {
    expect(keys.map(({name}) => name)).toEqual([
      ...['transaction key', 'PIN', 'MAC request', 'MAC response', 'data request'],
      ...['data request, self-encrypted', 'data response', 'data response, self-encrypted'],
    ]);
    expect(toHex(keys[0]?.key ?? new Uint8Array())).toBe('042666B49184CFA368DE9628D0397BC9');
    expect(keys.map(({kcv, algorithm}) => [kcv, algorithm])).toEqual(
      keys.map(({key}) => [tdesKcv(key), 'tdes']),
    );
  });

  it('are zeroed', () => {
    const mine = deriveTransactionKeys(testKeyRing(), ksn);
    wipeDerived(mine);
    expect(mine.every(({key}) => key.every((byte) => byte === 0))).toBe(true);
  });
});

describe('the initial key', () => {
  it('of TDES DUKPT is the one of ANSI X9.24-1', () => {
    const ik = deriveInitialKey(testKeyRing(), parseKsn('FFFF9876543210E00001'), false);
    expect([ik.name, ik.algorithm, toHex(ik.key)]).toEqual([
      ...['IK', 'tdes', '6AC292FAA1315B4D858AB3A3D7D5933A'],
    ]);
    expect(ik.kcv).toBe(tdesKcv(ik.key));
  });

  it('of AES DUKPT is the one of ANSI X9.24-3', () => {
    const ik = deriveInitialKey(testKeyRing(), parseKsn(KSN_AES), true);
    expect([ik.algorithm, toHex(ik.key)]).toEqual(['aes', '1273671EA26AC29AFA4D1084127652A1']);
    expect(ik.kcv).toBe(aesKcv(ik.key));
  });
});

describe('the published test keys', () => {
  it('are called after their algorithm', () => {
    const all = testKeys().map(({name, kind, algorithm}) => ({name, kind, algorithm}));
    expect(all).toEqual([
      {name: 'test BDK (TDES)', kind: 'bdk', algorithm: 'tdes'},
      {name: 'test BDK (AES)', kind: 'bdk', algorithm: 'aes'},
      {name: 'test BDK (nexo)', kind: 'bdk', algorithm: 'tdes'},
    ]);
  });
});
