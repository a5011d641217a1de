import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {Mode} from '../../src/contract/process-payload.js';
import {Secret} from '../../src/contract/secret.js';
import {decrypt} from '../../src/engine/decrypt.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/devices/registry.js';
import {KeyRing, testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {planDecryption} from '../../src/engine/plan.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../writers.js';

/** Wrong keys a shape; the whole is more than a million with SLOW=1. */
const EACH = process.env.SLOW ? 20_000 : 500;
const KSN = 'FFFF9876543210E00001';
const [visa] = TEST_CARDS;

interface Shape {
  readonly type: TerminalType;
  readonly mode: Mode;
  readonly options: Readonly<Record<string, string>>;
}

/** Settings that leave a payload with little to prove its plaintext by. */
const LEAN: readonly Shape[] = [
  ...['2', '1', '12'].flatMap((tracks) =>
    ['60', '54'].map((format) => ({tracks, format, lrc: 'off'})),
  ),
  {tracks: '2', packing: 'bare'},
  {tracks: '2', packing: 'nibbles', lrc: 'off', track2Bytes: '24'},
].map((options) => ({type: 'wisepad' as const, mode: 'swiped' as const, options}));
const LEAN_CHIPS: readonly Shape[] = ['C2', 'C8', 'C5'].map((message) => ({
  type: 'wisepad2',
  mode: 'emv',
  options: {message},
}));
const LEAN_RECORDS: readonly Shape[] = [
  {type: 'ingenico-rba', mode: 'swiped', options: {message: 'record', tracks: '2'}},
  {type: 'ingenico-rba', mode: 'keyed', options: {message: 'record'}},
  {type: 'ingenico-rba', mode: 'emv', options: {message: 'record'}},
];
const LEAN_TERMINALS: readonly Shape[] = [
  {type: 'miura', mode: 'emv', options: {tags: '57'}},
  {type: 'verifone', mode: 'emv', options: {form: 'triple', tags: '57'}},
  {type: 'verifone', mode: 'emv', options: {form: 'triple', tags: '5A,5F24', cipher: 'ecb'}},
  {type: 'verifone', mode: 'swiped', options: {form: 'tvp', content: 'track2'}},
  {type: 'verifone', mode: 'keyed', options: {form: 'blob', cvv: 'off'}},
  {type: 'phressiapad', mode: 'swiped', options: {form: 'magtek'}},
];

const usual = TERMINAL_TYPES.flatMap((type) =>
  (writerOf(type)?.modes ?? []).map((mode): Shape => ({type, mode, options: {}})),
);

/** A key in a fixed sequence, so that one that was accepted can be found again. */
function wrongRing(index: number, kind: 'ik' | 'working'): KeyRing {
  const hash = createHash('sha256').update(`wrong ${index}`).digest();
  const secret = new Secret(hash.subarray(0, 16));
  const ksnPrefix = kind === 'ik' ? 'FFFF9876543210' : '';
  return new KeyRing([{kind, ksnPrefix, secret}], {cache: false});
}

type Plan = ReturnType<typeof planDecryption>;

function isAccepted(plan: Plan, index: number, kind: 'ik' | 'working'): boolean {
  try {
    decrypt(plan, wrongRing(index, kind));
    return true;
  } catch (error) {
    if (error instanceof PaylensError && [2601, 2602].includes(error.code)) return false;
    throw error;
  }
}

const GENERIC = [{content: 'tlv'}, {lrc: 'off'}, {algorithm: 'aes'}].map(
  (options): Shape => ({type: 'generic', mode: 'swiped', options}),
);

describe.each(['ik', 'working'] as const)(
  `${EACH} wrong keys, %s, open nothing made of`,
  (kind) => {
    it.each([...usual, ...LEAN, ...LEAN_CHIPS, ...LEAN_RECORDS, ...LEAN_TERMINALS, ...GENERIC])(
      '$type, $mode $options',
      {timeout: 3_600_000},
      ({type, mode, options}) => {
        const made = simulate({
          ...{deviceType: type, mode, options, ksn: KSN, keys: testKeyRing()},
          card: visa as NonNullable<typeof visa>,
        });
        const reading = readPayload(TERMINALS[type], made.devicePayload);
        if (reading.refusal) return;
        const plan = planDecryption(reading, made);
        const numbers = Array.from({length: EACH}, (_, i) => i);
        const accepted = numbers.filter((i) => isAccepted(plan, i, kind));
        expect(accepted).toEqual([]);
      },
    );
  },
);

/** One value of 40 bytes and nothing beside it: in ECB and CBC, by the default of the format. */
describe(`${EACH} wrong working keys open nothing without a KSN:`, () => {
  it.each(['track1', 'track2', 'track3', 'data'])('%s', {timeout: 3_600_000}, (name) => {
    const value = createHash('sha512').update(name).digest('hex').slice(0, 80);
    const request = {
      deviceType: 'generic' as const,
      devicePayload: JSON.stringify({[name]: value}),
    };
    const reading = readPayload(TERMINALS.generic, request.devicePayload);
    const numbers = Array.from({length: EACH}, (_, i) => i);
    const plan = planDecryption(reading, request, wrongRing(0, 'working'));
    expect(numbers.filter((i) => isAccepted(plan, i, 'working'))).toEqual([]);
  });
});
