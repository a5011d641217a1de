import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {Mode} from '../../src/contract/process-payload.js';
import {decodeInput, isBinary} from '../../src/engine/decode-input.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES, type TerminalType} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {WriterOption} from '../../src/engine/writing.js';
import {toRequest} from '../../src/input/paste/request-input.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {draws, seedOf} from '../long.js';
import {canSend, simulate, writerOf} from '../writers.js';

/** Whatever is simulated is read: every terminal, mode and card, and its settings together. */

const keys = testKeyRing();
const TDES_KSN = 'FFFF9876543210E00001';
const AES_KSN = '123456789012345600000001';
const IVS = [undefined, '0011223344556677', '00112233445566778899AABBCCDDEEFF'];

/** Values of options that take any of their form. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  tracks: ['1', '2', '3', '12', '13', '23', '123'],
  mask: ['6/4', '0/4', '6/0'],
  zip: ['90210', '090210'],
  tags: ['57', '5A', '5A,57', '5A,5F24', '57,5A,5F20,5F24,5F30,9F1F'],
  masked: ['57', '5A'],
  header: ['00', '000000'],
  attribution: ['E8', 'C8'],
};

function valuesOf({name, values, form}: WriterOption): string[] {
  const free = (FREE[name] ?? []).filter((value) => form?.test(value));
  return [...new Set([...values, ...free])];
}

interface Setting {
  readonly mode: Mode;
  readonly card: TestCard;
  readonly ksn: string;
  readonly iv?: string | undefined;
  readonly options: Readonly<Record<string, string>>;
}

type Outcome = 'read' | 'closed' | 'refused' | 'unreadable';

/** Reads what was made, as it was printed, too. Anything that throws here fails the test. */
function outcomeOf(deviceType: TerminalType, setting: Setting): Outcome {
  const made = attempt(() => simulate({...setting, deviceType, keys}));
  if (made instanceof PaylensError) {
    expect([9001, 2602]).toContain(made.code);
    return made.detail.startsWith('these options do not give a valid payload')
      ? 'unreadable'
      : 'refused';
  }
  const {devicePayload} = made;
  if (isBinary(devicePayload)) {
    const dump = decodeInput(Buffer.from(devicePayload, 'latin1'));
    expect(toRequest(dump, undefined, {deviceType}).devicePayload).toBe(devicePayload);
    expect(toRequest(dump, undefined, {}).deviceType).toBe(ownType(deviceType, dump));
  }
  const found = attempt(() => processPayload(made, keys));
  if (found instanceof PaylensError) {
    expect({code: found.code, message: found.message}).toMatchObject({code: 2111});
    return 'closed';
  }
  expect(found.extracted).toMatchObject({PAN: setting.card.pan, EXPY: expy(setting.card)});
  return 'read';
}

/** The one that a dump is recognised as: of forms that are borrowed their owner. */
function ownType(deviceType: TerminalType, dump: string): TerminalType {
  if (deviceType === 'wisepad2') return 'wisepad';
  if (deviceType !== 'phressiapad') return deviceType;
  return dump.startsWith('\x02') ? 'idtech' : dump.startsWith('\0') ? 'prima' : 'verifone';
}

function expy({expiry}: TestCard): string {
  return expiry.slice(2) + expiry.slice(0, 2);
}

function attempt<T>(run: () => T): T | PaylensError {
  try {
    return run();
  } catch (error) {
    if (error instanceof PaylensError) return error;
    throw error;
  }
}

const TDES_ONLY = TERMINAL_TYPES.flatMap((type) =>
  (writerOf(type).tdesOnly ?? []).map((mode) => ({type, mode})),
);
const FEW = TEST_CARDS.filter(({id}) => ['visa', 'maestro-12', 'unionpay-19', 'bush'].includes(id));
const SHAPES = TERMINAL_TYPES.flatMap((type) =>
  writerOf(type).modes.flatMap((mode) => {
    const ksns = writerOf(type).tdesOnly?.includes(mode) ? [TDES_KSN] : [TDES_KSN, AES_KSN];
    return ksns.map((ksn) => ({type, mode, ksn}));
  }),
);

