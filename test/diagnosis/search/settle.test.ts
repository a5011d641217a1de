import {describe, expect, it} from 'vitest';
import {plainForms} from '../../../src/diagnosis/candidates/ksn-candidates.js';
import {makeProbe} from '../../../src/diagnosis/search/key-trial.js';
import {mostExplaining, readTogether} from '../../../src/diagnosis/search/settle.js';
import {USUAL_SETTINGS} from '../../../src/diagnosis/search/working-keys.js';
import type {Interpretation} from '../../../src/input/interpretation.js';
import {finish} from '../../../src/input/steps.js';
import {encrypt, workingKey} from '../../engine/terminal.js';
import {Draw} from '../draw.js';

const draw = new Draw('settle');
const BDK = draw.key();
const KSN = draw.ksn();
const TRACK = draw.track1();

const key = {
  bytes: new Uint8Array(Buffer.from(BDK, 'hex')),
  role: 'bdk',
  source: 'key 1',
  madeOf: ['key 1'],
  origin: 'given',
} as const;

function probeOf(ciphertext: Uint8Array) {
  const target = {name: 'data', ciphertext: new Uint8Array(ciphertext)};
  const interpretation: Interpretation = {
    kind: 'bare',
    form: 'bare',
    targets: [target],
    findings: [],
  };
  return makeProbe(interpretation, target, {ivs: [], pans: [], expected: []});
}

describe('a proven key', () => {
  const [setting] = USUAL_SETTINGS;
  const [ksn] = plainForms(KSN, 'given');
  const ciphertext = encrypt(TRACK, {ksn: KSN, bdk: BDK});
  const cut = probeOf(ciphertext.subarray(0, 24));
  const whole = probeOf(ciphertext);

  it('reads the interpretation that explains most, under the same KSN', () => {
    if (!setting || !ksn) throw new Error('no setting');
    const working = new Uint8Array(workingKey({ksn: KSN, bdk: BDK}));
    const [found] = finish(readTogether([cut], {key, ksn, setting, working}));
    expect(found?.probe).toBe(cut);
    const best = found && finish(mostExplaining(found, [cut, whole]));
    expect(best?.probe).toBe(whole);
    expect(best?.ksn).toBe(ksn);
    expect(best?.opened.map((one) => one.ksn)).toEqual([ksn]);
  });

  it('reads nothing that random bytes show as often', () => {
    if (!setting || !ksn) throw new Error('no setting');
    const trial = {key, ksn, setting, working: new Uint8Array(workingKey({ksn: KSN, bdk: BDK}))};
    const random = Array.from({length: 200}, () => probeOf(draw.bytes(48)));
    expect(finish(readTogether(random, trial))).toEqual([]);
  });
});
