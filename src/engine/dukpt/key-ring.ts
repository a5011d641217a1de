import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {bytesOfHex} from '../../platform/bytes.js';
import type {Algorithm} from '../cipher/block-cipher.js';
import {toBytes, toWords} from '../cipher/words.js';
import {aesIdentity, prepareAesKey, wipeAesWork} from './aes.js';
import {
  type AesRoot,
  AesTransactionKey,
  keyWords,
  writeAesInitialKey,
} from './aes-transaction-key.js';
import {DeviceCache} from './device-cache.js';
import {dataAlgorithm} from './key-usage.js';
import {deviceWord, type Ksn, keySetId} from './ksn.js';
import {
  checkRingKey,
  type RingKey,
  schemeFor,
  servedPrefixes,
  workingAlgorithm,
} from './ring-key.js';
import {proveAesDukpt, proveTdesDukpt} from './self-tests.js';
import {type TdesRoot, tdesInitialKey} from './tdes.js';
import {TdesTransactionKey} from './tdes-transaction-key.js';
import type {TransactionKey} from './transaction-key.js';
import {WorkingKey} from './working-key.js';

export type {RingKey} from './ring-key.js';
export type {TransactionKey} from './transaction-key.js';

interface RingOptions {
  /** Keeps the future keys of recently seen devices, as terminals do; default on. */
  readonly cache?: boolean;
}

/** A key of the ring, and what is prepared from it at first use. */
interface Entry {
  readonly key: RingKey;
  tdes?: TdesRoot;
  aes?: AesRoot;
}

/** The keys by the beginnings of the KSNs that they serve; of two with the same one, the first. */
interface ServedKeys {
  readonly base: Readonly<Record<Algorithm, Map<string, Entry>>>;
  readonly working: Map<string, Entry>;
  /** The lengths of the beginnings in digits, the longest first. */
  readonly lengths: number[];
}

/** Digits of every KSN that no bit of its counter is in. */
const DIGITS_BEFORE_COUNTER = 14;

/**
 * The available keys. Each KSN is served by the key with the longest matching prefix; of two, a
 * working key comes last. Data without a KSN is served by a working key without a prefix.
 */
export class KeyRing {
  readonly #entries: readonly Entry[];
  readonly #served: ServedKeys;
  readonly #devices: DeviceCache<number> | undefined;
  /** That of a payload is asked for again and again. */
  #last: {readonly ksn: Ksn; readonly entry: Entry | undefined} | undefined;

  /** Throws 9015, naming the key, if one has an invalid length or prefix. */
  constructor(keys: readonly RingKey[], options: RingOptions = {}) {
    for (const key of keys) checkRingKey(key);
    this.#entries = keys.map((key) => ({key}));
    this.#served = servedKeys(this.#entries);
    if (options.cache ?? true) this.#devices = new DeviceCache();
  }

  /** The key that serves `ksn`, or data without a KSN, if there is one. */
  find(ksn: Ksn | undefined): RingKey | undefined {
    return this.#find(ksn)?.key;
  }

  /** The cipher of data under `ksn`: that of the format, unless a working key is of another. */
  algorithm(ksn: Ksn | undefined, format: Algorithm): Algorithm {
    const usual = dataAlgorithm(ksn, format);
    const key = this.#served.working.size > 0 ? this.find(ksn) : undefined;
    return key?.kind === 'working' ? workingAlgorithm(key, usual) : usual;
  }

  /** The transaction key of `ksn`; the caller wipes it. Throws 2600 if there is no key for it. */
  transaction(ksn: Ksn | undefined): TransactionKey {
    const entry = this.#require(ksn);
    if (ksn === undefined || isWorking(entry)) return new WorkingKey(entry.key.secret.reveal());
    const scheme = schemeFor(entry.key, ksn);
    const registers = this.#devices?.registers(fileNumber(ksn, scheme), scheme).claim(ksn);
    if (scheme === 'aes') return new AesTransactionKey(aesRoot(entry), ksn, registers);
    return new TdesTransactionKey(tdesRoot(entry), ksn, registers);
  }

  /**
   * The initial key of the device of `ksn`; the caller wipes it. Throws 2600 if there is no key for
   * it.
   */
  initialKey(ksn: Ksn): Uint8Array {
    const entry = this.#require(ksn);
    if (isWorking(entry)) throw noKey(ksn);
    return schemeFor(entry.key, ksn) === 'tdes'
      ? tdesInitialKey(tdesRoot(entry), ksn)
      : aesInitialKey(aesRoot(entry), ksn);
  }

