import {createCipheriv, createDecipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {Mode} from '../../src/contract/process-payload.js';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing, type RingKey, testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../src/engine/dukpt/ksn.js';
import {Explainer} from '../../src/engine/explanation.js';
import {TERMINAL_TYPES, TERMINALS} from '../../src/engine/families/registry.js';
import {TerminalSet} from '../../src/engine/families/terminal-set.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../writers.js';
import {errorOf} from './error-of.js';
import {fromHex, toHex} from './hex.js';
import {answer, TEST_BDK} from './samples.js';
import {lrcOf, workingKey} from './terminal.js';

const visa = TEST_CARDS[0] as TestCard;
const KSN = 'FFFF9876543210E00003';
const TRACK = `;${visa.pan}=30122010000000000001?`;
const PLAIN = padded(TRACK + lrcOf(TRACK), 16);
/** Three keys of TDES in a row; 16 and 8 bytes of it are shorter keys. */
const LONG = 'EA528A43B02652FDEB538B42B12753FC0F1E2D3C4B5A6978';

function padded(text: string, block: number): Buffer {
  return Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(-text.length & (block - 1))]);
}

/** By node:crypto; OpenSSL 3 has no DES, which is TDES with three equal keys. */
function encrypted(name: string, hex: string): string {
  const key = Buffer.from(hex, 'hex');
  const whole = {8: [key, key, key], 16: [key, key.subarray(0, 8)]}[key.length] ?? [key];
  const isTdes = name.startsWith('des');
  const iv = name.includes('cbc') ? Buffer.alloc(isTdes ? 8 : 16) : null;
  const cipher = createCipheriv(name, isTdes ? Buffer.concat(whole) : key, iv);
  return cipher.setAutoPadding(false).update(PLAIN).toString('hex');
}

function working(hex: string, extras: Partial<RingKey> = {}): RingKey {
  return {kind: 'working', secret: new Secret(fromHex(hex)), ...extras};
}

function base(extras: Partial<RingKey> = {}): RingKey {
  return {...working(TEST_BDK, extras), kind: 'bdk'};
}

function generic(track2: string, more: object = {}) {
  return {deviceType: 'generic' as const, devicePayload: JSON.stringify({track2, ...more})};
}

const CIPHERS = [
  ['des-ede3', 16, {}, 'TDES with two keys'],
  ['des-ede3-cbc', 16, {}, 'TDES with two keys'],
  ['des-ede3', 24, {}, 'TDES with three keys'],
  ['des-ede3-cbc', 24, {}, 'TDES with three keys'],
  ['aes-128-ecb', 16, {algorithm: 'aes'}, 'AES-128'],
  ['aes-128-cbc', 16, {algorithm: 'aes'}, 'AES-128'],
  ['aes-192-cbc', 24, {algorithm: 'aes'}, 'AES-192'],
  ['aes-256-ecb', 32, {}, 'AES-256'],
  ['aes-256-cbc', 32, {}, 'AES-256'],
] as const;

