import {describe, expect, it} from 'vitest';
import type {Mode} from '../../src/contract/process-payload.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {Damage} from '../../src/simulator/damage.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {codeOf} from '../code-of.js';
import {canSend, simulate, simulateStream, writerOf} from '../writers.js';

const KSN = 'FFFF9876543210E00001';
const keys = testKeyRing();
const visa = card('visa');

/** Schemes that are closed: the payload is well-formed, and answers 2111. */
const CLOSED: readonly TerminalType[] = ['ingenico-ra1'];

const written = TERMINAL_TYPES.filter((type) => TERMINALS[type].write);
const ways = written.flatMap((type) => writerOf(type).modes.map((mode) => ({type, mode})));
const open = ways.filter(({type}) => !CLOSED.includes(type));
const closed = ways.filter(({type}) => CLOSED.includes(type));

function card(id: string): TestCard {
  const found = TEST_CARDS.find((known) => known.id === id);
  if (!found) throw new Error(`no test card ${id}`);
  return found;
}

function simulation(over: Partial<Simulation>): Simulation {
  return {deviceType: 'idtech', mode: 'swiped', card: visa, ksn: KSN, keys, ...over};
}

function expiryOf({expiry}: TestCard): string {
  return expiry.slice(2) + expiry.slice(0, 2);
}

describe.each(closed)('a closed scheme: $type, $mode', ({type, mode}) => {
  it.each(TEST_CARDS)('is refused by name for the card $id', (chosen) => {
    const request = simulate(simulation({deviceType: type, mode, card: chosen}));
    expect(codeOf(() => processPayload(request, keys))).toBe(2111);
  });
});

it.each(open)('a KSN of 12 bytes, AES DUKPT: $type, $mode', ({type, mode}) => {
  const over = {deviceType: type, mode, ksn: '123456789012345600000001'} as const;
  const pan = () => processPayload(simulate(simulation(over)), keys).extracted.PAN;
  if (writerOf(type).tdesOnly?.includes(mode)) expect(codeOf(pan)).toBe(9001);
  else expect(pan()).toBe(visa.pan);
});

describe.each(open)('simulate, then decrypt: $type, $mode', ({type, mode}) => {
  it.each(TEST_CARDS)('gives back the card $id', (chosen) => {
    if (!canSend(type, chosen.id)) {
      const run = () => simulate(simulation({deviceType: type, mode, card: chosen}));
      expect(codeOf(run)).toBe(9001);
      return;
    }
    const request = simulate(simulation({deviceType: type, mode, card: chosen}));
    const {meta, extracted} = processPayload(request, keys);
    expect({mode: meta.mode, PAN: extracted.PAN, EXPY: extracted.EXPY}).toStrictEqual({
      mode,
      PAN: chosen.pan,
      EXPY: expiryOf(chosen),
    });
  });

  it('puts the serial number where it is found again', () => {
    const request = simulate(simulation({deviceType: type, mode, serial: '71234569'}));
    expect(processPayload(request, keys).meta.serial.replace(/^0+/, '')).toContain('71234569');
  });

  it('gives no card when the key is wrong', () => {
    const request = simulate(simulation({deviceType: type, mode, damage: 'wrong-key'}));
    expect([2601, 2602, 2103]).toContain(codeOf(() => processPayload(request, keys)));
  });

  it('gives no card when the end is missing', () => {
    const request = simulate(simulation({deviceType: type, mode, damage: 'cut'}));
    expect([2100, 2101, 2102, 2400]).toContain(codeOf(() => processPayload(request, keys)));
  });

  it('gives the card or a typed error when a byte was flipped', () => {
    const request = simulate(simulation({deviceType: type, mode, damage: 'flipped-byte'}));
    expect(codeOf(() => processPayload(request, keys))).not.toBe(-1);
  });
});

const withSwipes = written.filter((type) => writerOf(type)?.modes.includes('swiped'));

/**
 * Messages without track 1, which alone holds the name: IFSF has no field, nexo and the requests of
 * BBPOS send track 2. Those of Newland send track 1 alone.
 */
const WITHOUT_TRACK_1: ReadonlySet<string> = new Set(['ifsf', 'nexo', 'bbpos']);
const WITHOUT_TRACK_2: ReadonlySet<string> = new Set(['newland']);

