import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {decrypt, inspect, PaylensError} from '../../../../src/index.js';
import {TEST_CARDS, type TestCard} from '../../../../src/simulator/test-cards.js';
import {simulate} from '../../../writers.js';

/** Two messages in one text, of one family or of two: never the card of either. */

const KSN = 'FFFF9876543210E00001';
const keys = testKeyRing();

const KINDS = [
  ['abecs', {}],
  ['abecs', {form: 'text'}],
  ['abecs', {form: 'members'}],
  ['abecs', {form: 'objects'}],
  ['abecs', {form: 'response'}],
  ['newland', {}],
  ['bbpos', {}],
  ['poynt', {}],
  ['spire', {}],
] as const;

type Kind = (typeof KINDS)[number];

function message([deviceType, options]: Kind, card: TestCard): string {
  const mode = deviceType === 'spire' ? 'emv' : 'swiped';
  return simulate({deviceType, mode, card, ksn: KSN, keys, options}).devicePayload;
}

const [one, other] = TEST_CARDS as readonly [TestCard, TestCard];

const quoted = (text: string) => (text.startsWith('{') ? text : JSON.stringify(text));

const pairs = KINDS.flatMap((kind, i) => {
  const next = KINDS[(i + 1) % KINDS.length] ?? kind;
  const [a, b, c] = [message(kind, one), message(kind, other), message(next, other)];
  const texts = [`${a}\n${b}`, a + b, `[${quoted(a)},${quoted(b)}]`, `1:\n${a}\n2:\n${b}\nend`];
  return [...texts, `${a}\n${c}`].map((text) => ({type: kind[0], text}));
});

function outcome(run: () => {error?: {code: number}}): number | undefined {
  try {
    return run().error?.code;
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

describe('two messages in one text', () => {
  it.each(pairs)('are refused: $type, $text', ({type, text}) => {
    const settings = {testKeys: true, ksn: KSN} as const;
    const opened = (deviceType?: typeof type) =>
      outcome(() => {
        decrypt(text, {...settings, deviceType});
        return {};
      });
    expect([2000, 2100, 2102]).toContain(opened());
    expect([2100, 2102]).toContain(opened(type));
    expect([2000, 2100, 2102]).toContain(outcome(() => inspect(text)));
  });
});
