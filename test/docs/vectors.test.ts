import {createCipheriv} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {Ajv} from 'ajv';
import Dukpt from 'dukpt';
import {describe, expect, it} from 'vitest';
import {decrypt, deriveKeys, PaylensError, simulate, unwrapKeyBlock} from '../../src/index.js';
import {aesDerivedKey, aesInitialKey, aesTransactionKey} from '../diagnosis/aes-dukpt.js';
import {cmac, openIndependently} from '../keyfile/independent-key-block.js';
import * as tdes from './tdes-dukpt.js';

type Vector = Readonly<Record<string, string>> & {
  readonly tcId: number;
  readonly flags: readonly string[];
  readonly sources?: readonly string[];
  readonly format: 0 | 1 | 3 | 4;
  readonly selfEncrypted?: boolean;
};

const FOLDER = 'docs/vectors';
const json = (name: string) => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'));
const FILES = readdirSync(FOLDER).filter((name) => !name.includes('schema'));
const vectorsOf = (file: string, type: string): readonly Vector[] =>
  json(file).testGroups.find((group: {type: string}) => group.type === type)?.tests ?? [];
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();
const bytesOf = (text: string | undefined) => Buffer.from(text ?? '', 'hex');

/** The tests that a check fails, by their ids. */
function failing(vectors: readonly Vector[], holds: (vector: Vector) => boolean): number[] {
  expect(vectors.length).toBeGreaterThan(0);
  return vectors.filter((vector) => !holds(vector)).map(({tcId}) => tcId);
}

