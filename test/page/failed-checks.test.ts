import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import {writerOf} from '../../src/engine/families/terminal.js';
import {type Exploration, explore} from '../../src/page/model/explore.js';
import {KINDS} from '../../src/page/model/field.js';
import {fieldOfOption, type SimulatedValues, simulated} from '../../src/page/model/simulated.js';
import {enhanced, track} from '../engine/families/idtech-frames.js';

const KEYS = {testKeys: true, typed: ''};

interface Read {
  readonly type: TerminalType;
  readonly text: string;
  readonly fields: {readonly ksn?: string | undefined; readonly iv?: string | undefined};
}

/** Forms that have a MAC or hashes, or checks that the usual one lacks; a card with three tracks. */
const FURTHER: readonly (readonly [type: TerminalType, values: SimulatedValues])[] = [
  ['idtech', {card: 'bush'}],
  ['idtech', {card: 'bush', ...chosen({form: 'keyboard', layout: 'original'})}],
  ['idtech', chosen({layout: 'original'})],
];

function chosen(options: Record<string, string>): SimulatedValues {
  const fields = Object.entries(options).map(([name, value]) => [fieldOfOption(name), value]);
  return Object.fromEntries(fields);
}

async function readsOf(type: TerminalType): Promise<Read[]> {
  const writer = await writerOf(TERMINALS[type]);
  const forms = writer.options.find(({name, form}) => name === 'form' && !form)?.values ?? [];
  const own = FURTHER.filter(([one]) => one === type).map(([, values]) => values);
  const choices = [{}, ...forms.map((form) => chosen({form})), ...own];
  const made = writer.modes.flatMap((mode) =>
    choices.flatMap((values) => {
      try {
        const made = simulated(type, writer, {mode, ...values}, undefined);
        return [{type, text: made.devicePayload, fields: {ksn: made.ksn, iv: made.iv}}];
      } catch {
        // This form does not go with this mode.
        return [];
      }
    }),
  );
  return type === 'idtech' ? [...made, WITH_MAC] : made;
}

const WITH_MAC: Read = {
  type: 'idtech',
  text: enhanced({
    tracks: [undefined, track(';4012888888881881=28012010?')],
    optional: Buffer.from([0x20]),
    mac: {ksn: 'FFFF9876543210E00002'},
  }),
  fields: {},
};

function explored({type, fields}: Read, text: string): Exploration {
  return explore({text, terminal: type, ...fields, keys: KEYS});
}

