import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES, type TerminalType} from '../../../src/engine/families/registry.js';
import {type PaylensError, simulate} from '../../../src/index.js';
import {tenthOf} from '../../long.js';
import {diagnoseJson} from '../diagnosing.js';

/** Two reads of one device; the second one has another card. */
async function readsOf(deviceType: TerminalType, mode: 'swiped' | 'emv') {
  const made = ['visa', 'mastercard'].map((card, i) =>
    simulate({deviceType, mode, card, ksn: `FFFF9876543210E0004${2 * (i + 1)}`, testKeys: true}),
  );
  const [one, two] = await Promise.all(made).catch((error: PaylensError) => {
    expect(error.code).toBe(2005);
    return [];
  });
  return one && two ? [one.devicePayload, two.devicePayload] : undefined;
}

const withLoss = (text: string) => {
  const at = Math.floor(text.length * 0.7);
  return text.slice(0, at) + text.slice(at + 3);
};

/** Texts that hold both reads, of which one may be broken. */
const TOGETHER: Readonly<Record<string, (one: string, two: string) => string>> = {
  'one line each': (one, two) => `${one}\n${two}`,
  'the first damaged': (one, two) => `${withLoss(one)}\n${two}`,
  'the second damaged': (one, two) => `${one}\n${withLoss(two)}`,
  'the second cut': (one, two) => `${one}\n${two.slice(0, -6)}`,
};

/** Their KSN is not in the payload, or in no notation in which another one is found. */
const WITHOUT_KSN = ['wisepad swiped', 'wisepad2 swiped', 'ifsf swiped', 'ingenico-ra1 swiped'];
const IN_OTHER_FORM = ['nexo swiped', 'nexo emv', 'ingenico-rba swiped', 'ingenico-rba emv'];

const CASES = TERMINAL_TYPES.flatMap((type) =>
  (['swiped', 'emv'] as const).flatMap((mode) =>
    Object.keys(TOGETHER).map((name) => ({type, mode, name, id: `${type} ${mode}`})),
  ),
).filter(({id, name}) => {
  if (WITHOUT_KSN.includes(id)) return false;
  return name === 'one line each' || !IN_OTHER_FORM.includes(id);
});

describe('two reads', () => {
  it.each(tenthOf(CASES, ({id, name}) => id + name))('are named: $id, $name', async (one) => {
    const [first, second] = (await readsOf(one.type, one.mode)) ?? [];
    if (first === undefined || second === undefined) return;
    const payload = TOGETHER[one.name]?.(first, second) ?? '';
    const {solved, verdicts} = await diagnoseJson({payload});
    const labels = verdicts.map(({label}) => label);
    expect([solved, labels.includes('several-payloads')]).toEqual([true, true]);
    expect(labels).not.toContain('payload-mistyped');
  });

  it.each(['wisepad', 'wisepad2'] as const)(
    'of %s are not one whose length is mistyped',
    async (type) => {
      const [first = '', second = ''] = (await readsOf(type, 'emv')) ?? [];
      const {verdicts} = await diagnoseJson({payload: first + second});
      const labels = verdicts.map(({label}) => label);
      expect(labels).toContain('several-payloads');
      expect(labels).not.toContain('payload-mistyped');
    },
  );

  it.each([
    [
      'in an object',
      (read: string) => `{"level":"info","message":"a read of the terminal","body":${read}}`,
    ],
    ['twice in a log', (read: string) => `INFO received ${read}\nINFO forwarded ${read}`],
    [
      'behind another object',
      (read: string) => `{"level":"info","message":"a read of it"}\n${read}`,
    ],
    ['beside the KSN before', (read: string) => `last KSN: FFFF9876543210E00041\n${read}`],
  ])('are not one read %s', async (_, textOf) => {
    for (const type of ['generic', 'newland', 'phressiapad'] as const) {
      const [first = ''] = (await readsOf(type, 'swiped')) ?? [];
      const {verdicts} = await diagnoseJson({payload: textOf(first)});
      expect(verdicts.map(({label}) => label)).not.toContain('several-payloads');
    }
  });

  it('are not one of magtek beside a PIN block of the same device', async () => {
    const [first = ''] = (await readsOf('magtek', 'swiped')) ?? [];
    const payload = `${first}\nPIN block 1B9C1845EB993A7A KSN FFFF9876543210E00043`;
    const {verdicts} = await diagnoseJson({payload});
    expect(verdicts.map(({label}) => label)).not.toContain('several-payloads');
  });

  it('that are the same are named, if decrypt refuses them', async () => {
    const [first = ''] = (await readsOf('idtech', 'swiped')) ?? [];
    const {verdicts} = await diagnoseJson({payload: first + first});
    expect(verdicts.map(({label}) => label)).toContain('several-payloads');
  });
});
