import {describe, expect, it} from 'vitest';
import {publishedKeys} from '../../../src/diagnosis/candidates/published-keys.js';
import {diagnose} from '../../../src/diagnosis/diagnose.js';
import type {Stage} from '../../../src/diagnosis/search/search.js';
import {longStages, type Part, usualStages} from '../../../src/diagnosis/search/search-plan.js';
import type {GivenKey, GivenKind, SearchKeys} from '../../../src/input/case.js';
import {collectClues} from '../../../src/input/clues.js';
import {readSamples} from '../../engine/samples.js';
import {encrypt} from '../../engine/terminal.js';
import {Draw} from '../draw.js';

const draw = new Draw('search plan');
const KSN = draw.ksn();
/** An ID TECH read, and the KSN at the end of its frame. */
const [READ] = readSamples('idtech');
const OWN_KSN = '62994901190000000003';

function given(hex: string, kind: GivenKind, source: string): GivenKey {
  return {bytes: new Uint8Array(Buffer.from(hex, 'hex')), kind, source, origin: 'given'};
}

function gatheredOf(text: string) {
  return collectClues({ciphertexts: [{name: 'data', text}], keys: [], writtenKeys: [], ksn: KSN});
}

function keysOf(all: readonly GivenKey[]): SearchKeys {
  return {all: [...all, ...publishedKeys()], written: []};
}

function stagesNamed(stages: Iterable<Stage>, name: string): Stage[] {
  return [...stages].filter((stage) => stage.name === name);
}

/** The roles in which a stage tries a key. */
function rolesOf(stage: Stage | undefined, hex: string): string[] {
  const keys = [...(stage?.keys ?? [])];
  const isIt = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase() === hex;
  return keys.filter(({bytes}) => isIt(bytes)).map(({role}) => role);
}

function hexes({keys}: Stage): string[] {
  return [...keys].map(({bytes}) => Buffer.from(bytes).toString('hex').toUpperCase());
}

describe('the usual stages', () => {
  const [a, b] = [draw.hex(16), draw.hex(16)];
  const sum = (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(16).toUpperCase().padStart(32, '0');

  it('try the sum of the components under the KSN of each ciphertext', () => {
    const keys = keysOf([given(a, 'component', 'key 1'), given(b, 'component', 'key 2')]);
    const clues = collectClues({
      payload: READ?.request.devicePayload ?? '',
      ciphertexts: [],
      keys: [],
      writtenKeys: [],
    });
    const [own] = stagesNamed(usualStages(clues, keys), 'each ciphertext under its own KSN');
    const roles = rolesOf(own, sum);
    expect(roles).toEqual(['bdk', 'ik', 'working', 'transaction']);
    expect(own?.ksns.map(({ksn}) => ksn.hex)).toEqual([OWN_KSN]);
  });

  it('try given keys and AES test keys, no TDES test keys, as AES under short KSNs', () => {
    const stages = usualStages(gatheredOf(draw.hex(48)), keysOf([given(a, 'bdk', 'key 1')]));
    const [stage] = stagesNamed(stages, 'AES keys with 10-byte KSNs');
    expect(stage && hexes(stage)).toEqual([
      a,
      'FEDCBA9876543210F1F1F1F1F1F1F1F1',
      'FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1',
    ]);
  });

  it('read completely only what has its gap in the first block', () => {
    const hex = encrypt(draw.track1(), {ksn: KSN, bdk: a}).toString('hex').toUpperCase();
    const starred = (from: number) => `${hex.slice(0, from)}********${hex.slice(from + 8)}`;
    const gaps = [starred(8), starred(64)].flatMap((text) => {
      const stages = usualStages(gatheredOf(text), keysOf([given(a, 'bdk', 'key 1')]));
      return stagesNamed(stages, 'gaps in the digits').flatMap(({thorough = false, probes}) =>
        probes.map(({target}) => ({thorough, from: target.gaps?.[0]?.from ?? -1})),
      );
    });
    expect(new Set(gaps.map(({thorough}) => thorough))).toEqual(new Set([true, false]));
    for (const {thorough, from} of gaps) expect(thorough).toBe(from >= 0 && from < 16);
  });
});

describe('the long stages', () => {
  it('are divided among workers without rest or overlap', () => {
    const clues = gatheredOf(draw.hex(48));
    const keys = keysOf([given(draw.hex(16), 'bdk', 'key 1')]);
    const trialsOf = (part?: Part) => [...longStages(clues, keys, part)].map(trials);
    const whole = trialsOf();
    const parts = [0, 1, 2].map((index) => trialsOf({index, of: 3}));
    expect(whole.length).toBeGreaterThan(5);
    for (const [i, stage] of whole.entries()) {
      const all = parts.flatMap((part) => part[i] ?? []);
      expect(all.toSorted()).toEqual(stage.toSorted());
    }
  });

  it.each([-500, -67, 77, 300, 500])('find a read %i transactions away', (distance) => {
    const [bdk, counter] = [draw.key(), 0x800];
    const ksn = draw.ksnWith(counter);
    const own = `${ksn.slice(0, -4)}${(counter + distance).toString(16).padStart(4, '0')}`;
    const ciphertext = encrypt(draw.track1(), {ksn: own, bdk}).toString('hex');
    const {found} = diagnose(
      {
        ciphertexts: [{name: 'data', text: ciphertext}],
        ksn,
        keys: [],
        writtenKeys: [{kind: 'bdk', digits: bdk, source: 'key 1'}],
      },
      {now: () => performance.now(), budgetMs: 120_000},
    );
    expect(found?.ksn?.ksn.hex).toBe(own.toUpperCase());
    expect(found?.ksn?.distance).toBe(distance);
  });

  /** Each key with each KSN. */
  function trials(stage: Stage): string[] {
    const ksns = stage.ksns.map(({ksn}) => ksn.hex);
    return [...stage.keys].flatMap(({bytes, role, adjustIk}) =>
      ksns.map((ksn) => `${Buffer.from(bytes).toString('hex')} ${role} ${adjustIk} ${ksn}`),
    );
  }
});
