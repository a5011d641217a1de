import {beforeEach, describe, expect, it, vi} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {DES_BLOCKS, TRIAL_PASSES, wordsAt} from '../../../src/engine/cipher/des-memory.js';
import {KeyRing, type RingKey, type TransactionKey} from '../../../src/engine/dukpt/key-ring.js';
import {type Ksn, parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {fromHex} from '../hex.js';

/** What TDES works on, but for the published keys of its self-test. */
const tdesMemory = wordsAt(DES_BLOCKS, (TRIAL_PASSES - DES_BLOCKS) / 4);

/** The arrays of words that the ciphers were given, and those that keys were read into. */
const {seen, watched} = vi.hoisted(() => {
  const seen = new Set<Int32Array>();
  const see = (value: unknown) => {
    if (value instanceof Int32Array) seen.add(value);
  };
  const watch =
    (value: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      const found = value(...given);
      for (const one of [...given, found]) see(one);
      return found;
    };
  const watched = async (original: () => Promise<object>) => {
    const entries = Object.entries(await original());
    return Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === 'function' ? watch(value) : value]),
    );
  };
  return {seen, watched};
});

vi.mock('../../../src/engine/cipher/aes.js', watched);
vi.mock('../../../src/engine/cipher/words.js', watched);

const SECRETS: Readonly<Record<string, Pick<RingKey, 'kind' | 'algorithm'> & {hex: string}>> = {
  'an AES-128 BDK': {kind: 'bdk', algorithm: 'aes', hex: 'FEDCBA9876543210F1F1F1F1F1F1F1F1'},
  'an AES-256 BDK': {
    ...{kind: 'bdk', algorithm: 'aes'},
    hex: 'FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1',
  },
  'an AES initial key': {kind: 'ik', algorithm: 'aes', hex: '1273671EA26AC29AFA4D1084127652A1'},
  'a TDES BDK': {kind: 'bdk', algorithm: 'tdes', hex: '0123456789ABCDEFFEDCBA9876543210'},
  'a TDES initial key': {kind: 'ik', algorithm: 'tdes', hex: '6AC292FAA1315B4D858AB3A3D7D5933A'},
};

function ringOf(name: string): KeyRing {
  const {hex = '', kind = 'bdk', algorithm = 'tdes'} = SECRETS[name] ?? {};
  const ksnPrefix = algorithm === 'aes' ? '1234567890123456' : 'FFFF9876543210E';
  const secret = new Secret(fromHex(hex));
  const prefix = kind === 'ik' ? {ksnPrefix} : {};
  return new KeyRing([{kind, algorithm, secret, ...prefix}], {cache: false});
}

function ksnOf(name: string): Ksn {
  const isAes = SECRETS[name]?.algorithm === 'aes';
  return parseKsn(isAes ? '123456789012345600000007' : 'FFFF9876543210E00007');
}

const USES: Readonly<Record<string, (transaction: TransactionKey, isAes: boolean) => unknown>> = {
  'derived alone': () => undefined,
  revealed: (transaction) => transaction.reveal(),
  'made a working key': (transaction, isAes) =>
    isAes
      ? transaction.aesWorkingKey('data-encryption', 'aes128')
      : transaction.workingKey('data', true),
};

function use(name: string, how = 'derived alone'): void {
  const ring = ringOf(name);
  const transaction = ring.transaction(ksnOf(name));
  USES[how]?.(transaction, SECRETS[name]?.algorithm === 'aes');
  transaction.wipe();
  ring.wipe();
}

// The self-tests, which keep published keys, have run.
beforeEach(() => {
  for (const name of Object.keys(SECRETS)) use(name);
  seen.clear();
});

describe('nothing is left in working memory of', () => {
  it.each(Object.keys(SECRETS))('%s, used for its initial key', (name) => {
    const ring = ringOf(name);
    ring.initialKey(ksnOf(name));
    ring.wipe();
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen, tdesMemory].filter((words) => words.some((word) => word !== 0))).toEqual([]);
  });

  it.each(
    Object.keys(SECRETS).flatMap((name) => Object.keys(USES).map((how) => [name, how] as const)),
  )('%s, whose transaction key is %s', (name, how) => {
    use(name, how);
    expect(seen.size).toBeGreaterThan(0);
    const left = [...seen, tdesMemory].filter((words) => words.some((word) => word !== 0));
    expect(left.map(({length}) => length)).toEqual([]);
  });
});
