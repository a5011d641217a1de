import {afterEach, describe, expect, it, vi} from 'vitest';
import {plainForms} from '../../../src/diagnosis/candidates/ksn-candidates.js';
import {
  makeProbe,
  type Probe,
  passesFirstLook,
  passesSecondLook,
  readUnder,
} from '../../../src/diagnosis/search/key-trial.js';
import {type Read, sift, sliceKeys} from '../../../src/diagnosis/search/sift.js';
import {TDES_SETTINGS, WorkingKeys} from '../../../src/diagnosis/search/working-keys.js';
import {LANES} from '../../../src/diagnosis/slices/sliced-des.js';
import {REQUIRED_BITS} from '../../../src/engine/card/evidence.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {toWords} from '../../../src/engine/cipher/words.js';
import {collectClues} from '../../../src/input/clues.js';
import type {Interpretation} from '../../../src/input/interpretation.js';
import {finish} from '../../../src/input/steps.js';
import {encrypt, workingKey} from '../../engine/terminal.js';
import {IS_LONG} from '../../long.js';
import {SIMULATED_SHAPES, simulatedPayloads} from '../../payloads.js';
import {Draw} from '../draw.js';

const ROLES = ['bdk', 'ik', 'transaction', 'working'] as const;
const FAMILIES = ['idtech', 'miura', 'bbpos', 'verifone', 'magtek'];

/** The ciphertexts of a payload of a family. */
function probesOf(seed: number): Probe[] {
  const families = FAMILIES.flatMap((family) =>
    SIMULATED_SHAPES.filter(({deviceType}) => deviceType.startsWith(family)).slice(0, 1),
  );
  const [payload] = simulatedPayloads(families.slice(seed % families.length).slice(0, 1));
  if (!payload) throw new Error('no payload');
  const clues = collectClues({
    payload: payload.request.devicePayload,
    ciphertexts: [],
    writtenKeys: [],
    keys: [],
  });
  const probes = clues.interpretations.flatMap((interpretation) =>
    interpretation.targets.map((target) => makeProbe(interpretation, target, clues)),
  );
  return probes.filter(({target}) => target.ciphertext.length % 8 === 0).slice(0, 3);
}

describe('a sift of many keys', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'hits what one key after the other hits, search %i',
    (seed) => {
      const draw = new Draw(`sift ${seed}`);
      const probes = probesOf(seed);
      const [aes] = plainForms(`${draw.hex(8)}00000001`, 'given');
      const reads = Array.from({length: 200}, (_, i): Read => {
        const key = {bytes: draw.bytes(16), role: ROLES[i % 4] ?? 'bdk', source: '', madeOf: []};
        const [ksn] = plainForms(draw.ksn(), 'given');
        return {key: {...key, origin: 'given'}, ksn: i % 20 === 1 ? aes : ksn};
      });
      const sliced = sliceKeys();
      if (!sliced) throw new Error('no vectors in WebAssembly');
      const found = finish(sift(sliced, reads, TDES_SETTINGS, probes));
      for (const [i, {key, ksn}] of reads.entries()) {
        // AES keeps its own kernel.
        if (ksn === aes) {
          expect(found[i]).toBeUndefined();
          continue;
        }
        const keys = [...new WorkingKeys().of(key, ksn?.ksn)].filter(
          ([{algorithm}]) => algorithm === 'tdes',
        );
        const expected = keys.flatMap(([, working], index) =>
          probes.some((probe) => isHit(probe, working)) ? [index] : [],
        );
        expect(found[i]).toEqual(expected);
      }
    },
  );
});

describe('a planted key', () => {
  it('is hit with its setting, in every role', () => {
    const draw = new Draw('planted keys');
    const sliced = sliceKeys();
    if (!sliced) throw new Error('no vectors in WebAssembly');
    const lost: object[] = [];
    for (let round = 0; round * LANES < (IS_LONG ? 100_000 : 1000); round++) {
      const role = ROLES[round % ROLES.length] ?? 'bdk';
      const planted = Array.from({length: LANES}, () => plant(role, draw));
      const probes = planted.map(({probe}) => probe);
      const reads = planted.map(({read}) => read);
      const found = finish(sift(sliced, reads, TDES_SETTINGS, probes));
      for (const [i, {index, about}] of planted.entries())
        if (!found[i]?.includes(index)) lost.push(about);
    }
    expect(lost).toEqual([]);
  }, 900_000);
});

/** A track encrypted by node:crypto alone, and the key that opens it in a role. */
function plant(role: (typeof ROLES)[number], draw: Draw) {
  const index = draw.below(TDES_SETTINGS.length);
  const {variant = 'none', selfEncrypted} = TDES_SETTINGS[index] ?? {};
  const [bdk, ksn] = [draw.key(), draw.ksn()];
  const initial = `${ksn.slice(0, 14)}${((Number.parseInt(ksn.slice(14), 16) >> 21) << 21).toString(16).padStart(6, '0')}`;
  const under = {ksn, bdk, variant, selfEncrypted: selfEncrypted ?? false};
  const bytes = {
    bdk: Buffer.from(bdk, 'hex'),
    ik: workingKey({ksn: initial, bdk, variant: 'none'}),
    transaction: workingKey({ksn, bdk, variant: 'none'}),
    working: workingKey(under),
  }[role];
  const target = {name: 'data', ciphertext: new Uint8Array(encrypt(draw.track(), under))};
  const whole: Interpretation = {kind: 'bare', form: '', targets: [target], findings: []};
  const key = {bytes, role, source: '', madeOf: [], origin: 'given'} as const;
  const [own] = plainForms(ksn, 'given');
  return {
    index: role === 'working' ? 0 : index,
    about: {role, under},
    probe: makeProbe(whole, target, {ivs: [], pans: [], expected: []}),
    read: {key, ksn: own},
  };
}

/** Whether both looks at two blocks pass; if only the first one does, they are no card data. */
describe('where WebAssembly is forbidden', () => {
  afterEach(() => vi.unstubAllGlobals());

  // Published with KSN 9876543210E00008 under the BDK of ANSI X9.24; here with another last digit.
  it('one key after the other is tried, and a mistyped KSN is found', async () => {
    class Forbidden {
      constructor() {
        throw new Error('refused by the policy');
      }
    }
    vi.stubGlobal('WebAssembly', {Module: Forbidden});
    vi.resetModules();
    const {sliceKeys: slices} = await import('../../../src/diagnosis/search/sift.js');
    expect(slices()).toBeUndefined();
    const {diagnose} = await import('../../../src/diagnosis/diagnose.js');
    const payload =
      'C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB' +
      '3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12';
    const own = {payload, ksn: '9876543210E00009', ciphertexts: [], writtenKeys: [], keys: []};
    const {found} = diagnose(own, {budgetMs: 60_000, now: () => performance.now()});
    expect(found?.ksn?.ksn.hex).toBe('FFFF9876543210E00008');
  });
});

function isHit(probe: Probe, working: Uint8Array): boolean {
  const {ciphertext} = probe.target;
  const plain = prepareCipher('tdes', working).decryptEcb(ciphertext.subarray(0, 16));
  const [hi = 0, lo = 0, nextHi = 0, nextLo = 0] = toWords(plain);
  if (!passesFirstLook(probe, Int32Array.of(hi, lo, nextHi, nextLo), 0)) return false;
  if (passesSecondLook(probe, plain, 8)) return true;
  expect(readUnder(probe, 'tdes', working)?.bits ?? 0).toBeLessThan(REQUIRED_BITS);
  return false;
}