it.each(withSwipes.filter((type) => !CLOSED.includes(type)))(
  'a swipe of %s gives back name, service code and tracks',
  (type) => {
    const chosen = card('visa-stripe');
    const result = processPayload(simulate(simulation({deviceType: type, card: chosen})), keys);
    if (!WITHOUT_TRACK_1.has(type))
      expect(result.extracted).toMatchObject({Surname: 'PUBLIC', FirstName: 'JANE Q'});
    if (!WITHOUT_TRACK_2.has(type))
      expect(result.track2?.ascii).toBe(';4242424242424242=28121011234567000000?');
  },
);

describe('idtech, every setting gives the card back:', () => {
  const settings: readonly {mode: Mode; options: Record<string, string>}[] = [
    ...['hex', 'keyboard', 'binary'].flatMap((form) =>
      ['enhanced', 'original'].flatMap((layout) => [
        {mode: 'swiped' as const, options: {form, layout}},
        {mode: 'keyed' as const, options: {form, layout, zip: '90210'}},
      ]),
    ),
    ...['vivotech2', 'vivopayv3', 'tlv'].flatMap((message) => [
      {mode: 'swiped' as const, options: {message}},
      {mode: 'keyed' as const, options: {message}},
      ...['flags', 'twice', 'augusta'].flatMap((convention) =>
        ['tdes', 'aes'].map((algorithm) => ({
          mode: 'emv' as const,
          options: {message, convention, algorithm},
        })),
      ),
    ]),
    {mode: 'swiped', options: {algorithm: 'aes'}},
    {mode: 'swiped', options: {mask: '6/4', hash: 'null'}},
    {mode: 'swiped', options: {hash: 'none', tracks: '2'}},
  ];

  it.each(settings)('$mode $options', ({mode, options}) => {
    const request = simulate(simulation({mode, options}));
    expect(processPayload(request, keys).extracted).toMatchObject({
      PAN: visa.pan,
      ...(options.zip ? {ZIP: '90210'} : {}),
    });
  });
});

describe('generic, every setting gives the card back:', () => {
  const settings: readonly {mode: Mode; options: Record<string, string>; iv?: string}[] = [
    ...['short', 'long', 'text'].map((form) => ({mode: 'swiped' as const, options: {form}})),
    ...['data', 'data-plain', 'pin', 'mac', 'mac-response', 'data-response', 'none'].map(
      (variant) => ({mode: 'swiped' as const, options: {variant}}),
    ),
    {mode: 'swiped', options: {mode: 'ecb'}},
    {mode: 'swiped', options: {algorithm: 'aes'}},
    {mode: 'swiped', options: {ksn: 'request'}},
    {mode: 'swiped', options: {}, iv: '0F1E2D3C4B5A6978'},
    {mode: 'emv', options: {}, iv: '0F1E2D3C4B5A6978'},
    {mode: 'swiped', options: {form: 'long'}, iv: '0F1E2D3C4B5A6978'},
    {mode: 'swiped', options: {algorithm: 'aes'}, iv: '000102030405060708090A0B0C0D0E0F'},
  ];

  it.each(settings)('$mode $options $iv', ({mode, options, iv}) => {
    const request = simulate(simulation({deviceType: 'generic', mode, options, iv}));
    expect(processPayload(request, keys).extracted.PAN).toBe(visa.pan);
  });
});

