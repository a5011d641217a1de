import {describe, expect, it} from 'vitest';
import {Secret} from '../../src/contract/secret.js';
import {LABELS, type Label} from '../../src/diagnosis/labels.js';
import {KeyRing, testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {readSamples, TEST_BDK} from '../engine/samples.js';
import {encrypt} from '../engine/terminal.js';
import {tenthOf} from '../long.js';
import {simulate, writerOf} from '../writers.js';
import {type CaseJson, contradicting, diagnoseJson, mistakesOf, SINGLE} from './diagnosing.js';
import {Draw} from './draw.js';

/** At most one cause leads, what else is wrong follows it, and no two findings contradict each other. */

const VISA = TEST_CARDS.find(({id}) => id === 'visa') as TestCard;
const THINGS = ['key', 'KSN', 'IV', 'mode', 'framing', 'bytes', 'type'];
describe('the labels', () => {
  it('are each about a known thing, and rule out labels and subjects that exist', () => {
    const all = Object.values(LABELS);
    const known = new Set([...Object.keys(LABELS), ...all.map(({subject}) => subject)]);
    expect(all.filter(({subject}) => !THINGS.includes(subject.replace(/:.*/, '')))).toEqual([]);
    expect(all.flatMap(({excludes}) => excludes.filter((one) => !known.has(one)))).toEqual([]);
  });

  it('rule out all others of a subject of which one thing is true', () => {
    const open = Object.values(LABELS).filter(
      ({subject, rank, excludes}) =>
        SINGLE.includes(subject) &&
        rank !== 'background' &&
        !excludes.includes(subject) &&
        // Nothing else of its subject can be true beside it: every mistake removes it.
        subject !== 'type',
    );
    expect(open).toEqual([]);
  });
});

interface Planted {
  readonly label: Label;
  readonly plant: (given: CaseJson) => CaseJson;
}

const keys = (hex: string, kind: 'bdk' | 'ik' = 'bdk') => ({keys: [{kind, hex}]});
const text = ({payload = ''}: CaseJson, change: (hex: string) => string) => ({
  payload: change(payload),
});

/** One slip each, in what the user gave; those of one list are of the same thing. */
const PLANTED: readonly (readonly Planted[])[] = [
  [
    {label: 'ksn-padded', plant: (given) => ({...given, ksn: given.ksn?.slice(4)})},
    {label: 'ksn-filler', plant: (given) => ({...given, ksn: `0000${given.ksn?.slice(4)}`})},
    {label: 'ksn-neighbour', plant: (given) => ({...given, ksn: nextKsn(given.ksn ?? '')})},
  ],
  [
    {
      label: 'key-mistyped',
      plant: (given) => ({...given, ...keys(`${TEST_BDK.slice(0, 8)}7${TEST_BDK.slice(9)}`)}),
    },
    {
      label: 'key-halves',
      plant: (given) => ({...given, ...keys(TEST_BDK.slice(16) + TEST_BDK.slice(0, 16))}),
    },
    {label: 'key-wrong', plant: (given) => ({...given, ...keys('0F'.repeat(16))})},
  ],
  [
    {
      label: 'white-space',
      plant: (given) => ({...given, ...text(given, (hex) => hex.replaceAll(/(..)/g, '$1 '))}),
    },
    {
      label: 'hex-of-hex',
      plant: (given) => ({...given, ...text(given, (hex) => Buffer.from(hex).toString('hex'))}),
    },
    {
      label: 'wrong-slice',
      plant: (given) => ({...given, ...text(given, (hex) => `0102030405${hex}`)}),
    },
  ],
  [
    {label: 'iv-not-used', plant: (given) => ({...given, iv: '0123456789ABCDEF'})},
    {label: 'iv-not-used', plant: (given) => ({...given, iv: '00'})},
  ],
];

/** Pairs of which one cannot be seen, and why. */
const UNSEEN: Readonly<Record<string, Label>> = {};

const PAIRS = PLANTED.flatMap((ones, i) =>
  PLANTED.slice(i + 1).flatMap((others) =>
    ones.flatMap((one) => others.map((other) => [one, other] as const)),
  ),
);

describe('two mistakes', () => {
  const named = PAIRS.map(
    ([one, other]) => [`${one.label} and ${other.label}`, one, other] as const,
  );
  it.each(tenthOf(named, ([name]) => name))(
    '%s',
    async (name, one, other) => {
      const draw = new Draw(`two mistakes ${name}`);
      const ksn = draw.ksnWith(0x100);
      const payload = encrypt(draw.track(), {ksn}).toString('hex').toUpperCase();
      const found = await diagnoseJson(other.plant(one.plant({payload, ksn, ...keys(TEST_BDK)})));
      const mistakes = mistakesOf(found);
      const seen = [one.label, other.label].filter((label) => label !== UNSEEN[name]);
      expect({solved: found.solved, mistakes}).toEqual({
        solved: true,
        mistakes: expect.arrayContaining(seen),
      });
      expect(seen).toContain(mistakes[0]);
      expect(contradicting(found)).toEqual([]);
    },
    60_000,
  );
});

function nextKsn(ksn: string): string {
  return (BigInt(`0x${ksn}`) + 3n).toString(16).toUpperCase().padStart(20, '0');
}

describe('the true digit of a mistyped key', () => {
  const given = (key: string, typed: string, kind: 'bdk' | 'ik' = 'bdk') => {
    const draw = new Draw(`parity ${key}`);
    const ksn = draw.ksnWith(0x101);
    const hex = encrypt(draw.track(), {ksn, bdk: key}).toString('hex');
    return {ciphertexts: [{hex}], ksn, ...keys(typed, kind)};
  };
  /** Digit 6, the low one of the third byte: 4 stands for it. */
  const typed = (key: string) => `${key.slice(0, 5)}4${key.slice(6)}`;

  it.each([
    ['of a key with odd parity', '1A2F3E4C5B6D7F808913A2B3C4D5E6F7', 'Digit 6 should be E.'],
    ['of a key without it', '1A2F3D4C5B6D7F808912A2B3C4D5E6F7', 'Digit 6 should be C or D.'],
  ])('%s', async (_, key, correction) => {
    const {verdicts} = await diagnoseJson(given(key, typed(key)));
    expect(verdicts[0]).toMatchObject({label: 'key-mistyped', rank: 'mistake', correction});
    expect(verdicts[0]?.detail).toBe('key 1. Digit 6 is wrong.');
  });
});

describe.each(TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1'))('a read of %s', (type) => {
  it.each(writerOf(type).modes)('has no mistake as it is sent: %s', async (mode) => {
    const ksn = 'FFFF9876543210E00042';
    const order = {deviceType: type, mode, card: VISA, keys: testKeyRing(), ksn, options: {}};
    const {devicePayload: payload, ...sent} = simulate(order);
    const found = await diagnoseJson({payload, ksn: sent.ksn}, {usualOnly: true});
    expect([found.solved, ...mistakesOf(found)]).toEqual([true]);
  });

  it.each(writerOf(type).modes)('lacks its key under a private one: %s', async (mode) => {
    const bytes = new Draw(`private ${type} ${mode}`).bytes(16);
    const keys = new KeyRing([{kind: 'bdk', secret: new Secret(bytes)}]);
    const ksn = 'A1B2C3D4E5F6A1200042';
    const order = {deviceType: type, mode, card: VISA, keys, ksn, options: {}};
    const {devicePayload: payload, ...sent} = simulate(order);
    const found = await diagnoseJson({payload, ksn: sent.ksn}, {usualOnly: true});
    expect([found.solved, mistakesOf(found)[0]]).toEqual([false, 'no-key']);
  });
});

it('says nothing of every card unless asked', async () => {
  const [{request} = {request: {devicePayload: ''}}] = readSamples('idtech');
  const {verdicts} = await diagnoseJson({payload: request.devicePayload});
  const shown = verdicts.filter(({rank}) => rank !== 'background').map(({label}) => label);
  expect(shown).toEqual(['decrypts-plainly', 'test-key']);
});
