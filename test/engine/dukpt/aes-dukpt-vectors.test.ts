import {createHmac} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {cmac} from '../../../src/engine/cipher/cmac.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import type {AesKeyType, AesKeyUsage} from '../../../src/engine/dukpt/key-usage.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {errorOf} from '../error-of.js';
import {fromHex, toHex} from '../hex.js';
import {type DukptVector, readDukptVectors} from '../read-vectors.js';

const DEVICES = readDukptVectors('aes-dukpt');
const ALL = DEVICES.flatMap((device) => device.vectors.map((vector) => ({...device, ...vector})));

function bdkRing(bdk: string, cache = false): KeyRing {
  return new KeyRing(
    [{kind: 'bdk', algorithm: 'aes', secret: new Secret(fromHex(bdk)), compatibility: true}],
    {cache},
  );
}

function ikRing(ik: string, ksnPrefix: string): KeyRing {
  const secret = new Secret(fromHex(ik));
  return new KeyRing([{kind: 'ik', algorithm: 'aes', secret, ksnPrefix, compatibility: true}]);
}

function deriveKey(ring: KeyRing, {ksn, usage, type}: DukptVector): string {
  const parsed = parseKsn(ksn, {anyCounter: true});
  if (usage === 'initial-key') return toHex(ring.initialKey(parsed));
  const transaction = ring.transaction(parsed);
  if (usage === 'transaction-key') return toHex(transaction.reveal());
  return toHex(transaction.aesWorkingKey(usage as AesKeyUsage, type as AesKeyType));
}

function compute({mode, key, plaintext = ''}: DukptVector): string {
  const message = fromHex(plaintext);
  if (mode === 'hmac')
    return createHmac('sha256', fromHex(key)).update(message).digest('hex').toUpperCase();
  const cipher = prepareCipher('aes', fromHex(key));
  if (mode === 'cmac') return toHex(cmac(cipher, message));
  return toHex(cipher.encryptCbc(message));
}

/** ISO 9564-1 format 4: the PIN field enciphered, XORed with the PAN field, enciphered again. */
function pinBlock({key, plaintext = '', pan = ''}: DukptVector): string {
  const cipher = prepareCipher('aes', fromHex(key));
  const panField = fromHex(`${pan.length - 12}${pan}`.padEnd(32, '0'));
  const block = cipher.encryptEcb(fromHex(plaintext));
  return toHex(cipher.encryptEcb(block.map((byte, i) => byte ^ (panField[i] ?? 0))));
}

describe('AES DUKPT vectors', () => {
  it('are 282', () => {
    expect(ALL).toHaveLength(282);
  });

  it.each(ALL)('$ksn $usage $type: the key follows from the BDK', (row) => {
    expect(deriveKey(bdkRing(row.bdk), row)).toBe(row.key);
  });

  it.each(ALL)('$ksn $usage $type: the key follows from the initial key', (row) => {
    const {initial} = parseKsn(row.ksn, {anyCounter: true});
    expect(deriveKey(ikRing(row.ik, initial), row)).toBe(row.key);
  });

  it('follow with the register cache too, in any order', () => {
    const rings = new Map(DEVICES.map(({bdk}) => [bdk, bdkRing(bdk, true)]));
    const rows = [...ALL, ...ALL.toReversed()];
    const found = rows.map((row) => deriveKey(rings.get(row.bdk) as KeyRing, row));
    expect(found).toEqual(rows.map(({key}) => key));
  });

  it.each(ALL.filter(({mode}) => mode && mode !== 'pin-block'))(
    '$ksn $usage $type $mode: the message value follows',
    (row) => {
      expect(compute(row)).toBe(row.ciphertext);
    },
  );

  it.each(ALL.filter(({mode}) => mode === 'pin-block'))('$ksn: the PIN block follows', (row) => {
    expect(pinBlock(row)).toBe(row.ciphertext);
  });
});

describe('an AES DUKPT working key', () => {
  const transaction = bdkRing('FEDCBA9876543210F1F1F1F1F1F1F1F1').transaction(
    parseKsn('123456789012345600000001'),
  );

  it.each(['aes192', 'aes256', 'hmac192', 'hmac256'] as const)(
    'of type %s is refused under a BDK of 128 bits with 9015',
    (type) => {
      expect(errorOf(() => transaction.aesWorkingKey('data', type)).code).toBe(9015);
    },
  );

  it('of another usage is another key', () => {
    const usages = ['data', 'data-encryption', 'data-decryption', 'mac'] as const;
    const keys = usages.map((usage) => toHex(transaction.aesWorkingKey(usage, 'aes128')));
    expect(new Set(keys).size).toBe(4);
  });
});