describe('a working key', () => {
  it.each(CIPHERS)('of %s, %i bytes, decrypts data without a KSN', (name, bytes, extras, usage) => {
    const hex = LONG.repeat(2).slice(0, 2 * bytes);
    const keys = new KeyRing([working(hex, {name: 'lab', ...extras})]);
    const observer = new Explainer(keys, 'generic');
    const request = generic(encrypted(name, hex));
    const result = processPayload(request, keys, {observer});
    const [field] = observer.explanation?.fields ?? [];
    expect(result).toMatchObject({meta: {serial: ''}, extracted: {PAN: visa.pan}});
    expect(field).toMatchObject({
      key: {name: 'lab'},
      ...{scheme: 'working', usage, mode: name.includes('cbc') ? 'cbc' : 'ecb'},
    });
    expect(field && 'ksn' in field).toBe(false);
  });

  it('has the mode that the request states, and no other', () => {
    const hex = LONG.slice(0, 32);
    const keys = new KeyRing([working(hex)]);
    const wrong = generic(encrypted('des-ede3', hex), {mode: 'cbc'});
    expect(answer(wrong, keys)).toMatchObject({errCode: 2601});
  });

  it('of 8 bytes is refused where the format has no single DES', () => {
    const hex = LONG.slice(0, 16);
    const keys = new KeyRing([working(hex, {name: 'lab'})]);
    expect(answer(generic(encrypted('des-ede3', hex)), keys)).toEqual({
      errCode: 9015,
      message: expect.stringContaining('lab of 8 bytes: single DES does not occur'),
    });
  });

  it('of 8 bytes is that of DES where the format has it', () => {
    const hex = LONG.slice(0, 16);
    const {generic: terminal} = TERMINALS;
    const terminals = new TerminalSet([
      {
        ...terminal,
        read: (payload, trace) => {
          const reading = terminal.read(payload, trace);
          const candidates = reading.candidates.map((fields) =>
            fields.map((field) => ({...field, singleDes: true})),
          );
          return {...reading, candidates};
        },
      },
    ]);
    const request = generic(encrypted('des-ede3', hex));
    const result = processPayload(request, new KeyRing([working(hex)]), {terminals});
    expect(result.extracted.PAN).toBe(visa.pan);
  });

  // Ingenico RA1 encrypts by a scheme of its own alone.
  const types = TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1');
  const shapes = types.flatMap((deviceType) =>
    writerOf(deviceType).modes.map((mode: Mode) => ({deviceType, mode})),
  );

  /** A MagneSafe reader encrypts tracks under the PIN variant unless it is set otherwise. */
  const variantOf = ({deviceType, mode}: (typeof shapes)[number]) =>
    deviceType === 'magtek' && mode !== 'emv' ? ({variant: 'pin'} as const) : {};

  it.each(shapes)('of a transaction decrypts as its BDK does: $deviceType, $mode', (shape) => {
    const made = simulate({...shape, card: visa, ksn: KSN, keys: testKeyRing()});
    const ring = testKeyRing();
    const observer = new Explainer(ring, shape.deviceType);
    const expected = processPayload(made, ring, {observer});
    const keys = (observer.explanation?.fields ?? []).map(({ksn}) => ksn?.text ?? '');
    const own = [...new Set(keys)].map((ksnPrefix) =>
      working(workingKey({ksn: ksnPrefix, ...variantOf(shape)}).toString('hex'), {ksnPrefix}),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(processPayload(made, new KeyRing(own))).toEqual(expected);
  });

  it('is used by simulate as it is', () => {
    const hex = LONG.slice(0, 32);
    const keys = new KeyRing([working(hex)]);
    const made = simulate({deviceType: 'generic', mode: 'swiped', card: visa, ksn: KSN, keys});
    const {track2} = JSON.parse(made.devicePayload);
    const whole = Buffer.from(hex + hex.slice(0, 16), 'hex');
    const cipher = createDecipheriv('des-ede3-cbc', whole, Buffer.alloc(8));
    const plain = cipher.setAutoPadding(false).update(track2, 'hex').toString('latin1');
    expect(plain).toContain(`;${visa.pan}=`);
  });
});

describe('the choice of a working key', () => {
  const first = 'FFFF9876543210E00001';

  function chosen(keys: readonly RingKey[], ksn?: string): string | undefined {
    return new KeyRing(keys).find(ksn === undefined ? undefined : parseKsn(ksn))?.name;
  }

  it.each([
    ['data without a KSN', [base({name: 'bdk'}), working(LONG, {name: 'wk'})], undefined, 'wk'],
    ['none', [base({name: 'bdk'})], undefined, undefined],
    ['none for one transaction', [working(LONG, {ksnPrefix: first})], undefined, undefined],
    ['a base key first', [working(LONG, {name: 'wk'}), base({name: 'bdk'})], first, 'bdk'],
    ['the longer prefix', [working(LONG, {name: 'wk', ksnPrefix: first}), base()], first, 'wk'],
    ['one transaction alone', [working(LONG, {name: 'wk', ksnPrefix: first})], KSN, undefined],
    ['every KSN', [working(LONG, {name: 'wk', ksnPrefix: ''})], KSN, 'wk'],
    ['every AES KSN', [working(LONG, {name: 'wk'})], '123456789012345600000001', 'wk'],
  ])('is that of %s', (_, keys, ksn, name) => {
    expect(chosen(keys, ksn)).toBe(name);
  });

  it('says that data without a KSN has no key', () => {
    const {code, detail} = errorOf(() => new KeyRing([base()]).transaction(undefined));
    expect([code, detail]).toEqual([2600, 'data without a KSN']);
  });

  it('derives nothing from it', () => {
    const ring = new KeyRing([working(LONG)]);
    expect(errorOf(() => ring.initialKey(parseKsn(KSN))).code).toBe(2600);
    expect(toHex(ring.transaction(parseKsn(KSN)).workingKey('data', true))).toBe(LONG);
  });

  it('leaves data without a KSN at 2400 where there is none', () => {
    const request = generic(encrypted('des-ede3-cbc', LONG.slice(0, 32)));
    expect(answer(request)).toMatchObject({errCode: 2400});
  });

  it.each([
    [{}, 7, 'working key: expected 8, 16, 24 or 32 bytes, found 7'],
    [{algorithm: 'tdes'}, 32, 'working key: expected 8, 16 or 24 bytes, found 32'],
    [{algorithm: 'aes'}, 8, 'working key: expected 16, 24 or 32 bytes, found 8'],
    [
      {ksnPrefix: 'F'},
      16,
      'working key: KSN prefix: expected 2 to 16, 20 or 24 hex digits, found 1',
    ],
    [
      {compatibility: true},
      16,
      'working key: compatibility: expected a BDK or an IK, found a working key',
    ],
  ] as const)('%j of %i bytes: 9015, %s', (extras, bytes, detail) => {
    const error = errorOf(() => new KeyRing([working('A5'.repeat(bytes), extras)]));
    expect([error.code, error.detail]).toEqual([9015, detail]);
  });
});
