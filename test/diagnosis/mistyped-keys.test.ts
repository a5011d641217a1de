import {describe, expect, it} from 'vitest';
import {digitEdits} from '../../src/diagnosis/candidates/digit-edits.js';
import {readSamples, TEST_BDK} from '../engine/samples.js';
import {AES_TEST_BDK, bytesOf, encrypt, workingKey} from '../engine/terminal.js';
import {aesDukptKey, aesInitialKey, aesTransactionKey} from './aes-dukpt.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

/**
 * Keys that follow from published ones, with one or two slips: the read opens under the right key, and
 * the places of the slips are named. Every key comes from node:crypto.
 */
const SEED = process.env.PAYLENS_SEED ?? '1';
const HEX = '0123456789ABCDEF';
const KSN = 'FFFF0A0B0C0D0E000123';
const AES_KSN = '1234567890ABCDEF00000041';

const KEYS: readonly (readonly [name: string, ksn: string, hex: string])[] = [
  ['BDK', KSN, TEST_BDK],
  ['initial key', KSN, own({ksn: 'FFFF0A0B0C0D0E000000', variant: 'none'})],
  ['transaction key', KSN, own({ksn: KSN, variant: 'none'})],
  ['data key', KSN, own({ksn: KSN})],
  ['data key without self-encryption', KSN, own({ksn: KSN, selfEncrypted: false})],
  ['PIN key', KSN, own({ksn: KSN, variant: 'pin'})],
  ['MAC key', KSN, own({ksn: KSN, variant: 'mac'})],
  ['response key', KSN, own({ksn: KSN, variant: 'data-response', selfEncrypted: true})],
  ['AES BDK', AES_KSN, AES_TEST_BDK],
  ['AES initial key', AES_KSN, aes(aesInitialKey, 0x8001)],
  ['AES derivation key', AES_KSN, aes(aesTransactionKey, 0x8000)],
  ['AES data key', AES_KSN, aes(aesDukptKey, 0x3000)],
  ['AES PIN key', AES_KSN, aes(aesDukptKey, 0x1000)],
];

interface Slip {
  readonly name: string;
  readonly label: 'key-mistyped' | 'key-digit-count';
  readonly make: (key: string, draw: Draw) => {hex: string; places: readonly RegExp[]};
}

const SLIPS: readonly Slip[] = [
  {name: 'a wrong digit', label: 'key-mistyped', make: (key, draw) => wrong(key, [place(draw, 0)])},
  {
    name: 'two wrong digits',
    label: 'key-mistyped',
    make: (key, draw) => wrong(key, [place(draw, 0), place(draw, 16)]),
  },
  {
    name: 'two neighbours swapped',
    label: 'key-mistyped',
    make: (key, draw) => {
      const places = [...key.slice(1)].flatMap((digit, at) => (digit === key[at] ? [] : [at]));
      const at = draw.of(places);
      const hex = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      return {hex, places: [new RegExp(`Digits ${at + 1} and ${at + 2} are transposed`)]};
    },
  },
  {
    name: 'two neighbouring bytes swapped',
    label: 'key-mistyped',
    make: (key, draw) => {
      const bytes = key.match(/../g) ?? [];
      const at = draw.of(bytes.slice(1).flatMap((byte, i) => (byte === bytes[i] ? [] : [i])));
      const hex = [...bytes.slice(0, at), bytes[at + 1], bytes[at], ...bytes.slice(at + 2)].join(
        '',
      );
      return {hex, places: [new RegExp(`Bytes ${at + 1} and ${at + 2} are transposed`)]};
    },
  },
  {
    name: 'a digit lost',
    label: 'key-digit-count',
    make: (key, draw) => {
      const at = draw.below(32);
      return {hex: key.slice(0, at) + key.slice(at + 1), places: [/Digit \d+ was lost/]};
    },
  },
  {
    name: 'two digits lost',
    label: 'key-digit-count',
    make: (key, draw) => {
      const at = draw.below(31);
      const places = [/Digit \d+ was lost\. Digit \d+ was lost/];
      return {hex: key.slice(0, at) + key.slice(at + 2), places};
    },
  },
  {
    name: 'a digit too many',
    label: 'key-digit-count',
    make: (key, draw) => {
      const at = draw.below(33);
      const more = draw.of([...HEX]);
      return {hex: key.slice(0, at) + more + key.slice(at), places: [/Digit \d+ is extra/]};
    },
  },
];