/** The payload with another value in one cell. */
function damaged(text: string, unit: string, cell: number): string {
  const isHex = unit === 'byte' && /^[\dA-F]+$/i.test(text);
  const at = isHex ? 2 * cell + 1 : cell;
  const other = text[at] === '1' ? '2' : '1';
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** The payload with the LRC and sums that it must have: what they are of is damaged alone. */
function summedUp(text: string, {inspection}: Exploration): string {
  return inspection.checks.reduce(
    (made, {ok, offset, expected}) =>
      ok ? made : made.slice(0, 2 * offset) + expected + made.slice(2 * offset + expected.length),
    text,
  );
}

/** What is to be seen where a check failed: its words at a field there, its colour at its first byte. */
function expectMarked({fields, kinds}: Exploration, name: string, offset: number): void {
  const found = fields.filter(({check}) => check?.ok === false && check.text.includes(name));
  const there = found.filter((one) => offset >= one.offset && offset < one.end);
  expect([name, offset, there.length]).toEqual([name, offset, 1]);
  expect([name, KINDS[kinds[there[0]?.offset ?? 0] ?? 0]]).toEqual([name, 'failed']);
  expect(there[0]?.check?.text).toMatch(
    /expected .* found |is not the (MAC of the data|hash of the plaintext)/,
  );
}

const seen = new Set<string>();

describe('a check that fails is marked at its bytes', () => {
  it.each(TERMINAL_TYPES)('of %s', async (type) => {
    for (const read of await readsOf(type)) {
      const whole = explored(read, read.text);
      const {unit, checks} = whole.inspection;
      for (const {offset} of [...checks, ...whole.macs]) {
        const text = damaged(read.text, unit, offset);
        const isSeal = whole.macs.some((seal) => seal.offset === offset);
        const wrong = explored(read, isSeal ? summedUp(text, explored(read, text)) : text);
        for (const check of [...wrong.inspection.checks, ...wrong.macs]) {
          if (check.ok) continue;
          seen.add(`${type} ${check.name}`);
          expectMarked(wrong, check.name, check.offset);
        }
      }
    }
  });

  it('was tried for every kind that can be damaged in one byte', () => {
    expect([...seen].sort()).toEqual([
      'idtech CRC-16',
      'idtech CheckSum',
      'idtech ETX',
      'idtech LRC',
      'idtech MAC',
      'idtech end of frame',
      'idtech keyed entry hash',
      'idtech track 1 hash',
      'idtech track 2 hash',
      'idtech track 3 hash',
      'ingenico-rba LRC',
      'magtek CRC',
      'magtek MAC',
      'miura LRC',
      'phressiapad CheckSum',
      'phressiapad ETX',
      'phressiapad LRC',
      'phressiapad track 1 hash',
      'phressiapad track 2 hash',
      'prima track 1 hash',
      'prima track 2 hash',
      'verifone LRC',
      'verifone NAD',
    ]);
  });
});

describe('a damaged payload of ID TECH', () => {
  it.each(['swiped', 'emv', 'keyed'])('shows ciphertexts as such, %s', async (mode) => {
    const writer = await writerOf(TERMINALS.idtech);
    const {devicePayload} = simulated('idtech', writer, {mode}, undefined);
    const look = (text: string) => explore({text, terminal: 'idtech', keys: KEYS});
    const kindsIn = ({fields}: Exploration) =>
      fields
        .filter(({name, level}) => level < 3 && / encrypted|, encrypted/.test(name.clear))
        .map(({kind}) => kind);
    const last = devicePayload.slice(-6, -2) === '0000' ? '0001' : '0000';
    const wrong = look(`${devicePayload.slice(0, -6)}${last}${devicePayload.slice(-2)}`);
    expect(wrong.failure?.code).toBe(2101);
    expect(kindsIn(wrong)).toEqual(kindsIn(look(devicePayload)));
    expect(kindsIn(wrong)).toContain('encrypted');
  });
});

describe('a masked copy of another card', () => {
  it.each([
    ['idtech', '3B343131312A', '3B343131322A', 89],
    ['miura', '3B3431313131312A', '3B3431313231312A', 154],
    ['dspread', '411111X', '411211X', 17],
  ] as const)('is marked in a payload of %s', async (type, shown, other, offset) => {
    const writer = await writerOf(TERMINALS[type]);
    const {devicePayload} = simulated(type, writer, {mode: 'swiped'}, undefined);
    const text = devicePayload.replace(shown, other);
    const look = (one: string) => explore({text: one, terminal: type, keys: KEYS});
    const wrong = look(type === 'idtech' ? summedUp(text, look(text)) : text);
    expect(wrong.failure?.fault).toMatchObject({kind: 'masked-copy', offset});
    const marked = wrong.fields.filter(({check}) => check?.text.endsWith('copy of the card'));
    expect(marked.map((one) => [one.offset, one.check?.ok])).toEqual([[offset, false]]);
  });
});

describe('a wrong hash', () => {
  const [hash = '', place] = ['track 2 hash is not the hash of the plaintext', 'track 2 hash'];
  const DEVICE = 'FFFF9876543210E00001';

  it.each([
    ['the initial key of TDES', DEVICE, '6AC292FAA1315B4D858AB3A3D7D5933A'],
    ['the BDK of AES', '123456789012345600000001', 'FEDCBA9876543210F1F1F1F1F1F1F1F1'],
  ])('is marked under %s, which is not what is tried first', async (_, ksn, typed) => {
    const writer = await writerOf(TERMINALS.idtech);
    const bdk = typed.startsWith('FEDC') ? typed : undefined;
    const {devicePayload} = simulated('idtech', writer, {mode: 'swiped', ksn}, bdk);
    const look = (text: string) =>
      explore({text, terminal: 'idtech', keys: {testKeys: false, typed}});
    const whole = look(devicePayload);
    const {offset = 0} = whole.fields.find(({name}) => name.clear === place) ?? {};
    expect(whole.macs).toContainEqual({
      name: place,
      offset,
      of: 'hash of the plaintext',
      ok: true,
    });
    const text = damaged(devicePayload, 'byte', offset);
    const wrong = look(summedUp(text, look(text)));
    expect(wrong.failure?.code).toBe(2601);
    expect(wrong.failure?.detail).toContain(`at offset ${offset}`);
    expect(wrong.fields.filter(({check}) => check?.text === hash)).toHaveLength(1);
    expect(wrong.fields.find(({check}) => check?.text === hash)?.offset).toBe(offset);
  });
});
