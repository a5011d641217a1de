import {createHash} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {Mode} from '../../src/contract/process-payload.js';
import {Secret} from '../../src/contract/secret.js';
import {decrypt} from '../../src/engine/decrypt.js';
import {
  FURTHER_TYPES,
  KNOWN_TERMINALS,
  type TerminalType,
} from '../../src/engine/devices/registry.js';
import type {WriterOption} from '../../src/engine/devices/writer.js';
import {KeyRing, testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {planDecryption} from '../../src/engine/plan.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {recognise} from '../../src/engine/recognise.js';
import type {SimulatedRequest, Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../writers.js';

/** What holds for every terminal beyond the interface, whatever its format is. */

const EACH = process.env.SLOW ? 10_000 : 1_000;
const WRONG_KEYS = process.env.SLOW ? 1_000_000 : 20_000;
const KSN = 'FFFF9876543210E00001';
const keys = testKeyRing();

interface Shape {
  readonly type: TerminalType;
  readonly mode: Mode;
}

const SHAPES = FURTHER_TYPES.flatMap((type) =>
  writerOf(type).modes.map((mode): Shape => ({type, mode})),
);

/** Every value of every option, one at a time. */
const SINGLE = SHAPES.flatMap(({type, mode}) =>
  [{}, ...writerOf(type).options.flatMap(singles)].map((options) => ({type, mode, options})),
);

function singles({name, values}: WriterOption): Readonly<Record<string, string>>[] {
  return values.slice(1).map((value) => ({[name]: value}));
}

const visa = TEST_CARDS.find(({id}) => id === 'visa') as TestCard;

function made(simulation: Partial<Simulation> & Shape): SimulatedRequest | undefined {
  const {type: deviceType, ...rest} = simulation;
  try {
    return simulate({card: visa, ksn: KSN, keys, options: {}, ...rest, deviceType});
  } catch (error) {
    if (error instanceof PaylensError && error.code === 9001) return undefined;
    throw error;
  }
}

/** The card, or the code of the error; anything else that is thrown fails the test. */
function answerOf(request: SimulatedRequest): string | number {
  try {
    const {extracted} = processPayload(request, keys);
    return `${extracted.PAN} ${extracted.EXPY}`;
  } catch (error) {
    if (error instanceof PaylensError && error.code > 1) return error.code;
    throw error;
  }
}

function ksnOf(counter: number): string {
  return `FFFF9876543210${(0xe00000 + counter).toString(16).toUpperCase()}`;
}

function cardOf({pan, expiry}: TestCard): string {
  return `${pan.replaceAll(' ', '')} ${expiry.slice(2)}${expiry.slice(0, 2)}`;
}

describe(`${EACH} payloads at random give their card back, and are taken for no other:`, () => {
  it.each(SHAPES)('$type, $mode', {timeout: 600_000}, ({type, mode}) => {
    const choices = writerOf(type).options.map(({name, values}) => [
      name,
      fc.constantFrom(...values),
    ]);
    const setting = fc.record({
      card: fc.constantFrom(...TEST_CARDS),
      counter: fc.integer({min: 1, max: 0x3ff}),
      iv: fc.constantFrom(undefined, undefined, '0011223344556677'),
      options: fc.record(Object.fromEntries(choices), {requiredKeys: []}),
    });
    let read = 0;
    const settings = fc.sample(setting, {numRuns: 20 * EACH, seed: 16});
    for (const {counter, ...rest} of settings) {
      if (read === EACH) break;
      const request = made({type, mode, ...rest, ksn: ksnOf(counter)});
      if (!request) continue;
      read++;
      expect({options: rest.options, answer: answerOf(request)}).toEqual({
        options: rest.options,
        answer: cardOf(rest.card),
      });
      const others = recognise(request.devicePayload, KNOWN_TERMINALS);
      if (others.includes(type)) expect(others).toEqual([type]);
    }
    expect(read).toBe(EACH);
  });
});

describe('a damaged payload never gives another card:', () => {
  it.each(SINGLE)('$type, $mode, $options', ({type, mode, options}) => {
    const request = made({type, mode, options});
    if (!request) return;
    const {devicePayload} = request;
    const card = cardOf(visa);
    const wrong = [...damaged(devicePayload)].filter((text) => {
      const answer = answerOf({...request, devicePayload: text});
      return typeof answer === 'string' && answer !== card;
    });
    expect(wrong).toEqual([]);
  });
});

/** Cut at every length, and every character changed into two others. */
function* damaged(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    yield text.slice(0, at) || ' ';
    const digit = Number.parseInt(text[at] ?? '', 16);
    const others = [String.fromCharCode(text.charCodeAt(at) ^ 1)];
    if (!Number.isNaN(digit)) others.push(((digit + 7) % 16).toString(16).toUpperCase());
    for (const other of others) yield text.slice(0, at) + other + text.slice(at + 1);
  }
}

/** An initial key in a fixed sequence, so that one that was accepted can be found again. */
function wrongRing(index: number): KeyRing {
  const hash = createHash('sha256').update(`wrong ${index}`).digest();
  const secret = new Secret(hash.subarray(0, 16));
  return new KeyRing([{kind: 'ik', ksnPrefix: 'FFFF9876543210', secret}], {cache: false});
}

/** Every form of every mode; those that a mode does not have are left out. */
const FORMS = SHAPES.flatMap(({type, mode}) => {
  const forms = writerOf(type).options.find(({name}) => name === 'form')?.values ?? ['auto'];
  return forms.flatMap((form) => {
    const request = made({type, mode, options: forms.length > 1 ? {form} : {}});
    return request ? [{type, mode, form, request}] : [];
  });
});

describe(`${WRONG_KEYS} wrong keys open nothing:`, () => {
  it.each(FORMS)('$type, $mode, $form', {timeout: 3_600_000}, ({type, request}) => {
    const plan = planDecryption(
      readPayload(KNOWN_TERMINALS.get(type), request.devicePayload),
      request,
    );
    const accepted = Array.from({length: WRONG_KEYS}, (_, i) => i).filter((i) => {
      try {
        decrypt(plan, wrongRing(i));
        return true;
      } catch (error) {
        if (error instanceof PaylensError && [2601, 2602].includes(error.code)) return false;
        throw error;
      }
    });
    expect(accepted).toEqual([]);
  });
});
