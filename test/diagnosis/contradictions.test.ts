import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {hasPanBlock} from '../../src/engine/families/abecs/pan-sign.js';
import {TERMINAL_TYPES, type TerminalType} from '../../src/engine/families/registry.js';
import type {SimulatedRequest, Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {answer} from '../engine/samples.js';
import {tenthOf} from '../long.js';
import {simulate, writerOf} from '../writers.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';

/**
 * Payloads whose fields all open, but which `decrypt` rejects, because a masked copy or a MAC says
 * otherwise: the diagnosis must say so, too.
 */

const card = TEST_CARDS.find(({id}) => id === 'visa') as TestCard;
const pan = card.pan.replaceAll(' ', '');
const KSN = 'FFFF9876543210E00001';
const keys = testKeyRing();

/** Every payload of a terminal, in every mode with every value of its options. */
function payloadsOf(deviceType: TerminalType): SimulatedRequest[] {
  const {modes, options} = writerOf(deviceType);
  const settings = [
    {},
    ...options.flatMap(({name, values}) => values.map((one) => ({[name]: one}))),
  ];
  return modes.flatMap((mode) =>
    settings.flatMap((setting) => {
      const simulation: Simulation = {deviceType, mode, card, ksn: KSN, keys, options: setting};
      return made(simulation);
    }),
  );
}

function made(simulation: Simulation): SimulatedRequest[] {
  try {
    return [simulate(simulation)];
  } catch (error) {
    if (error instanceof PaylensError) return [];
    throw error;
  }
}

/** The last digits of the card number as text, as hex of text, and in nibbles. */
const END = pan.slice(-4);
const OTHER = `${END.slice(0, -1)}${(Number(END.at(-1)) + 1) % 10}`;
const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const SPELLINGS = [
  [END, OTHER],
  [hexOf(END), hexOf(OTHER)],
] as const;

/** The payload with another end of the card number in each of the places where it is in clear. */
function contradicted({devicePayload}: SimulatedRequest): string[] {
  return SPELLINGS.flatMap(([end, other]) =>
    [...devicePayload.matchAll(new RegExp(end, 'g'))].map(
      ({index}) => devicePayload.slice(0, index) + other + devicePayload.slice(index + end.length),
    ),
  );
}

/** The payload with a masked number of another card beside its members. */
function besideMembers({devicePayload}: SimulatedRequest): string[] {
  const names = ['maskedPan', 'maskedPAN', 'DE-2', 'cardBin'];
  const [shown, bin] = ['401288******1881', '401288'];
  const value = (name: string) => (name === 'cardBin' ? bin : shown);
  if (devicePayload.startsWith('{'))
    return names.map((name) => `{"${name}":"${value(name)}",${devicePayload.slice(1)}`);
  if (devicePayload.startsWith('<Card>'))
    return [devicePayload.replace('<Card>', `<Card><MskdPAN>${shown}</MskdPAN>`)];
  return [];
}

/** Whether the other digit is in the blocks behind the digits of ABECS in clear: damage, no other card. */
function isInBlocks({devicePayload}: SimulatedRequest, changed: string): boolean {
  const at = [...changed].findIndex((digit, i) => digit !== devicePayload[i]);
  const before = devicePayload.slice(0, at);
  const [, name, value = ''] = /"PP_(TRACK\d|ENCPAN)":"([^"]*)$/.exec(before) ?? [];
  const [, digits = '0'] = /"SPE_OPNDIG":"(\d)"/.exec(before) ?? [];
  const head = name === 'TRACK1' ? 2 + 2 * Number(digits) : Number(digits);
  return name !== undefined && value.length >= head;
}

const copied = (request: SimulatedRequest) => [...contradicted(request), ...besideMembers(request)];

/** Another last digit: of a MAC, where the payload ends in one. */
function ended({devicePayload}: SimulatedRequest): string[] {
  const last = devicePayload.at(-1) === '0' ? '1' : '0';
  return [devicePayload.slice(0, -1) + last];
}

/** Not all fields open: nothing but the masked copy proves the key of a card number in one block. */
function isHeldByFields({devicePayload}: SimulatedRequest): boolean {
  return hasPanBlock(devicePayload) || /encPAN\W*[\da-f]{16}\b/i.test(devicePayload);
}

/** Recognised as a string of MagTek, whose CRC covers the masked copy. */
function isMagneSafe({devicePayload}: SimulatedRequest): boolean {
  return devicePayload.startsWith('%B');
}