  /** Zeroes every key of the ring and everything derived from them; afterwards it serves no KSN. */
  wipe(): void {
    for (const entry of this.#entries) wipeEntry(entry);
    this.#served.lengths.length = 0;
    this.#served.working.clear();
    this.#last = undefined;
    this.#devices?.wipe();
  }

  #require(ksn: Ksn | undefined): Entry {
    const entry = this.#find(ksn);
    if (entry) return entry;
    const scheme = ksn?.scheme === 'aes' ? 'tdes' : 'aes';
    throw noKey(ksn, ksn && this.#search(ksn, scheme));
  }

  #find(ksn: Ksn | undefined): Entry | undefined {
    if (!ksn) return this.#served.working.get('');
    if (this.#last?.ksn !== ksn) this.#last = {ksn, entry: this.#search(ksn)};
    return this.#last.entry;
  }

  #search(ksn: Ksn, scheme = ksn.scheme): Entry | undefined {
    const {base, working, lengths} = this.#served;
    for (const length of lengths) {
      const digits = length <= DIGITS_BEFORE_COUNTER ? ksn.hex : ksn.initial;
      // A working key is of one transaction, a base key of all of a device.
      const entry =
        base[scheme].get(digits.slice(0, length)) ??
        (working.size > 0 ? working.get(ksn.hex.slice(0, length)) : undefined);
      if (entry) return entry;
    }
    return undefined;
  }
}

function servedKeys(entries: readonly Entry[]): ServedKeys {
  const base = {tdes: new Map<string, Entry>(), aes: new Map<string, Entry>()};
  const working = new Map<string, Entry>();
  const lengths: number[] = [];
  for (const entry of entries) {
    const {tdes, aes} = servedPrefixes(entry.key);
    addServed(isWorking(entry) ? working : base.tdes, tdes, entry);
    addServed(isWorking(entry) ? working : base.aes, aes, entry);
    const length = entry.key.ksnPrefix?.length ?? 0;
    if (lengths.includes(length)) continue;
    const at = lengths.findIndex((shorter) => shorter < length);
    lengths.splice(at < 0 ? lengths.length : at, 0, length);
  }
  return {base, working, lengths};
}

function addServed(keys: Map<string, Entry>, prefix: string | undefined, entry: Entry): void {
  if (prefix !== undefined && !keys.has(prefix)) keys.set(prefix, entry);
}

/** `other`: a key of the other algorithm that serves the beginning of the KSN. */
function noKey(ksn: Ksn | undefined, other?: Entry): PaylensError {
  if (!ksn) return new PaylensError(2600, 'data without a KSN');
  const set = `key set ${keySetId(ksn)}`;
  if (!other) return new PaylensError(2600, set);
  const [wanted, found] = ksn.scheme === 'aes' ? ['an AES', 'a TDES'] : ['a TDES', 'an AES'];
  const why = `expected ${wanted} key for a KSN of ${ksn.hex.length / 2} bytes`;
  const instead = `found ${found} key of ${other.key.secret.length} bytes`;
  const hint =
    'Check key and algorithm: KSNs of 10 bytes need TDES with 16 bytes, those of 12 AES.';
  return new PaylensError(2600, `${set}: ${why}, ${instead}`, {hint});
}

function isWorking({key}: Entry): boolean {
  return key.kind === 'working';
}

/** A ring of the published test keys. */
export function testKeyRing(options: RingOptions = {}): KeyRing {
  return new KeyRing(testKeys(), options);
}

/**
 * The published test keys: those of ANSI X9.24-1 and X9.24-3 serve every KSN but those of the nexo
 * specification's own.
 */
export function testKeys(): RingKey[] {
  return [
    testKey('tdes', TDES_KEY),
    testKey('aes', AES_KEY),
    Object.assign(testKey('tdes', NEXO_KEY), {name: 'test BDK (nexo)', ksnPrefix: '398725A501'}),
  ];
}

const TDES_KEY = bytesOfHex('0123456789ABCDEFFEDCBA9876543210');
const AES_KEY = bytesOfHex('FEDCBA9876543210F1F1F1F1F1F1F1F1');
/** SpecV1TestKey. */
const NEXO_KEY = bytesOfHex('37233E890B0104E9BC943D0E45EAE5A7');

function testKey(algorithm: 'tdes' | 'aes', bytes: Uint8Array): RingKey {
  const secret = new Secret(bytes);
  return {name: `test BDK (${algorithm.toUpperCase()})`, kind: 'bdk', algorithm, secret};
}

/**
 * The cache slot of a device. Two devices rarely have the same one; they then replace each other.
 */
function fileNumber(ksn: Ksn, scheme: Algorithm): number {
  const mixed = Math.imul(ksn.left, 0x9e3779b1) ^ deviceWord(ksn);
  return (mixed << 1) | (scheme === 'aes' ? 1 : 0);
}

function tdesRoot(entry: Entry): TdesRoot {
  proveTdesDukpt();
  const {kind, secret} = entry.key;
  entry.tdes ??= {kind: kind === 'ik' ? 'ik' : 'bdk', words: toWords(secret.reveal())};
  return entry.tdes;
}

function aesRoot(entry: Entry): AesRoot {
  proveAesDukpt();
  const bytes = entry.key.secret.reveal();
  entry.aes ??= entry.key.kind === 'ik' ? toWords(bytes) : prepareAesKey(bytes);
  return entry.aes;
}

function aesInitialKey(root: AesRoot, ksn: Ksn): Uint8Array {
  const words = new Int32Array(keyWords(root));
  writeAesInitialKey(words, root, aesIdentity(ksn));
  wipeAesWork();
  const key = toBytes(words);
  words.fill(0);
  return key;
}

function wipeEntry({key, tdes, aes}: Entry): void {
  key.secret.wipe();
  if (aes instanceof Int32Array) aes.fill(0);
  else aes?.schedule.fill(0);
  tdes?.words.fill(0);
}
