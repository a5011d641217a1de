import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {Secret} from '../../../src/contract/secret.js';
import {KeyRing, type RingKey} from '../../../src/engine/dukpt/key-ring.js';
import {Explainer} from '../../../src/engine/explanation.js';
import type {TerminalRequest, TerminalType} from '../../../src/engine/families/registry.js';
import {decryptPin} from '../../../src/engine/pin/decrypt-pin.js';
import {PinWatcher} from '../../../src/engine/pin/pin-watcher.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import type {PinBlock} from '../../../src/engine/reading.js';
import {aesDerivedKey} from '../../diagnosis/aes-dukpt.js';
import {errorOf} from '../error-of.js';
import {readSamples, ringOf, type SampleKey, TEST_BDK} from '../samples.js';
import {CARD, CARRIERS, encryptedPin, type Format, KSN, PIN_KSN, pinUnder} from './pin-blocks.js';

const {pan} = CARD;
const AES_BDK = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';
const WRONG_KEYS = process.env.SLOW ? 1_000_000 : 20_000;
const FOREIGN_BLOCKS = process.env.SLOW ? 1_000_000 : 5_000;
const OTHER_BDK = '9F8011E7E71E483B9F8011E7E71E483B';

function ring(...given: readonly Partial<RingKey>[]): KeyRing {
  return new KeyRing(
    given.map((key) => ({kind: 'bdk', secret: secretOf(TEST_BDK), ...key}) as RingKey),
  );
}

function secretOf(hex: string): Secret {
  return new Secret(Buffer.from(hex, 'hex'));
}

function opened(request: TerminalRequest, keys = ring({}), format?: Format) {
  const explainer = new Explainer(keys, request.deviceType);
  const watcher = new PinWatcher(keys, {format, explainer});
  processPayload(request, keys, {observer: explainer, onCard: watcher.onCard});
  return {watcher, explanation: explainer.explanation};
}

