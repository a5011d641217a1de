import {describe, expect, it} from 'vitest';
import {TEST_BDK} from '../engine/samples.js';
import {type Encryption, encrypt, workingKey} from '../engine/terminal.js';
import {seedOf, tenthOf} from '../long.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw, packSixBit} from './draw.js';

/** Lost and damaged digits, data, settings and slips in keys, each with each: the place is always named. */
const DATA = {
  'two tracks': (draw: Draw) => draw.track1() + draw.track2(),
  'track 1': (draw: Draw) => draw.track1(),
  'track 2': (draw: Draw) => draw.track2(),
  'six bits': (draw: Draw) => packSixBit(draw.track1()),
} as const;
const SETTINGS: readonly Partial<Encryption>[] = [{}, {mode: 'ecb'}, {variant: 'pin'}];
const MARKED = (mark: string) => (hex: string, at: number, count: number) =>
  hex.slice(0, at) + mark.repeat(count) + hex.slice(at + count);
const SAID = (words: string) => (hex: string, at: number, count: number) =>
  hex.slice(0, at) + words + hex.slice(at + count);
const LOSSES: Readonly<Record<string, ReturnType<typeof SAID>>> = {
  ...Object.fromEntries([...'Xx.?*-#█'].map((mark) => [mark, MARKED(mark)])),
  ...Object.fromEntries(['[cut]', '<snip>', '...', ' [5 digits] '].map((one) => [one, SAID(one)])),
  'X over line ends': (...gap) => (MARKED('X')(...gap).match(/.{1,32}/g) ?? []).join('\n'),
};
const SLIPS: Readonly<Record<string, (key: string, at: number) => string>> = {
  'wrong digit': (key, at) => SAID(key[at] === '5' ? '7' : '5')(key, at, 1),
  'lost digit': (key, at) => SAID('')(key, at, 1),
  'added digit': (key, at) => SAID('5')(key, at, 0),
};

const kinds = Object.entries(DATA);
const lost = Object.entries(LOSSES).flatMap(([loss, cut]) =>
  kinds.flatMap(([data, make]) => SETTINGS.map((setting) => ({loss, cut, data, make, setting}))),
);
const slipped = Object.entries(SLIPS).flatMap(([slip, change]) =>
  kinds
    .slice(0, 3)
    .flatMap(([data, make]) => SETTINGS.map((setting) => ({slip, change, data, make, setting}))),
);

describe('a ciphertext with lost digits', () => {
  it.each(
    tenthOf(lost, ({loss, data, setting}) => `${loss} ${data} ${setting.mode}${setting.variant}`),
  )('$loss in $data, $setting, is read around them', async ({loss, cut, data, make, setting}) => {
    const draw = new Draw(`planted ${seedOf(`${loss} ${data}`)}`);
    for (const place of ['start', 'inside', 'end']) {
      const ksn = draw.ksn();
      const hex = encrypt(make(draw), {ksn, ...setting}).toString('hex');
      const count = 1 + draw.below(7);
      // Dots after the last digit are no gap: nobody knows what follows.
      const last = hex.length - count - (/^\./.test(loss) ? 8 : 0);
      const at = place === 'start' ? 0 : place === 'end' ? last : 8 + draw.below(last - 16);
      const payload = cut(hex, at, count);
      const found = await diagnoseJson({payload, ksn}, {usualOnly: true});
      const labels = labelsOf(found);
      expect({payload, ksn, solved: found.solved, labels}).toMatchObject({
        ...{payload, ksn, solved: true},
        labels: expect.arrayContaining(['digits-missing', 'data-damaged']),
      });
    }
  });

  it('is named with their place where too little is left', async () => {
    const draw = new Draw(`too little ${seedOf('too little')}`);
    for (const at of [0, 16, 24, 40, 49]) {
      const payload = MARKED('X')(draw.hex(56), at, 63);
      const keys = [{kind: 'bdk', hex: draw.key()}] as const;
      const found = await diagnoseJson({payload, ksn: draw.ksn(), keys}, {usualOnly: true});
      const detail = found.verdicts.find(({label}) => label === 'digits-missing')?.detail;
      expect(detail).toContain(`No hex digits at ${at + 1} to ${at + 63} of the run.`);
      expect(labelsOf(found)).not.toContain('wrong-key');
    }
  });
});

it.each(tenthOf(slipped, ({slip, data, setting}) => `${slip} ${data} ${JSON.stringify(setting)}`))(
  'a key with a $slip and a damaged block of $data, $setting, are both named',
  async ({slip, change, data, make, setting}) => {
    const draw = new Draw(`slipped ${seedOf(`${slip} ${data}`)}`);
    const ksn = draw.ksn();
    for (const key of [TEST_BDK, workingKey({ksn, ...setting}).toString('hex')]) {
      const bytes = encrypt(make(draw), {ksn, ...setting});
      const block = 1 + draw.below(bytes.length / 8 - 1);
      draw.bytes(8).copy(bytes, 8 * block);
      const keys = [{kind: 'unknown', hex: change(key, draw.below(32))}] as const;
      const given = {payload: bytes.toString('hex'), ksn, keys};
      const found = await diagnoseJson(given, {usualOnly: true});
      const labels = labelsOf(found);
      expect({given, solved: found.solved, labels}).toMatchObject({
        ...{given, solved: true},
        labels: expect.arrayContaining(['data-damaged']),
      });
      expect(labels.some((one) => /^key-(?:mistyped|digit-count)$/.test(one))).toBe(true);
      expect(labels).not.toContain('wrong-key');
    }
  },
);