describe('damage', () => {
  it.each<[Damage, number]>([
    ['lrc', 2101],
    ['cut', 2102],
    ['wrong-key', 2601],
    ['flipped-byte', 2101],
  ])('%s of an idtech frame is answered with %i', (damage, code) => {
    const request = simulate(simulation({damage}));
    expect(codeOf(() => processPayload(request, keys))).toBe(code);
  });

  it('lrc of a ViVOpay message spoils its CRC', () => {
    const request = simulate(simulation({mode: 'emv', damage: 'lrc'}));
    expect(codeOf(() => processPayload(request, keys))).toBe(2101);
  });

  it.each<[TerminalType, Record<string, string>, string?]>([
    ['generic', {}],
    ['generic', {}, '0F1E2D3C4B5A6978'],
    ['verifone', {form: 'base64'}],
    ['phressiapad', {form: 'vipa'}],
  ])(
    'lrc of a payload of %s without frame, %o, spoils the tracks: 2601',
    (deviceType, options, iv) => {
      const request = simulate(simulation({deviceType, options, iv, damage: 'lrc'}));
      expect(codeOf(() => processPayload(request, keys))).toBe(2601);
    },
  );

  it.each<[TerminalType, Mode, string]>([
    ['miura', 'keyed', 'flat'],
    ['phressiapad', 'emv', 'vipa'],
    ['generic', 'emv', 'text'],
  ])('cut leaves no whole payload of %s, %s, form %s, of any card', (deviceType, mode, form) => {
    for (const chosen of TEST_CARDS) {
      const over = {deviceType, mode, card: chosen, options: {form}};
      const request = simulate(simulation({...over, damage: 'cut'}));
      expect([2100, 2102]).toContain(codeOf(() => processPayload(request, keys)));
    }
  });

  it('lrc of a payload that has none is wrong usage', () => {
    expect(
      codeOf(() => simulate(simulation({deviceType: 'generic', mode: 'emv', damage: 'lrc'}))),
    ).toBe(9001);
  });
});

describe('simulate refuses', () => {
  it.each<[string, Partial<Simulation>, number]>([
    ['an unknown option', {options: {colour: 'blue'}}, 9001],
    ['an unknown value of an option', {options: {form: 'morse'}}, 9001],
    ['a KSN whose counter no terminal sends', {ksn: 'FFFF9876543210E00000'}, 2400],
    ['a KSN of a wrong length', {ksn: 'FFFF98765'}, 2400],
    ['an IV that is no block', {deviceType: 'generic', iv: 'FF'}, 2602],
    ['an IV for a format without one', {iv: '0F1E2D3C4B5A6978'}, 9001],
    ['a name in lower case on a stripe', {card: {...visa, name: 'Doe/John'}}, 9001],
    ['a name with a separator', {card: {...visa, name: 'DOE^JOHN'}}, 9001],
    ['a name that is too long', {card: {...visa, name: 'A'.repeat(27)}}, 9001],
    ['a PAN that is no number', {card: {...visa, pan: '4111-1111-1111-1111'}}, 9001],
    ['a PAN of 20 digits', {card: {...visa, pan: '4'.repeat(20)}}, 9001],
    ['letters in track 2', {card: {...visa, discretionary: '12A'}}, 9001],
    ['a track that is too long', {card: {...visa, discretionary: '1'.repeat(30)}}, 9001],
    ['a serial number that is too long', {serial: 'A2345678901'}, 9001],
    [
      'keyed entry in an RBA message that cannot tell it',
      {deviceType: 'ingenico-rba', mode: 'keyed', options: {message: '33'}},
      9001,
    ],
  ])('%s', (_, over, code) => {
    expect(codeOf(() => simulate(simulation(over)))).toBe(code);
  });

  it('never repeats the PAN in its message', () => {
    const run = () => simulate(simulation({card: {...visa, discretionary: 'X'}}));
    expect(run).toThrow(expect.not.objectContaining({message: expect.stringContaining(visa.pan)}));
  });
});

it('a chip may hold a name in lower case', () => {
  const request = simulate(simulation({mode: 'emv', card: {...visa, name: 'Doe/John'}}));
  expect(processPayload(request, keys).extracted).toMatchObject({
    Surname: 'Doe',
    FirstName: 'John',
  });
});

describe('simulateStream', () => {
  it('advances the counter as the terminal does', () => {
    const requests = [...simulateStream(simulation({ksn: 'FFFF9876543210E003FF'}), 3)];
    expect(requests.map((each) => each.devicePayload.slice(-26, -6))).toStrictEqual([
      'FFFF9876543210E003FF',
      'FFFF9876543210E00400',
      'FFFF9876543210E00401',
    ]);
  });

  it('repeats the counter when that is the damage', () => {
    const [first, second] = [...simulateStream(simulation({damage: 'repeated-counter'}), 2)];
    expect(first).toStrictEqual(second);
  });
});
