import {describe, expect, it} from 'vitest';
import {TEST_BDK} from '../engine/samples.js';
import {type Encryption, encrypt, workingKey} from '../engine/terminal.js';
import {seedOf, tenthOf} from '../long.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw, packNibbles, packSixBit} from './draw.js';

/*
 * Damaged blocks and lost digits that nothing marks, data, settings and slips in keys, each with each:
 * key and damage are both named, and never a wrong key.
 */
const DATA: Readonly<Record<string, (draw: Draw) => string | Buffer>> = {
  'two tracks': (draw) => draw.track1() + draw.track2(),
  'track 1': (draw) => draw.track1(),
  'track 2': (draw) => draw.track2(),
  'six bits': (draw) => packSixBit(draw.track1()),
  'packed digits': (draw) => packNibbles(`;${draw.pan()}=${draw.digits(84)}?`),
};
const SETTINGS: readonly Partial<Encryption>[] = [{}, {mode: 'ecb'}, {variant: 'pin'}];
const HARMS: Readonly<Record<string, (bytes: Buffer, draw: Draw) => string>> = {
  'damaged block': (bytes, draw) => {
    draw.bytes(8).copy(bytes, 8 * (1 + draw.below(bytes.length / 8 - 3)));
    return bytes.toString('hex');
  },
  'lost digits': (bytes, draw) => {
    const at = 16 + draw.below(2 * bytes.length - 48);
    const hex = bytes.toString('hex');
    return hex.slice(0, at) + hex.slice(at + 2 + 2 * draw.below(3));
  },
};

const all = Object.keys(HARMS).flatMap((harm) =>
  Object.keys(DATA).flatMap((data) => SETTINGS.map((setting) => ({harm, data, setting}))),
);
// Of lost blocks in six bits one in twelve is text again, unless the next one is lost with it; and a
// packed digit proves so little that three lost blocks may leave too few.
const UNSURE = ['damaged block, six bits, ecb', 'lost digits, packed digits'];
const cases = all.filter(
  ({harm, data, setting}) =>
    !UNSURE.some((one) => `${harm}, ${data}, ${setting.mode}`.startsWith(one)),
);
const titleOf = (one: object) => JSON.stringify(one);

/** A wrong digit in one place, or in two; the high digit of a byte holds no parity bit. */
function slipped(key: string, places: readonly number[]): string {
  return [...key]
    .map((digit, i) => (places.includes(i) ? (digit === '5' ? '7' : '5') : digit))
    .join('');
}

describe('a ciphertext with damage that nothing marks', () => {
  it.each(tenthOf(cases, titleOf))('$harm, $data, $setting', async ({harm, data, setting}) => {
    const draw = new Draw(`damaged ${seedOf(titleOf({harm, data, setting}))}`);
    const ksn = draw.ksn();
    const [plain, key] = [DATA[data]?.(draw) ?? '', workingKey({ksn, ...setting}).toString('hex')];
    const payload = HARMS[harm]?.(encrypt(plain, {ksn, ...setting}), draw) ?? '';
    const typed = [slipped(TEST_BDK, [2]), slipped(TEST_BDK, [4, 18]), slipped(key, [6])];
    const labels = await labelsFor({payload, ksn});
    expect({payload, ksn, labels}).toMatchObject({labels: damage(harm)});
    for (const hex of typed) {
      const given = {payload, ksn, keys: [{kind: 'unknown' as const, hex}]};
      const found = await labelsFor(given);
      expect({given, found}).toMatchObject({found: damage(harm)});
      expect(found).toContain('key-mistyped');
      expect(found).not.toContain('wrong-key');
    }
  });

  it.each([16, 20, 26])('is of digits lost at %i if what is behind them decrypts', async (at) => {
    const draw = new Draw(`behind ${seedOf(`behind ${at}`)}`);
    for (const lost of [2, 4, 6]) {
      const ksn = draw.ksn();
      const hex = encrypt(draw.track2(), {ksn, mode: 'ecb'}).toString('hex');
      const payload = hex.slice(0, at) + hex.slice(at + lost);
      const labels = await labelsFor({payload, ksn});
      expect({payload, ksn, labels}).toMatchObject({labels: damage('lost digits')});
    }
  });

  it.each(Object.entries(DATA))('is none in whole %s', async (data, make) => {
    const draw = new Draw(`whole ${seedOf(data)}`);
    for (const setting of SETTINGS) {
      const ksn = draw.ksn();
      const given = {payload: encrypt(make(draw), {ksn, ...setting}).toString('hex'), ksn};
      expect({given, labels: await labelsFor(given)}).toMatchObject({
        labels: expect.not.arrayContaining(['data-damaged']),
      });
    }
  });

  it('leaves a mistyped key that opens nothing the only mistake of the keys', async () => {
    const draw = new Draw(`nothing ${seedOf('nothing')}`);
    const keys = [{kind: 'bdk' as const, hex: slipped(TEST_BDK, [8])}];
    const labels = await labelsFor({payload: draw.hex(48), ksn: draw.ksn(), keys});
    expect(labels).toContain('key-mistyped');
    expect(labels).not.toContain('wrong-key');
  });
});

/** Lost digits cost three blocks: where no more than the beginning is left, the rest is missing. */
function damage(harm: string) {
  const damaged = harm === 'lost digits' ? /^(?:digits|part)-missing$/ : /^data-damaged$/;
  return expect.arrayContaining([expect.stringMatching(damaged)]);
}

async function labelsFor(given: CaseJson): Promise<string[]> {
  return labelsOf(await diagnoseJson(given, {usualOnly: true}));
}