const CASES = KEYS.flatMap(([name, ksn, key]) =>
  SLIPS.map((slip) => [name, slip.name, ksn, key, slip] as const),
);

describe(`a published key with slips, seed ${SEED}`, () => {
  it.each(CASES)('%s with %s', async (name, slipName, ksn, key, {label, make}) => {
    const draw = new Draw(`${SEED} ${name} ${slipName}`);
    const {hex, places} = make(key, draw);
    const text = draw.track();
    const kind = draw.of(['bdk', 'ik', 'working', 'unknown'] as const);
    const ciphertexts = [{hex: encrypt(text, {ksn}).toString('hex')}];
    const {verdicts, plaintexts} = await opened({ciphertexts, ksn, keys: [{kind, hex}]});
    const verdict = verdicts.find((one) => one.label === label);
    expect({verdict, hex: plaintexts[0]?.hex}).toEqual({
      verdict: expect.objectContaining({
        detail: expect.stringContaining('key 1 differs slightly from'),
      }),
      hex: expect.stringContaining(bytesOf(text).toString('hex')),
    });
    for (const place of places) expect(verdict?.detail).toMatch(place);
  });

  it('is found out for each of several keys', async () => {
    const draw = new Draw(`${SEED} several`);
    const keys = KEYS.slice(0, 4).map(([, , key]) => ({
      kind: 'unknown' as const,
      hex: wrong(key, [place(draw, 0)]).hex,
    }));
    const ciphertexts = [{hex: encrypt(draw.track(), {ksn: KSN}).toString('hex')}];
    const {verdicts} = await opened({ciphertexts, ksn: KSN, keys});
    expect(verdicts.filter((one) => one.label === 'key-mistyped')).toHaveLength(4);
  });

  it.each(KEYS)('%s with its halves swapped', async (_, ksn, key) => {
    const text = new Draw(`${SEED} halves`).track();
    const ciphertexts = [{hex: encrypt(text, {ksn}).toString('hex')}];
    const hex = key.slice(16) + key.slice(0, 16);
    const {verdicts, plaintexts} = await opened({ciphertexts, ksn, keys: [{kind: 'ik', hex}]});
    const labels = verdicts.map(({label}) => label);
    expect(labels).toContain('key-halves');
    expect(labels).not.toContain('key-wrong');
    expect(plaintexts[0]?.hex).toContain(bytesOf(text).toString('hex'));
  });

  it('opens what is too short to prove a key', async () => {
    const [, , key = ''] = KEYS[1] ?? [];
    const {hex} = wrong(key, [3, 20]);
    const ciphertexts = [{hex: encrypt('48151623', {ksn: KSN}).toString('hex')}];
    const given = {ciphertexts, ksn: KSN, keys: [{kind: 'ik', hex}] as const};
    expect((await opened(given)).plaintexts[0]?.text).toBe('48151623');
    expect((await opened({...given, keys: []})).solved).toBe(false);
  });

  it('is named where nothing opens', async () => {
    const draw = new Draw(`${SEED} nothing opens`);
    const [, , key = ''] = KEYS[3] ?? [];
    const keys = [{kind: 'working' as const, hex: wrong(key, [8]).hex}];
    const given = {ciphertexts: [{hex: draw.hex(48)}], ksn: KSN, keys};
    const {solved, verdicts} = await opened(given);
    const detail = verdicts.find((one) => one.label === 'key-mistyped')?.detail;
    expect({solved, detail}).toEqual({
      solved: false,
      detail: expect.stringContaining('Digit 9 is wrong'),
    });
  });

  it('is told from one whose parity was adjusted', async () => {
    const [, , key = ''] = KEYS[1] ?? [];
    const adjusted = Buffer.from(key, 'hex').map((byte) => byte ^ (ones(byte) % 2 === 0 ? 1 : 0));
    const keys = [{kind: 'ik' as const, hex: Buffer.from(adjusted).toString('hex')}];
    const ciphertexts = [
      {hex: encrypt(';4111111111111111=27122011234567890?', {ksn: KSN}).toString('hex')},
    ];
    const labels = (await opened({ciphertexts, ksn: KSN, keys})).verdicts.map(({label}) => label);
    expect(labels).toContain('key-parity');
    expect(labels).not.toContain('key-mistyped');
  });

  it('says nothing of keys that are not near', async () => {
    const draw = new Draw(`${SEED} far`);
    const keys = Array.from({length: 20}, () => ({kind: 'unknown' as const, hex: draw.key()}));
    const ciphertexts = [{hex: encrypt(draw.track(), {ksn: KSN}).toString('hex')}];
    const labels = (await opened({ciphertexts, ksn: KSN, keys})).verdicts.map(({label}) => label);
    expect(labels).toContain('key-wrong');
    expect(labels).not.toContain('key-mistyped');
  });
});

