import {describe, expect, it} from 'vitest';
import {keysOfRead, rootKey} from '../../../src/diagnosis/search/known-keys.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {workingKey} from '../../engine/terminal.js';
import {aesDerivedKey, aesInitialKey, aesTransactionKey} from '../aes-dukpt.js';
import {Draw} from '../draw.js';

const draw = new Draw('known keys');
const BDK = draw.key();
const KSN = 'FFFF0A0B0C0D0E000123';
const INITIAL = 'FFFF0A0B0C0D0E000000';
const AES_KSN = '0A0B0C0D0E0F101200000123';

const bdk = {bytes: bytes(BDK), role: 'bdk'} as const;

describe('the keys of a read', () => {
  const under = (options: object) => workingKey({ksn: KSN, bdk: BDK, ...options}).toString('hex');
  const initial = workingKey({ksn: INITIAL, bdk: BDK, variant: 'none'}).toString('hex');

  it.each([
    ['the initial key of the device', 'key-is-ik', initial],
    ['the transaction key', 'key-is-transaction-key', under({variant: 'none'})],
    ['the data key, self-encrypted,', 'key-is-working-key', under({selfEncrypted: true})],
    ['the data key', 'key-is-working-key', under({selfEncrypted: false})],
    ['the pin key', 'key-is-working-key', under({variant: 'pin'})],
    ['the mac-response key', 'key-is-working-key', under({variant: 'mac-response'})],
  ])('hold %s', (what, label, hex) => {
    const all = keysOfRead(bdk, parseKsn(KSN)).map((key) => ({...key, bytes: hexOf(key.bytes)}));
    expect(all).toContainEqual({what, label, bytes: hex});
  });

  it('are those of the device alone under its initial key', () => {
    const keys = keysOfRead({bytes: bytes(initial), role: 'ik'}, parseKsn(KSN));
    expect(keys.map(({label}) => label)).not.toContain('key-is-ik');
    expect(keys.map((key) => hexOf(key.bytes))).toContain(under({selfEncrypted: true}));
    const transaction = keys.find(({label}) => label === 'key-is-transaction-key');
    expect(transaction && hexOf(transaction.bytes)).toBe(under({variant: 'none'}));
  });

  it('of AES DUKPT are those of the device alone under its initial key', () => {
    const ik = aesInitialKey({bdk: BDK, ksn: AES_KSN, usage: 0});
    const keys = keysOfRead({bytes: new Uint8Array(ik), role: 'ik'}, parseKsn(AES_KSN));
    expect(keys.map(({label}) => label)).not.toContain('key-is-ik');
    const transaction = keys.find(({label}) => label === 'key-is-transaction-key');
    const expected = aesTransactionKey({bdk: BDK, ksn: AES_KSN, usage: 0}).toString('hex');
    expect(transaction && hexOf(transaction.bytes)).toBe(expected);
  });

  const aes = {bdk: BDK, ksn: AES_KSN};
  it.each([
    ['the initial key of the device', 'key-is-ik', aesInitialKey({...aes, usage: 0})],
    ['the transaction key', 'key-is-transaction-key', aesTransactionKey({...aes, usage: 0})],
    [
      'the data-encryption key (aes128)',
      'key-is-working-key',
      aesDerivedKey({...aes, usage: 0x3000, algorithm: 2}),
    ],
    [
      'the mac-verification key (2tdea)',
      'key-is-working-key',
      aesDerivedKey({...aes, usage: 0x2001, algorithm: 0}),
    ],
  ])('of AES DUKPT hold %s', (what, label, key) => {
    const all = keysOfRead(bdk, parseKsn(AES_KSN)).map((one) => ({
      ...one,
      bytes: hexOf(one.bytes),
    }));
    expect(all).toContainEqual({what, label, bytes: key.toString('hex')});
  });

  it('name the published key that they are under', () => {
    const [first] = keysOfRead({...bdk, name: 'test BDK'}, parseKsn(KSN));
    expect(first?.what).toBe('the initial key of the device under the test BDK');
    expect(rootKey({...bdk, name: 'test BDK'}).what).toBe('the BDK itself, the test BDK');
    expect(rootKey({...bdk, role: 'ik'}).label).toBe('key-is-ik');
  });

  it('are none of a key that no such KSN has', () => {
    expect(keysOfRead({bytes: new Uint8Array(24), role: 'bdk'}, parseKsn(KSN))).toEqual([]);
    expect(keysOfRead({bytes: new Uint8Array(8), role: 'bdk'}, parseKsn(AES_KSN))).toEqual([]);
  });
});

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

function hexOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex');
}
