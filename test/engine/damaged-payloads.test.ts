import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {ERROR_CATALOGUE} from '../../src/contract/error-catalogue.js';
import {TERMINAL_TYPES, type TerminalType} from '../../src/engine/families/registry.js';
import {draws, seedOf, tenthOf} from '../long.js';
import {FURTHER_PAYLOADS, type Payload, SAMPLE_PAYLOADS, simulatedPayloads} from '../payloads.js';
import {answer, readSamples, testRing} from './samples.js';

const PAYLOADS = [...SAMPLE_PAYLOADS, ...FURTHER_PAYLOADS, ...simulatedPayloads()];

/** Card numbers that a part of these payloads holds, where the whole says another. */
const PARTS: Readonly<Partial<Record<TerminalType, readonly string[]>>> = {
  wisepad: ['0000000000000000', '5413330089010681'],
};

/** The card number, or the code of the error. Any other exception fails the test. */
function panOf(...asked: Parameters<typeof answer>): string | number {
  const {response, errCode = 0} = answer(...asked);
  if (response) return response.extracted.PAN;
  expect(ERROR_CATALOGUE).toHaveProperty(String(errCode));
  expect(errCode).toBeGreaterThan(1);
  return errCode;
}

/**
 * Payloads in which a changed digit may give another number that fits: CBC hands a change of the IV
 * or the ciphertext on to the plaintext, and lists of tags have no second copy of the number.
 */
const UNPROVEN = /^generic.*(?:tlv|emv)|^ifsf-json$|^wn-wisepad-swipe-visa$/i;

/** Changed payloads whose answer has a card number that is not the true one. */
function wrongCards({name, request, keys}: Payload, changed: Iterable<string>): string[] {
  const truth = panOf(request, keys);
  const isChecked = !UNPROVEN.test(name);
  const cards = [truth, ...(PARTS[request.deviceType] ?? [])];
  const wrong: string[] = [];
  for (const devicePayload of changed) {
    if (devicePayload === '') continue;
    const found = panOf({...request, devicePayload}, keys);
    if (isChecked && typeof found === 'string' && !cards.includes(found)) wrong.push(devicePayload);
  }
  return wrong;
}

const DAMAGES: Readonly<Record<string, (text: string) => Iterable<string>>> = {
  'cut at every length': function* (text) {
    for (let length = 1; length < text.length; length++) yield text.slice(0, length);
  },
  'without its beginning': function* (text) {
    for (let from = 1; from < text.length; from += 7) yield text.slice(from);
  },
  /** The lowest bit, the fourth, another digit, and a character that no format has. */
  'every character changed': function* (text) {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const digit = Number.parseInt(text[at] ?? '', 16);
      const others = [code ^ 1, code ^ 8, 0x7e].map((other) => String.fromCharCode(other));
      if (!Number.isNaN(digit)) others.push(((digit + 7) % 16).toString(16).toUpperCase());
      for (const other of others) yield text.slice(0, at) + other + text.slice(at + 1);
    }
  },
};

describe.each(Object.entries(DAMAGES))('a payload %s never gives another card', (name, damage) => {
  it.each(tenthOf(PAYLOADS, (one) => `${name} ${one.name}`))('$name', (one) => {
    expect(wrongCards(one, damage(one.request.devicePayload))).toEqual([]);
  });
});

describe('payloads of other terminals give no card but their own', () => {
  const all = TERMINAL_TYPES.flatMap(readSamples);
  const own = new Set<string | number>(all.map(({request}) => panOf(request, testRing())));

  it.each(TERMINAL_TYPES)('as %s', (deviceType) => {
    const foreign = all.filter(({request}) => request.deviceType !== deviceType);
    const wrong = foreign.filter(({request: {devicePayload}}) => {
      const found = panOf({deviceType, devicePayload});
      return typeof found === 'string' && !own.has(found);
    });
    expect(wrong.map(({id}) => id)).toEqual([]);
  });

  // A PhreesiaPad sends generic forms, and generic reads the flat requests of processors.
  const BORROWED: Readonly<Record<string, readonly string[]>> = {
    generic: ['phressiapad', 'newland', 'bbpos'],
  };
  const strict = (['idtech', 'generic'] as const).flatMap((deviceType) =>
    all
      .filter(({request}) => request.deviceType !== deviceType)
      .filter(
        ({request}) =>
          !['phressiapad', ...(BORROWED[deviceType] ?? [])].includes(request.deviceType),
      )
      .map(({id, request}) => [id, deviceType, request.devicePayload] as const),
  );
  it.each(strict)('%s is no payload of %s', (_, deviceType, devicePayload) => {
    expect([2100, 2101, 2102, 2110]).toContain(panOf({deviceType, devicePayload}));
  });
});

describe('random payloads', () => {
  const bytes = fc.uint8Array({maxLength: 400});
  const hex = bytes.map((b) => Buffer.from(b).toString('hex'));
  /** How payloads begin, so that random bytes get past the first look. */
  const STARTS = [
    ...['', '02', 'DFEE12', '5669564F746563683200', 'E1819E', 'DFAE0218', '0100', 'FF7F', 'DF9020'],
    ...['0000', '001B3224', '80'],
  ];
  const member = fc.constantFrom('ksn', 'iv', 'track1', 'data', 'encrypted', 'mode');
  const value = fc.oneof(
    fc.string({unit: fc.constantFrom(...'0123456789ABCDEF'), maxLength: 64}),
    fc.jsonValue(),
  );
  const forms: Readonly<Record<string, fc.Arbitrary<string>>> = {
    binary: bytes.map((b) => Buffer.from(b).toString('latin1')),
    base64: bytes.map((b) => Buffer.from(b).toString('base64')),
    'hex behind a beginning': fc.tuple(fc.constantFrom(...STARTS), hex).map((two) => two.join('')),
    'keyboard text': fc.string({maxLength: 300}).map((s) => `02${s}`),
    text: fc.string({unit: 'binary', maxLength: 300}),
    JSON: fc.json({maxDepth: 5}),
    'JSON members': fc.dictionary(member, value).map((object) => JSON.stringify(object)),
    'key=value': fc
      .array(fc.tuple(member, fc.string({maxLength: 40})))
      .map((pairs) => pairs.map(([k, v]) => `${k}=${v}`).join(';')),
  };

  for (const [name, form] of Object.entries(forms)) {
    it.each(TERMINAL_TYPES)(`${name} is no card of %s`, (deviceType) => {
      const ring = testRing();
      const isRefused = (devicePayload: string) => {
        expect(typeof panOf({deviceType, devicePayload}, ring)).toBe('number');
      };
      fc.assert(fc.property(form, isRefused), {
        numRuns: draws(500),
        seed: seedOf(`${name} ${deviceType}`),
      });
    });
  }
});