describe('the slips between two texts', () => {
  const draw = new Draw(`${SEED} slips`);
  it.each(SLIPS.map((slip) => [slip.name, slip.make] as const))('%s', (_, make) => {
    for (let i = 0; i < 200; i++) {
      const key = draw.key();
      const {hex, places} = make(key, draw);
      expect(
        digitEdits(hex, key, places.length > 1 ? 2 : 1) ?? digitEdits(hex, key, 2),
      ).toBeDefined();
      expect(digitEdits(hex, draw.key(), 2)).toBeUndefined();
    }
  });

  it('are none between equal texts', () => {
    expect(digitEdits('0123', '0123', 2)).toEqual([]);
  });
});

async function opened(given: CaseJson) {
  return diagnoseJson(given, {usualOnly: true});
}

function own(options: Parameters<typeof workingKey>[0]): string {
  return workingKey(options).toString('hex').toUpperCase();
}

function aes(derive: typeof aesDukptKey, usage: number): string {
  return derive({bdk: AES_TEST_BDK, ksn: AES_KSN, usage}).toString('hex').toUpperCase();
}

/** The place of a high digit, which holds no parity bit, in one half of a key. */
function place(draw: Draw, from: number): number {
  return from + 2 * draw.below(8);
}

/** Other digits in these places, counted from 0. */
function wrong(key: string, at: readonly number[]): {hex: string; places: readonly RegExp[]} {
  const hex = [...key]
    .map((digit, i) => (at.includes(i) ? (HEX[(HEX.indexOf(digit) + 5) % 16] ?? '') : digit))
    .join('');
  return {hex, places: at.map((i) => new RegExp(`Digit ${i + 1} is wrong`))};
}

function ones(byte: number): number {
  return [...byte.toString(2)].filter((bit) => bit === '1').length;
}

it('is not called right with a whole payload, although another key opens it', async () => {
  const payload = readSamples('idtech').find(({id}) => id === 'securemag-enh-3trk-hex')?.request
    .devicePayload;
  const hex = TEST_BDK.replace('89AB', '98AB');
  const found = await diagnoseJson({payload, keys: [{kind: 'bdk', hex}]});
  expect(labelsOf(found)).toContain('key-mistyped');
  expect(labelsOf(found)).not.toContain('decrypts-plainly');
  const right = await diagnoseJson({payload, keys: [{kind: 'bdk', hex: TEST_BDK}]});
  expect(labelsOf(right)).toContain('decrypts-plainly');
});
