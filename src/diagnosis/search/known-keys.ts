import {toBytes, toWords} from '../../engine/cipher/words.js';
import {aesIdentity, prepareAesKey} from '../../engine/dukpt/aes.js';
import {AesTransactionKey, writeAesInitialKey} from '../../engine/dukpt/aes-transaction-key.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {prepareBdk, writeInitialKey} from '../../engine/dukpt/tdes.js';
import {TdesTransactionKey} from '../../engine/dukpt/tdes-transaction-key.js';
import type {Label} from '../labels.js';
import {AES_TYPES_BY_LENGTH, aesWorkingKeys} from './aes-working-keys.js';
import {AES_USAGES, TDES_SETTINGS, workingWords} from './key-trial.js';

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
  const under = root.name === undefined ? '' : ` under the ${root.name}`;
  const keys = isAes ? aesKnownKeys(root, ksn) : tdesKeys(root, ksn);
  return keys.map((key) => ({...key, what: key.what + under}));
}

function tdesKeys({bytes, role}: KnownRoot, ksn: Ksn): KnownKey[] {
  if (bytes.length !== 16) return [];
  const base = role === 'bdk' ? prepareBdk(bytes) : toWords(bytes);
  const words = toWords(new TdesTransactionKey(base, ksn).reveal());
  const device = new Int32Array(4);
  if (role === 'bdk') writeInitialKey(device, prepareBdk(bytes), ksn);
  const working = TDES_SETTINGS.map((setting): KnownKey => {
    const into = new Int32Array(4);
    workingWords(into, words, setting);
    const what = `the ${setting.variant} key${setting.selfEncrypted ? ', self-encrypted,' : ''}`;
    return {bytes: toBytes(into), what, label: 'key-is-working-key'};
  });
  return [...upTo(role, toBytes(device), toBytes(words)), ...working];
}

function aesKnownKeys({bytes, role}: KnownRoot, ksn: Ksn): KnownKey[] {
  const types = AES_TYPES_BY_LENGTH[bytes.length];
  const derive = types && aesWorkingKeys(bytes, role, ksn);
  if (!derive) return [];
  const root = role === 'ik' ? toWords(bytes) : prepareAesKey(bytes);
  const device = new Int32Array(bytes.length / 4);
  if (role === 'bdk') writeAesInitialKey(device, root, aesIdentity(ksn));
  const working = AES_USAGES.flatMap((usage) =>
    types.flatMap((type): KnownKey[] => {
      const key = derive(usage, type);
      const what = `the ${usage} key (${type})`;
      return key ? [{bytes: key, what, label: 'key-is-working-key'}] : [];
    }),
  );
  const transaction = new AesTransactionKey(root, ksn).reveal();
  return [...upTo(role, toBytes(device), transaction), ...working];
}

/** The keys between root and working keys; an initial key as root has no other initial key. */
function upTo(role: KnownRoot['role'], device: Uint8Array, transaction: Uint8Array): KnownKey[] {
  const initial: KnownKey = {
    bytes: device,
    what: 'the initial key of the device',
    label: 'key-is-ik',
  };
  const last: KnownKey = {
    bytes: transaction,
    what: 'the transaction key',
    label: 'key-is-transaction-key',
  };
  return role === 'bdk' ? [initial, last] : [last];
}