function pinOf(request: TerminalRequest, keys = ring({}), format?: Format) {
  try {
    return opened(request, keys, format).watcher.shown(true);
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

const ALL = Object.entries(CARRIERS).flatMap(([type, carriers]) =>
  carriers.map((carrier, i) => ({deviceType: type as TerminalType, carrier, name: `${type} ${i}`})),
);

const CASES: readonly (readonly [Format, string, string])[] = [
  [0, '1234', PIN_KSN],
  [0, '987654', PIN_KSN],
  [3, '1234', KSN],
  [1, '12345', KSN],
  [1, '123456789012', KSN],
  [4, '1234', PIN_KSN],
];

const FORMATS: readonly Format[] = [0, 1, 3, 4];

describe.each(ALL)('the PIN block of $name', ({deviceType, carrier, name}) => {
  // DSpread's C7 of 16 bytes is in no description of its messages.
  const cases = CASES.filter(([format]) => format !== 4 || deviceType !== 'dspread');
  it.each(cases)('opens in format %s: %s', (format, pin, ksn) => {
    const devicePayload = carrier(encryptedPin({pin, pan, format}, ksn), ksn);
    const request = {deviceType, devicePayload};
    // The payloads of these two state format 0.
    const states0 = deviceType === 'nexo' || name === 'spire 1';
    const shown = {digits: pin, format, ksn};
    const isProven = format === 0 || format === 4;
    expect(pinOf(request)).toEqual(isProven && !(states0 && format === 4) ? shown : 9051);
    expect(pinOf(request, ring({}), format)).toEqual(states0 && format !== 0 ? 9051 : shown);
    for (const other of FORMATS.filter((one) => one !== format))
      expect(pinOf(request, ring({}), other)).toBe(9051);
  });

  it('does not open with the card number of another message, nor under another key', () => {
    const other = carrier(
      encryptedPin({pin: '1234', pan: '5413330089020011', format: 0}, PIN_KSN),
      PIN_KSN,
    );
    const wrong = carrier(encryptedPin({pin: '1234', pan, format: 0}, PIN_KSN, OTHER_BDK), PIN_KSN);
    expect(pinOf({deviceType, devicePayload: other})).toBe(9051);
    expect(pinOf({deviceType, devicePayload: wrong})).toBe(9051);
  });

  it('stays encrypted unless it is asked for', () => {
    const block = encryptedPin({pin: '7391', pan, format: 0}, PIN_KSN);
    const devicePayload = carrier(block, PIN_KSN);
    const keys = ring({});
    const without = processPayload({deviceType, devicePayload}, keys);
    expect(without).not.toHaveProperty('pin');
    expect(without.extracted.PAN).toBe(pan);
  });
});

/** A message that is nothing but a PIN block, its KSN and the card number that goes with it. */
function bare(pan: string, ciphertext: Buffer, ksn: string | undefined) {
  const pins = [{name: 'PIN block', offset: 0, ciphertext, ksn}];
  const reading = {form: '', candidates: [], pins};
  return {plan: {serial: '', candidates: [[]], reading}, pan};
}

interface PinVector {
  readonly id: string;
  readonly mode: string;
  readonly request: {readonly ksn: string; readonly ciphertext: string};
  readonly keys: readonly SampleKey[];
  readonly expect: {readonly pan: string; readonly pin: string};
}

describe('published PIN blocks', () => {
  const vectors: readonly PinVector[] = JSON.parse(
    readFileSync(new URL('../../samples/extras.json', import.meta.url), 'utf8'),
  );

  it.each(vectors.filter(({mode}) => mode === 'pin-block'))(
    '$id',
    ({request, keys, expect: expected}) => {
      const block = Buffer.from(request.ciphertext, 'hex');
      const found = decryptPin(bare(expected.pan, block, request.ksn), ringOf(keys));
      expect(found).toMatchObject({digits: expected.pin, format: 0});
    },
  );

  it('opens in a whole message, too: format 4, after the PIN in tag 99 its KSN', () => {
    const [sample] = readSamples('idtech').filter(({id}) => id === 'vivopayv3-0206-aes-emv-pin');
    const found = pinOf(sample?.request as TerminalRequest);
    expect(found).toEqual({digits: '1234', format: 4, ksn: 'BFFF987654321000000A'});
  });
});

describe('the key of a PIN block', () => {
  const AES_KSN = '123456789012345600000001';
  const aesKeys = ring({algorithm: 'aes', secret: secretOf(AES_BDK)});

  it.each<readonly [Format, number]>([
    [4, 2],
    [0, 0],
  ])('is of AES DUKPT with usage 1000, for format %s', (format, algorithm) => {
    const key = aesDerivedKey({bdk: AES_BDK, ksn: AES_KSN, usage: 0x1000, algorithm});
    const block = pinUnder(key, {pin: '8642', pan, format});
    const found = decryptPin(bare(pan, block, AES_KSN), aesKeys);
    expect(found).toMatchObject({digits: '8642', format});
  });

  it('may be a working key, with and without a KSN', () => {
    const keys = ring({kind: 'working', secret: secretOf(OTHER_BDK)});
    const block = pinUnder(Buffer.from(OTHER_BDK, 'hex'), {pin: '2468', pan, format: 0});
    expect(decryptPin(bare(pan, block, KSN), keys)).toMatchObject({digits: '2468'});
    expect(decryptPin(bare(pan, block, undefined), keys)).toMatchObject({digits: '2468'});
  });

  it.each<readonly [string, Partial<RingKey>, number]>([
    ['is not there', {ksnPrefix: '1111111111'}, 2600],
    ['is of AES', {kind: 'working', algorithm: 'aes'}, 9015],
    ['is of DES', {kind: 'working', secret: secretOf('0123456789ABCDEF')}, 9015],
  ])('%s', (_, key, code) => {
    const block = encryptedPin({pin: '1234', pan, format: 0}, KSN);
    expect(errorOf(() => decryptPin(bare(pan, block, KSN), ring(key))).code).toBe(code);
  });
});

describe('what is no PIN', () => {
  it('is told apart by codes', () => {
    const block = encryptedPin({pin: '1234', pan, format: 0}, PIN_KSN);
    const {plan} = bare(pan, block, PIN_KSN);
    const withPins = (pins: readonly PinBlock[]) => ({
      pan,
      plan: {...plan, reading: {...plan.reading, pins}},
    });
    const codeOf = (pins: readonly PinBlock[]) =>
      errorOf(() => decryptPin(withPins(pins), ring({}))).code;
    const [one] = plan.reading.pins;
    const two = {...one, offset: 9, ciphertext: Buffer.alloc(8, 7)} as PinBlock;
    expect(codeOf([])).toBe(9050);
    expect(codeOf([one as PinBlock, two])).toBe(2100);
    expect(codeOf([{...one, ciphertext: Buffer.alloc(10)} as PinBlock])).toBe(9051);
    expect(codeOf([{...one, ksn: 'FFFF98765432'} as PinBlock])).toBe(2400);
  });

  it('cannot be a block whose form random bytes often have, unless its format is stated', () => {
    for (const [format, pin] of [
      [1, '1234'],
      [3, '1234'],
      [0, '12345678'],
      [0, '123456789012'],
    ] as const) {
      const card = bare(pan, encryptedPin({pin, pan, format}, PIN_KSN), PIN_KSN);
      expect(errorOf(() => decryptPin(card, ring({}))).code).toBe(9051);
      expect(decryptPin(card, ring({}), format)).toMatchObject({digits: pin, format});
    }
  });

  it.each<Format>([0, 1, 3, 4])(
    'is a block of format %s of another card or another format, if none is stated',
    (format) => {
      const keys = new KeyRing([
        {kind: 'working', secret: secretOf(OTHER_BDK), ...(format === 4 && {algorithm: 'aes'})},
      ]);
      const key = Buffer.from(OTHER_BDK, 'hex');
      let shown = 0;
      for (let n = 0; n < FOREIGN_BLOCKS; n++) {
        const digest = createHash('sha256').update(`${format} ${n}`).digest();
        const digits = BigInt(`0x${digest.toString('hex')}`)
          .toString()
          .slice(2);
        const pin = digits.slice(0, 4 + (n % 9));
        const other = pan.slice(0, 6) + digits.slice(20, 30);
        if (other.slice(3, 15) === pan.slice(3, 15)) continue;
        const block = pinUnder(key, {pin, pan: other, format});
        try {
          decryptPin(bare(pan, block, undefined), keys);
          shown++;
        } catch {
          // As it must be.
        }
      }
      expect(shown).toBe(0);
    },
  );

  it('is a block of random bytes, if no format is stated', () => {
    const keys = new KeyRing([{kind: 'working', secret: secretOf(OTHER_BDK)}]);
    let shown = 0;
    for (let n = 0; n < FOREIGN_BLOCKS; n++) {
      const block = createHash('md5').update(`random ${n}`).digest().subarray(0, 8);
      try {
        decryptPin(bare(pan, block, undefined), keys);
        shown++;
      } catch {
        // As it must be.
      }
    }
    expect(shown).toBe(0);
  });

  it('is what contradicts the format that the payload states, or of which it states another', () => {
    const stated = (format: Format, block: Buffer) => {
      const {plan} = bare(pan, block, KSN);
      const pins = plan.reading.pins.map((pin) => ({...pin, format}));
      return {pan, plan: {...plan, reading: {...plan.reading, pins}}};
    };
    const block = encryptedPin({pin: '1234', pan, format: 1}, KSN);
    expect(decryptPin(stated(1, block), ring({}))).toMatchObject({digits: '1234', format: 1});
    expect(errorOf(() => decryptPin(stated(0, block), ring({}))).code).toBe(9051);
    expect(errorOf(() => decryptPin(stated(1, block), ring({}), 0)).code).toBe(9051);
    expect(errorOf(() => decryptPin(stated(0, block), ring({}), 1)).code).toBe(9051);
  });

  it.each<Format>([0, 1, 3, 4])('never opens under a wrong key: format %s', (format) => {
    const block = encryptedPin({pin: '1234', pan, format}, PIN_KSN);
    const card = bare(pan, block, PIN_KSN);
    let opened = 0;
    for (let n = 0; n < WRONG_KEYS; n++) {
      const secret = new Secret(createHash('md5').update(`${format} ${n}`).digest());
      try {
        decryptPin(card, new KeyRing([{kind: 'working', secret}], {cache: false}));
        opened++;
      } catch {
        // As it must be.
      }
    }
    expect(opened).toBe(0);
  });
});

describe('the digits of a PIN', () => {
  it('are in no explanation and in no error', () => {
    const pin = '7391548';
    const devicePayload = CARRIERS.miura?.[0]?.(encryptedPin({pin, pan, format: 0}, KSN), KSN);
    const request = {deviceType: 'miura', devicePayload: devicePayload ?? ''} as const;
    const {watcher, explanation} = opened(request);
    expect(watcher.shown(true)?.digits).toBe(pin);
    expect(watcher.shown(false)).toEqual({digits: '****', format: 0, ksn: KSN});
    expect(explanation?.fields.at(-1)).toMatchObject({
      name: 'tag DFAE04',
      usage: 'pin',
      mode: 'ecb',
      scheme: 'tdes',
      padding: 'none',
    });
    expect(JSON.stringify(explanation)).not.toContain(pin.slice(0, 4));
  });
});
