import {toBytes, toWords} from '../../engine/cipher/words.js';
import {aesIdentity} from '../../engine/dukpt/aes.js';
import {AesTransactionKey, writeAesInitialKey} from '../../engine/dukpt/aes-transaction-key.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {prepareBdk} from '../../engine/dukpt/tdes.js';
import {TdesTransactionKey, writeTdesInitialKey} from '../../engine/dukpt/tdes-transaction-key.js';
import type {Label} from '../labels.js';
import {aesRoot, type TrialSetting, WorkingKeys} from './working-keys.js';

/** A key from which the keys of a transaction are derived. */
export interface KnownRoot {
  readonly bytes: Uint8Array;
  readonly role: 'bdk' | 'ik';
  /** Name of a published key. */
  readonly name?: string;
}

/** A key derived from a known one, and the finding for a key that equals it. */
export interface KnownKey {
  readonly bytes: Uint8Array;
  readonly what: string;
  readonly label: Label;
}

/** The root itself, as BDK or as initial key. */
export function rootKey({bytes, role, name}: KnownRoot): KnownKey {
  const under = name === undefined ? '' : `, the ${name}`;
  return role === 'bdk'
    ? {bytes, what: `the BDK itself${under}`, label: 'key-is-bdk'}
    : {bytes, what: `the initial key of the device${under}`, label: 'key-is-ik'};
}

/** The initial key under a BDK, the transaction key and every working key of one KSN. */
export function keysOfRead(
  root: KnownRoot,
  ksn: Ksn,
  isAes: boolean = ksn.scheme === 'aes',
): KnownKey[] {
  const working = [...new WorkingKeys().of(root, ksn, {isAes})].map(
    ([setting, bytes]): KnownKey => ({bytes, what: nameOf(setting), label: 'key-is-working-key'}),
  );
  if (working.length === 0) return [];
  const [device, transaction] = deviceKeys(root, ksn, isAes);
  const keys: KnownKey[] = [
    {bytes: device, what: 'the initial key of the device', label: 'key-is-ik'},
    {bytes: transaction, what: 'the transaction key', label: 'key-is-transaction-key'},
    ...working,
  ];
  const under = root.name === undefined ? '' : ` under the ${root.name}`;
  return keys.slice(root.role === 'ik' ? 1 : 0).map((key) => ({...key, what: key.what + under}));
}

function nameOf({variant, selfEncrypted, usage, type}: TrialSetting): string {
  if (usage !== undefined) return `the ${usage} key (${type})`;
  return `the ${variant} key${selfEncrypted ? ', self-encrypted,' : ''}`;
}

/** The keys between a root and its working keys: the initial key and the transaction key. */
function deviceKeys({bytes, role}: KnownRoot, ksn: Ksn, isAes: boolean): [Uint8Array, Uint8Array] {
  const device = new Int32Array(bytes.length / 4);
  if (isAes) {
    const root = aesRoot(bytes, role);
    writeAesInitialKey(device, root, aesIdentity(ksn));
    return [toBytes(device), new AesTransactionKey(root, ksn).reveal()];
  }
  const root = role === 'bdk' ? prepareBdk(bytes) : toWords(bytes);
  writeTdesInitialKey(device, root, ksn);
  return [toBytes(device), new TdesTransactionKey(root, ksn).reveal()];
}
