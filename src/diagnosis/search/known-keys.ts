import {toBytes, toWords} from '../../engine/cipher/words.js';
import {aesIdentity} from '../../engine/dukpt/aes.js';
import {AesTransactionKey, writeAesInitialKey} from '../../engine/dukpt/aes-transaction-key.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {tdesInitialKey} from '../../engine/dukpt/tdes.js';
import {TdesTransactionKey} from '../../engine/dukpt/tdes-transaction-key.js';
import type {SearchKeys} from '../../input/case.js';
import {hexOf} from '../../platform/bytes.js';
import {type DigitEdit, digitEdits} from '../candidates/digit-edits.js';
import {type KeyCandidate, oddParity} from '../candidates/key-candidates.js';
import {publishedKeys, simpleKeys} from '../candidates/published-keys.js';
import type {Label} from '../labels.js';
import {aesRoot, WorkingKeys} from './working-keys.js';

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
    ([setting, bytes]): KnownKey => {
      const {variant, selfEncrypted, usage, type} = setting;
      const tdes = `the ${variant} key${selfEncrypted ? ', self-encrypted,' : ''}`;
      const what = usage === undefined ? tdes : `the ${usage} key (${type})`;
      return {bytes, what, label: 'key-is-working-key'};
    },
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

/** The keys between a root and its working keys: the initial key and the transaction key. */
function deviceKeys({bytes, role}: KnownRoot, ksn: Ksn, isAes: boolean): [Uint8Array, Uint8Array] {
  if (isAes) {
    const device = new Int32Array(bytes.length / 4);
    const root = aesRoot(bytes, role);
    writeAesInitialKey(device, root, aesIdentity(ksn));
    return [toBytes(device), new AesTransactionKey(root, ksn).reveal()];
  }
  const root = {kind: role, words: toWords(bytes)};
  return [tdesInitialKey(root, ksn), new TdesTransactionKey(root, ksn).reveal()];
}

/** The digits of a key as typed, whole bytes or not. */
export interface TypedKey {
  readonly digits: string;
  readonly source: string;
}

/** A known key, prepared for comparison with what was typed. */
export interface Compared extends KnownKey {
  readonly hex: string;
  /** In hex, adjusted to odd parity. */
  readonly odd: string;
}

/** A key of 16 bytes that lost two digits. */
const MIN_KEY_DIGITS = 30;
/** With so few wrong digits a match is never chance: one in 2^90 for all keys compared. */
const MAX_EDITS = 2;

/** The given keys, in lower-case hex. */
export function typedKeys({all, written}: SearchKeys): TypedKey[] {
  const whole = all
    .filter(({origin, bytes}) => origin === 'given' && bytes.length >= 16)
    .map(({bytes, source}) => ({digits: hexOf(bytes), source}));
  const sources = new Set(whole.map(({source}) => source));
  const others = written.filter(
    ({digits, source}) => !sources.has(source) && digits.length >= MIN_KEY_DIGITS,
  );
  return [...whole, ...others.map(({digits, source}) => ({digits: digits.toLowerCase(), source}))];
}

/** The known key that differs from `digits` by at most two edits. */
export function nearest(
  digits: string,
  known: readonly Compared[],
): (Compared & {readonly edits: readonly DigitEdit[]}) | undefined {
  for (const key of known) {
    const edits = digitEdits(digits, key.hex, MAX_EDITS);
    if (edits) return {...key, edits};
  }
  return undefined;
}

/** The digits with their two halves exchanged. */
export function otherHalfFirst(digits: string): string {
  const middle = digits.length / 2;
  return digits.slice(middle) + digits.slice(0, middle);
}

/** The published keys, and all keys derived from them for these KSNs. */
export function publishedKnown(ksns: readonly Ksn[]): Compared[] {
  return publishedRoots().flatMap((root) => knownUnder(root, ksns));
}

function knownUnder(root: KnownRoot, ksns: readonly Ksn[]): Compared[] {
  return [rootKey(root), ...ksns.flatMap((ksn) => keysOfRead(root, ksn))].map(inHex);
}

/** The published keys that a typed key, or one derived from them, was meant to be. */
export function nearlyPublished(keys: SearchKeys, ksns: readonly Ksn[]): KeyCandidate[] {
  const typed = typedKeys(keys);
  if (typed.length === 0) return [];
  const origin = 'published';
  return publishedRoots()
    .filter((root) => {
      const known = knownUnder(root, ksns);
      const isHalved = (digits: string) => known.some(({hex}) => hex === otherHalfFirst(digits));
      return typed.some(({digits}) => nearest(digits, known) || isHalved(digits));
    })
    .map(({bytes, role, name}) => ({bytes, role, source: name, madeOf: [name], origin}));
}

/** A known key in the hex forms used for comparison. */
export function inHex(key: KnownKey): Compared {
  return {...key, hex: hexOf(key.bytes), odd: hexOf(oddParity(key.bytes))};
}

function publishedRoots(): Required<KnownRoot>[] {
  return [...publishedKeys(), ...simpleKeys()].flatMap(({bytes, kind, source}) =>
    kind === 'bdk' || kind === 'ik' ? [{bytes, role: kind, name: source}] : [],
  );
}