function readable(type: TerminalType, cards: readonly TestCard[]): TestCard[] {
  return cards.filter(({id}) => canSend(type, id));
}

/** No terminal of this kind can be read: its encryption is not public. */
const CLOSED = 'ingenico-ra1';

describe.each(SHAPES)('what $type makes, $mode, under $ksn,', ({type, mode, ksn}) => {
  const {options} = writerOf(type);
  const tally = () => ({read: 0, closed: 0, refused: 0, unreadable: 0});

  it('is read of every card', () => {
    const count = tally();
    const cards = readable(type, TEST_CARDS);
    for (const card of cards) count[outcomeOf(type, {mode, card, ksn, options: {}})]++;
    const all = type === CLOSED ? count.closed : count.read;
    expect(all).toBe(cards.length);
  });

  it('is read with every value of every option', () => {
    const count = tally();
    for (const option of options) {
      for (const value of valuesOf(option)) {
        for (const card of readable(type, FEW)) {
          for (const iv of IVS) {
            const setting = {mode, card, ksn, iv, options: {[option.name]: value}};
            count[outcomeOf(type, setting)]++;
          }
        }
      }
    }
    if (options.length > 0) expect(count.read + count.closed).toBeGreaterThan(5);
    expect(count.unreadable).toBeLessThanOrEqual(0.06 * (count.read + count.closed));
  });

  it('is read with options together', () => {
    const one = (option: WriterOption) => fc.constantFrom(...valuesOf(option));
    const chosen = fc.record(
      Object.fromEntries(options.map((option) => [option.name, one(option)])),
      {requiredKeys: []},
    );
    const count = tally();
    fc.assert(
      fc.property(
        chosen,
        fc.constantFrom(...readable(type, TEST_CARDS)),
        fc.constantFrom(...IVS),
        (given, card, iv) => {
          const setting = {mode, card, ksn, iv, options: given as Setting['options']};
          count[outcomeOf(type, setting)]++;
        },
      ),
      {seed: seedOf(`${type} ${mode} ${ksn}`), numRuns: draws(3_000)},
    );
    expect(count.read + count.closed).toBeGreaterThan(0);
  });
});

describe('a setting that makes no read is refused (9001):', () => {
  const card = FEW[0] as TestCard;
  it.each([
    ['idtech', 'swiped', AES_KSN, {layout: 'original'}],
    ['idtech', 'keyed', AES_KSN, {layout: 'original'}],
  ] as const)('%s, %s, %s, %o, naming the option', (deviceType, mode, ksn, options) => {
    const run = () => simulate({deviceType, mode, ksn, options, card, keys});
    const [option = ''] = Object.keys(options);
    expect(run).toThrow(
      expect.objectContaining({code: 9001, detail: expect.stringMatching(`^option ${option}:`)}),
    );
  });

  it('a KSN of 12 bytes where a format has no room for it', () => {
    expect(TDES_ONLY).not.toEqual([]);
  });

  it.each(TDES_ONLY)('$type, $mode, under a KSN of 12 bytes', ({type: deviceType, mode}) => {
    const run = () => simulate({deviceType, mode, ksn: AES_KSN, card, keys});
    expect(run).toThrow(
      expect.objectContaining({code: 9001, detail: expect.stringMatching(/^KSN when /)}),
    );
  });

  it('but not what is only read as binary', () => {
    const options = {form: 'binary', message: 'tlv'};
    expect(outcomeOf('idtech', {mode: 'emv', ksn: TDES_KSN, options, card})).toBe('read');
    expect(outcomeOf('idtech', {mode: 'swiped', ksn: TDES_KSN, options, card})).toBe('read');
  });
});