/** Those that `decrypt` rejects with a code, one of each kind. */
function rejected(
  type: TerminalType,
  change: (request: SimulatedRequest) => string[],
  code: number,
): CaseJson[] {
  const found = new Map<string, CaseJson>();
  for (const request of payloadsOf(type)) {
    for (const devicePayload of change(request)) {
      const {errCode, message = ''} = answer({...request, devicePayload});
      const kind = `${devicePayload.slice(0, 4)} ${message.replaceAll(/\d+/g, '#')}`;
      const {ksn, iv} = request;
      const isRead =
        answer(request).response &&
        !isHeldByFields(request) &&
        !isInBlocks(request, devicePayload) &&
        !(type === 'phressiapad' && isMagneSafe(request));
      if (errCode === code && isRead) found.set(kind, {payload: devicePayload, ksn, iv});
    }
  }
  const cases = [...found.values()].slice(0, 8);
  return tenthOf(cases, ({payload}) => `${code} ${payload}`);
}

const copies = TERMINAL_TYPES.map((type) => [type, rejected(type, copied, 2601)] as const);
const macs = TERMINAL_TYPES.map((type) => [type, rejected(type, ended, 2101)] as const);

const WITH_CHECKS = ['idtech', 'ingenico-rba', 'miura', 'verifone', 'phressiapad', 'magtek'];
const WITH_COPIES = TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1');

describe('a payload whose fields open', () => {
  it.each(copies.filter(([, cases]) => cases.length > 0))(
    'of %s is called contradictory if a masked copy is of another card',
    async (_, cases) => {
      for (const one of cases) {
        const labels = labelsOf(await diagnoseJson(one));
        expect({...one, labels}).toEqual({
          ...one,
          labels: expect.arrayContaining(['masked-copy-differs']),
        });
        expect(labels).not.toContain('decrypts-plainly');
      }
    },
  );

  it.each(macs.filter(([, cases]) => cases.length > 0))(
    'of %s is called damaged if its MAC is of other data',
    async (_, cases) => {
      for (const one of cases) {
        const labels = labelsOf(await diagnoseJson(one));
        expect({...one, labels}).toEqual({
          ...one,
          labels: expect.arrayContaining(['frame-damaged']),
        });
        expect(labels).not.toContain('decrypts-plainly');
      }
    },
  );

  it('has a copy or a MAC in these terminals', () => {
    const having = (all: typeof copies) =>
      all.flatMap(([type, {length}]) => (length > 0 ? type : []));
    expect(having(copies)).toEqual(expect.arrayContaining(WITH_COPIES));
    expect(having(macs)).toEqual(expect.arrayContaining(WITH_CHECKS));
  });
});

describe('a payload with the KSN of another read', () => {
  const AWAY = 'FFFF9876543210E00009';
  const all = TERMINAL_TYPES.flatMap((deviceType) => {
    const {modes} = writerOf(deviceType);
    const [sent] = modes.flatMap((mode) => made({deviceType, mode, card, ksn: KSN, keys}));
    const payload = sent?.devicePayload ?? '';
    const isJson = payload.startsWith('{') && payload.includes(KSN);
    return isJson ? [[deviceType, payload.replaceAll(KSN, AWAY)] as const] : [];
  });

  it.each(all)('of %s is not called contradictory as well', async (_, payload) => {
    const labels = labelsOf(await diagnoseJson({payload}));
    expect(labels).toContain('ksn-neighbour');
    expect(labels).not.toContain('masked-copy-differs');
  });

  it('is found up to 2048 reads away', async () => {
    const payload = all.find(([type]) => type === 'generic')?.[1].replaceAll(AWAY, ksnAt(0x741));
    expect(labelsOf(await diagnoseJson({payload}))).toContain('ksn-neighbour');
    expect(all.length).toBeGreaterThan(3);
  });
});

const ksnAt = (counter: number) => `FFFF9876543210E0${counter.toString(16).padStart(4, '0')}`;

describe('a payload without a KSN', () => {
  it.each([
    [
      'bare ciphertext',
      'CDD852B8ED9C9A0CE2C342D99887AD9FDD01055BE2B945DD92140864DFC45CEACF1FBF02C87C0BE4',
    ],
    ['a frame without its end', '027D01003F48236B252A343236362A2A2A2A2A2A2A2A39393939'],
  ])('lacks no key for "this KSN": %s', async (_, payload) => {
    const labels = labelsOf(await diagnoseJson({payload}));
    expect(labels.filter((one) => one === 'ksn-missing' || one === 'frame-cut')).toHaveLength(1);
    expect(labels).not.toContain('no-key');
  });
});

it('leads with the mistyped name of a field, as `decrypt` does', async () => {
  const {devicePayload} = simulate({deviceType: 'generic', mode: 'swiped', card, ksn: KSN, keys});
  const payload = devicePayload.replace('"track1"', '"trakc1"');
  const request = {deviceType: 'generic', devicePayload: payload} as const;
  expect(answer(request, keys)).toMatchObject({errCode: 2100});
  const {verdicts} = await diagnoseJson({payload});
  expect(verdicts.find(({rank}) => rank === 'mistake')).toMatchObject({
    label: 'name-mistyped',
    detail: expect.stringMatching(/^member trakc1 /),
  });
});
