import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {judge} from '../../../src/input/paste/judge.js';
import {readPaste} from '../../../src/input/paste/read-paste.js';
import {readSamples} from '../../engine/samples.js';
import {IS_LONG} from '../../long.js';

/** A long run tries all payloads in all pairs of notations, every other one a part of both. */
const [PAYLOADS_PER_TYPE, PAIRS_PER_TEXT] = IS_LONG ? [undefined, 1] : [2, 12];

/** Those that a reader recognises without a mistake. */
const PAYLOADS = TERMINAL_TYPES.flatMap((type) =>
  readSamples(type)
    .map(({request}) => request.devicePayload)
    .filter((payload) => /^[\dA-F]{80,}$/i.test(payload) && judge(payload) === 'intact')
    .slice(0, PAYLOADS_PER_TYPE),
).map((payload) => Buffer.from(payload, 'hex'));

const spelled = (bytes: Buffer, separator: string, prefix = '') =>
  [...bytes].map((byte) => `${prefix}${byte.toString(16).padStart(2, '0')}`).join(separator);

const dump = (bytes: Buffer) =>
  Array.from({length: Math.ceil(bytes.length / 16)}, (_, i) => {
    const row = spelled(bytes.subarray(16 * i, 16 * i + 16), ' ');
    return `${(16 * i).toString(16).padStart(8, '0')}  ${row}\n`;
  }).join('');

const WRITERS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'hex digits': (bytes) => bytes.toString('hex'),
  colons: (bytes) => spelled(bytes, ':'),
  array: (bytes) => `{${spelled(bytes, ', ', '0x')}}`,
  escapes: (bytes) => `"${spelled(bytes, '', '\\x')}"`,
  base64: (bytes) => bytes.toString('base64'),
  dump,
};
const PAIRS = Object.keys(WRITERS).flatMap((one) =>
  Object.keys(WRITERS)
    .filter((other) => other !== one)
    .map((other) => [one, other] as const),
);

/** The other payload as it is, cut at any length from eight bytes on, or with one bit flipped. */
const DAMAGES: readonly ((bytes: Buffer, i: number) => Buffer)[] = [
  (bytes) => bytes,
  (bytes) => bytes.subarray(0, 8),
  (bytes, i) => bytes.subarray(0, 8 + ((7 * i) % (bytes.length - 8))),
  (bytes, i) =>
    bytes.map((byte, at) => (at === (5 * i) % bytes.length ? byte ^ 1 : byte)) as Buffer,
];

function outcome(text: string): string {
  try {
    return JSON.stringify(readPaste(text)) ?? 'nothing';
  } catch (error) {
    return String((error as Error).message);
  }
}

describe('two payloads in one text', () => {
  it.each(PAIRS)('are never the first of two: %s and %s', (one, other) => {
    const texts = PAYLOADS.flatMap((bytes, i) =>
      DAMAGES.flatMap((damage, k) => {
        if ((i * DAMAGES.length + k + pairNumber(one, other)) % PAIRS_PER_TEXT > 0) return [];
        const next = PAYLOADS[(i + 1) % PAYLOADS.length]!;
        const both = [WRITERS[one]!(bytes), WRITERS[other]!(Buffer.from(damage(next, i)))];
        const [first, second] = (i + k) % 2 === 0 ? both : both.toReversed();
        return [`first try:\n${first}\nsecond try:\n${second}\n`];
      }),
    );
    expect(texts).not.toEqual([]);
    const accepted = texts.filter(
      (text) => !/two payloads: .* line .*, and .* line /.test(outcome(text)),
    );
    expect(accepted.map((text) => [outcome(text).slice(0, 60), text.slice(0, 90)])).toEqual([]);
  });

  it.each([
    ['ksn', 'FFFF9876543210E00001'],
    ['requestId', '550e8400e29b41d4a716446655440000'],
    ['sha256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['time', '20261122130001123'],
    ['reader', 'ReaderServiceImpl2xy'],
  ])('are not a payload and a %s', (name, value) => {
    const [payload = Buffer.of()] = PAYLOADS;
    const text = `${name}=${value} payload=${payload.toString('hex')} ok`;
    expect(readPaste(text)?.payload).toBe(payload.toString('hex'));
  });
});

function pairNumber(one: string, other: string): number {
  return PAIRS.findIndex(([first, second]) => first === one && second === other);
}