/** The code of the error that a call throws; 0 if it throws none. */
function codeOf(call: () => unknown): number {
  try {
    call();
    return 0;
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

describe.each(FILES)('%s', (file) => {
  const {numberOfTests, sources, notes, testGroups} = json(file);
  const all: Vector[] = testGroups.flatMap(({tests}: {tests: Vector[]}) => tests);

  it('fits its schema', () => {
    const validate = new Ajv({allErrors: true}).compile(json('vectors.schema.json'));
    validate(json(file));
    expect(validate.errors).toBe(null);
  });

  it('counts its tests, and names their sources and flags', () => {
    const ids = all.map(({tcId}) => tcId).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from(all, (_, i) => i + 1));
    expect(all).toHaveLength(numberOfTests);
    expect(new Set(all.flatMap(({flags}) => flags))).toEqual(new Set(Object.keys(notes)));
    const named = all.flatMap((one) => one.sources ?? []).filter((one) => /^[a-z-]+$/.test(one));
    expect(new Set(named)).toEqual(new Set(Object.keys(sources)));
  });
});

const AES_USAGES: Readonly<Record<string, number>> = {
  ...{kek: 2, pin: 0x1000, 'mac-generation': 0x2000, 'mac-verification': 0x2001, mac: 0x2002},
  ...{'data-encryption': 0x3000, 'data-decryption': 0x3001, data: 0x3002},
};
const AES_TYPES = ['2tdea', '3tdea', 'aes128', 'aes192', 'aes256'];

/** A key by the second implementation: X9.24-1:2009, Annex A, or X9.24-3:2017, 6.3. */
function independentKey({bdk = '', ksn = '', usage, keyType = '', selfEncrypted}: Vector): Buffer {
  const of = {bdk, ksn, usage: AES_USAGES[usage ?? ''] ?? 0};
  if (ksn.length === 24) {
    if (usage === undefined) return aesInitialKey(of);
    if (usage === 'transaction-key') return aesTransactionKey(of);
    const bits = Number(/\d{3}$/.exec(keyType)?.[0] ?? (keyType === '3tdea' ? 192 : 128));
    const type = AES_TYPES.indexOf(keyType);
    return aesDerivedKey({...of, algorithm: type < 0 ? AES_TYPES.length : type, bits});
  }
  const initial = tdes.initialKeyOf(bytesOf(bdk), bytesOf(ksn));
  if (usage === undefined) return initial;
  const transaction = tdes.transactionKeyOf(initial, bytesOf(ksn));
  if (usage === 'transaction-key') return transaction;
  return tdes.workingKeyOf(transaction, tdes.TDES_MASKS[usage] ?? '', selfEncrypted === true);
}

const TDES_NAMES: Readonly<Record<string, string>> = {
  ...{pin: 'PIN', 'mac-request': 'MAC request', 'mac-response': 'MAC response'},
  ...{'data-request': 'data request', 'data-response': 'data response'},
};

/** The same key by `deriveKeys`, found by its name or, under AES DUKPT, its usage. */
function ownKey({bdk = '', ksn = '', usage, keyType, selfEncrypted}: Vector): Buffer {
  const type = keyType as 'aes128' | undefined;
  const {keys} = deriveKeys(ksn, {keys: {bdk}, ...(type && {keyType: type})});
  const number = AES_USAGES[usage ?? '']?.toString(16).padStart(4, '0');
  const base = usage === undefined ? 'IK' : (TDES_NAMES[usage] ?? 'transaction key');
  const name = selfEncrypted ? `${base}, self-encrypted` : base;
  const found = keys.find((key) =>
    ksn.length === 24 && number ? key.usage === number : key.name === name,
  );
  return Buffer.from(found?.key ?? []);
}

/** Of a MAC or a ciphertext: what a key gives. */
function resultUnder(key: Buffer, {algorithm, message, keyType, plaintext, iv}: Vector): string {
  if (algorithm === 'CMAC') return hex(cmac(keyType !== undefined, key, bytesOf(message)));
  if (message !== undefined) return hex(tdes.retailMac(key, bytesOf(message)));
  const name = keyType ? `aes-${8 * key.length}-cbc` : 'des-ede3-cbc';
  const whole = keyType ? key : Buffer.concat([key, key.subarray(0, 8)]);
  const cipher = createCipheriv(name, whole, bytesOf(iv)).setAutoPadding(false);
  return hex(cipher.update(bytesOf(plaintext)));
}

describe.each(['dukpt-tdes.json', 'dukpt-aes.json'])('%s', (file) => {
  it.each(['initial-key', 'working-key'])('%s: a second implementation and paylens', (type) => {
    const vectors = vectorsOf(file, type);
    expect(failing(vectors, (one) => hex(independentKey(one)) === one.expected)).toEqual([]);
    expect(failing(vectors, (one) => hex(ownKey(one)) === one.expected)).toEqual([]);
  });

  it.each(['mac', 'ciphertext'])('%s: a second implementation, and the keys of paylens', (type) => {
    const vectors = vectorsOf(file, type);
    const isRight = (keyOf: (one: Vector) => Buffer) => (one: Vector) =>
      resultUnder(keyOf(one), one) === one.expected;
    expect(failing(vectors, isRight(independentKey))).toEqual([]);
    expect(failing(vectors, isRight(ownKey))).toEqual([]);
  });

  it('paylens refuses what is invalid', () => {
    const invalid = vectorsOf(file, 'refused-input').filter(({result}) => result === 'invalid');
    expect(failing(invalid, (one) => codeOf(() => working(one)) !== 0)).toEqual([]);
  });
});

/** The keys of a KSN; counter 0 has no working key. */
function working({bdk = '', ksn = '', keyType}: Vector): void {
  const type = keyType as 'aes128' | undefined;
  const {keys} = deriveKeys(ksn, {keys: {bdk}, ...(type && {keyType: type})});
  if (keys.length < 2) throw new PaylensError(2400);
}

it('the dukpt of npm gives the values that name it', () => {
  const vectors = vectorsOf('dukpt-tdes.json', 'working-key').filter((one) =>
    one.sources?.includes('npm-dukpt'),
  );
  const mode = {pin: 'pinkey', 'mac-request': 'mackey', 'data-request': 'datakey'} as const;
  const keyBy = ({bdk = '', ksn = '', usage}: Vector) =>
    new Dukpt(bdk, ksn, mode[usage as keyof typeof mode])._sessionKey;
  expect(failing(vectors, (one) => keyBy(one).toUpperCase() === one.expected)).toEqual([]);
});

describe('PIN blocks', () => {
  const vectors = vectorsOf('pin-block.json', 'pin-block');

  it('are under the key that a second implementation derives', () => {
    const keyOf = (one: Vector) =>
      independentKey({...one, usage: 'pin', keyType: one.format === 4 ? 'aes128' : ''} as never);
    expect(failing(vectors, (one) => hex(keyOf(one)) === one.key)).toEqual([]);
  });

  it.each(vectors)('$tcId: $comment, in a message of a miura', async (vector) => {
    const {bdk = '', ksn = '', pan = '', block = '', format, expected} = vector;
    const keys = [{bdk: '0123456789ABCDEFFEDCBA9876543210', ksnPrefix: 'FFFF987654'}];
    const [deviceType, mode, options] = ['miura', 'emv', {form: 'flat'}] as const;
    const card = {pan};
    const made = await simulate({
      deviceType,
      mode,
      options,
      card,
      keys,
      ksn: 'FFFF9876543210E00009',
    });
    const tlv = (tag: string, value: string) =>
      tag + (value.length / 2).toString(16).padStart(2, '0') + value;
    const payload = made.devicePayload + tlv('DFAE04', block) + tlv('DFAE05', ksn);
    const all = format === 4 ? [...keys, {bdk, ksnPrefix: ksn.slice(0, 10)}] : keys;
    const open = () => decrypt(payload, {deviceType, keys: all, pin: true, pinFormat: format});
    if (expected === undefined) expect(codeOf(open)).toBe(9051);
    else expect(open().pin).toMatchObject({digits: expected, format});
  });
});

describe('key blocks', () => {
  const [valid, invalid] = ['valid', 'invalid'].map((result) =>
    vectorsOf('key-block.json', 'key-block').filter((one) => one.result === result),
  ) as [Vector[], Vector[]];
  const opened = ({block = '', kbpk = ''}: Vector) => unwrapKeyBlock(block, {kbpk});

  it('unwrap to the published keys, by a second implementation, too', () => {
    expect(failing(valid, (one) => hex(opened(one).key) === one.expected)).toEqual([]);
    const known = valid.filter(({block}) => /^[BD]/.test(block ?? ''));
    const keyOf = ({block = '', kbpk = ''}: Vector) => openIndependently(block, kbpk).key;
    expect(failing(known, (one) => keyOf(one) === one.expected)).toEqual([]);
  });

  it('are refused if anything was changed', () => {
    expect(failing(invalid, (one) => codeOf(() => opened(one)) === 9015)).toEqual([]);
  });
});

it('reads give their card, or one of their errors', () => {
  const differ = vectorsOf('reads.json', 'read').filter((vector) => {
    const {devicePayload = '', keys, expected, errCodes, ...rest} = vector as unknown as ReadVector;
    const {deviceType, ksn, iv, deviceSerial} = rest;
    const all = keys.map(({kind, hex: key, ksnPrefix}) => ({
      [kind]: key,
      ...(ksnPrefix && {ksnPrefix}),
    }));
    const options = {deviceType, ksn, iv, deviceSerial, keys: all as never};
    if (vector.result === 'acceptable') return false;
    if (errCodes) return !errCodes.includes(codeOf(() => decrypt(devicePayload, options)));
    const {extracted} = decrypt(devicePayload, options);
    return Object.entries(expected ?? {}).some(
      ([name, value]) => JSON.stringify(extracted[name as 'PAN']) !== JSON.stringify(value),
    );
  });
  expect(differ.map(({tcId}) => tcId)).toEqual([]);
});

interface ReadVector {
  readonly deviceType: string;
  readonly devicePayload: string;
  readonly ksn?: string;
  readonly iv?: string;
  readonly deviceSerial?: string;
  readonly keys: readonly {kind: string; hex: string; ksnPrefix?: string}[];
  readonly expected?: Readonly<Record<string, unknown>>;
  readonly errCodes?: readonly number[];
}
