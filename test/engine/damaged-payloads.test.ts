import {readdirSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {ERROR_CATALOGUE} from '../../src/contract/error-catalogue.js';
import {answer, readSamples, ringOf, testRing} from './samples.js';
import {SHAPES} from './shapes.js';

/** A payload that opens, how it is asked for, and the card inside. */
interface Case {
  readonly name: string;
  readonly ask: (devicePayload: string) => string | number;
  readonly payload: string;
}

const OWN: readonly DeviceType[] = ['idtech', 'generic'];

const CASES: readonly Case[] = OWN.flatMap((deviceType) => {
  const ring = testRing();
  const shapes = SHAPES[deviceType as 'idtech' | 'generic'].map(([name, payload]) => ({
    name: `${deviceType}, ${name}`,
    payload,
    ask: (devicePayload: string) => panOf({deviceType, devicePayload}, ring),
  }));
  const samples = readSamples(deviceType).map(({id, request, keys}) => {
    const own = ringOf(keys);
    return {
      name: id,
      payload: request.devicePayload,
      ask: (devicePayload: string) => panOf({...request, devicePayload}, own),
    };
  });
  return [...shapes, ...samples];
});

/** The card number, or the code of the error. Any other exception fails the test. */
function panOf(...asked: Parameters<typeof answer>): string | number {
  const {response, errCode = 0} = answer(...asked);
  if (response) return response.extracted.PAN;
  expect(ERROR_CATALOGUE).toHaveProperty(String(errCode));
  return errCode;
}

/**
 * Answers to changed payloads that show a card which is not the true one. Repairs of a payload that
 * was damaged before do not count, nor do lists of generic TLV: nothing in them tells a changed digit
 * of the ciphertext, which CBC hands on to the next block of the plaintext.
 */
function wrongCards({name, payload, ask}: Case, changed: Iterable<string>): string[] {
  const truth = ask(payload);
  const isChecked = typeof truth === 'string' && !/^generic.*tlv/i.test(name);
  const wrong: string[] = [];
  for (const text of changed) {
    const found = ask(text);
    if (isChecked && typeof found === 'string' && found !== truth) wrong.push(text);
  }
  return wrong;
}

function* prefixes(text: string): Generator<string> {
  for (let length = 0; length < text.length; length++) yield text.slice(0, length);
}

function* suffixes(text: string): Generator<string> {
  for (let from = 1; from < text.length; from += 7) yield text.slice(from);
}

/** Every character once as its neighbour, once as another of its kind. */
function* flips(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = Number.parseInt(text[at] ?? '', 16);
    const others = [String.fromCharCode(code ^ 1)];
    if (!Number.isNaN(digit)) others.push(((digit + 7) % 16).toString(16).toUpperCase());
    for (const other of others) yield text.slice(0, at) + other + text.slice(at + 1);
  }
}

describe('a damaged payload never gives another card or another exception', () => {
  for (const one of CASES) {
    it(`${one.name}: cut at every length`, () => {
      expect(wrongCards(one, prefixes(one.payload))).toEqual([]);
    });

    it(`${one.name}: without its beginning`, () => {
      expect(wrongCards(one, suffixes(one.payload))).toEqual([]);
    });

    it(`${one.name}: every character changed`, () => {
      expect(wrongCards(one, flips(one.payload))).toEqual([]);
    });
  }
});

describe('payloads of other terminals', () => {
  const folder = new URL('../samples/', import.meta.url);
  const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
  // A PhreesiaPad may send the generic forms, which generic reads then.
  const foreign = names
    .filter((name) => !['extras', 'phressiapad'].includes(name))
    .flatMap(readSamples);

  // Generic reads their flat requests, as it does those of every processor, when it is told to.
  const mayRead = (deviceType: string, {request}: (typeof foreign)[number]) =>
    request.deviceType === deviceType ||
    (deviceType === 'generic' && ['newland', 'bbpos'].includes(request.deviceType));

  for (const deviceType of OWN) {
    for (const {id, request} of foreign.filter((sample) => !mayRead(deviceType, sample))) {
      it(`${id} is no payload of ${deviceType}`, () => {
        const found = panOf({deviceType, devicePayload: request.devicePayload});
        expect([2100, 2101, 2102, 2110]).toContain(found);
      });
    }
  }
});

describe('random payloads', () => {
  const bytes = fc.uint8Array({maxLength: 400});
  const forms: Readonly<Record<string, fc.Arbitrary<string>>> = {
    binary: bytes.map((b) => Buffer.from(b).toString('latin1')),
    hex: bytes.map((b) => Buffer.from(b).toString('hex')),
    'hex behind STX': bytes.map((b) => `02${Buffer.from(b).toString('hex')}`),
    'hex behind a tag': bytes.map((b) => `DFEE12${Buffer.from(b).toString('hex')}`),
    'hex behind a message header': bytes.map(
      (b) => `5669564F746563683200${Buffer.from(b).toString('hex')}`,
    ),
    'keyboard text': fc.string({maxLength: 300}).map((s) => `02${s}`),
    text: fc.string({unit: 'binary', maxLength: 300}),
    JSON: fc.json({maxDepth: 5}),
    'JSON members': fc
      .dictionary(
        fc.constantFrom('ksn', 'iv', 'track1', 'data', 'encrypted', 'mode', 'decryptionParameters'),
        fc.oneof(
          fc.string({unit: fc.constantFrom(...'0123456789ABCDEF'), maxLength: 64}),
          fc.jsonValue(),
        ),
      )
      .map((object) => JSON.stringify(object)),
    'key=value': fc
      .array(fc.tuple(fc.constantFrom('ksn', 'track1', 'data', 'x'), fc.string({maxLength: 40})))
      .map((pairs) => pairs.map(([k, v]) => `${k}=${v}`).join(';')),
  };

  for (const deviceType of OWN) {
    for (const [name, form] of Object.entries(forms)) {
      it(`${name} is no card of ${deviceType}`, () => {
        const ring = testRing();
        fc.assert(
          fc.property(form, (devicePayload) => {
            expect(typeof panOf({deviceType, devicePayload}, ring)).toBe('number');
          }),
          {numRuns: process.env.SLOW ? 50_000 : 500},
        );
      });
    }
  }
});
