import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {Mode} from '../../src/contract/process-payload.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {
  KNOWN_TERMINALS,
  TERMINAL_TYPES,
  type TerminalType,
} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {recognise} from '../../src/engine/recognise.js';
import type {SimulatedRequest} from '../../src/simulator/simulate.js';
import type {TestCard} from '../../src/simulator/test-cards.js';
import {readSamples} from '../engine/samples.js';
import {simulate, writerOf} from '../writers.js';

/**
 * What each payload is taken for: every form of every terminal of the registry, at random, and every
 * public read. RECOGNITION_EACH=10000 is the long run.
 */
const EACH = Number(process.env.RECOGNITION_EACH ?? 20);
const SEED = Number(process.env.RECOGNITION_SEED ?? 16);

/** Names of payloads that nothing tells apart before they are decrypted; both read the same card. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'dspread-or-wisepad': ['dspread', 'wisepad'],
};

const keys = testKeyRing({cache: false});

/** Whether a payload of `type` may be named as one of `other`. */
function mayBe(type: string, other: string): boolean {
  return type === other || SHARED[other]?.includes(type) === true;
}

/**
 * The names of a payload that are wrong. A type without a form of its own borrows those of others,
 * and bare ciphertext, which only its length tells, gives no card under another name.
 */
function wrongNames(request: SimulatedRequest, named: readonly string[]): string[] {
  const {deviceType} = request;
  if (named.length === 1 && named[0] === deviceType) return [];
  if (isBare(request)) return named.filter((other) => !isBareAs(request, other));
  const others = named.filter(
    (other) => !mayBe(deviceType, other) && !isClear(request, deviceType, other),
  );
  if (KNOWN_TERMINALS.get(deviceType).recognises !== false) return others;
  return others.filter(
    (other) => cardOf(request) !== cardOf({...request, deviceType: other as TerminalType}),
  );
}

/** The own name, if a payload that tells its terminal does not have it. */
function missingName(request: SimulatedRequest, named: readonly string[]): string[] {
  const {deviceType} = request;
  if (named.some((name) => mayBe(deviceType, name))) return [];
  if (named.length > 0 && isClear(request, deviceType, ...named)) return [];
  if (KNOWN_TERMINALS.get(deviceType).recognises === false || isBare(request)) return [];
  return [`not ${deviceType}`];
}

/**
 * Card data in clear is refused whoever sent it. An encrypted card number of digits alone looks like
 * one, unless the key is there and its terminal is named.
 */
function isClear({devicePayload}: SimulatedRequest, ...types: readonly string[]): boolean {
  return types.every((type) => refusalOf(type, devicePayload) === CLEAR);
}

const CLEAR = 2110;

/** Why a payload is refused without its key. */
function refusalOf(type: string, payload: string): number | undefined {
  try {
    const {refusal, doubt} = readPayload(KNOWN_TERMINALS.get(type), payload);
    return (refusal ?? doubt)?.code;
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

function isBare({deviceType, devicePayload}: SimulatedRequest): boolean {
  try {
    return readPayload(KNOWN_TERMINALS.get(deviceType), devicePayload).recognisedBy === 'length';
  } catch {
    return false;
  }
}

function isBareAs(request: SimulatedRequest, type: string): boolean {
  const other = {...request, deviceType: type as TerminalType};
  const answers = [/^\d{4}$/, new RegExp(`^${cardOf(request)}$`)];
  return isBare(other) && answers.some((answer) => answer.test(cardOf(other)));
}

function cardOf(request: SimulatedRequest): string {
  try {
    const {PAN, EXPY} = processPayload(request, keys).extracted;
    return `${PAN} ${EXPY}`;
  } catch (error) {
    if (error instanceof PaylensError) return String(error.code);
    throw error;
  }
}

/** Mulberry32, so that a run can be repeated. */
function drawFrom(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / (2 ** 32 / count));
  };
}

type Draw = ReturnType<typeof drawFrom>;

/** A card number that no list has; it only has to pass the Luhn check. */
function drawCard(draw: Draw): TestCard {
  const length = 13 + draw(6);
  const start = ['4', '51', '37', '6011', '35'][draw(5)] ?? '4';
  const digits = start + Array.from({length: length - start.length}, () => draw(10)).join('');
  const year = String(26 + draw(20));
  const month = String(1 + draw(12)).padStart(2, '0');
  return {
    id: 'drawn',
    pan: digits + checkDigit(digits),
    expiry: year + month,
    serviceCode: ['101', '201', '220'][draw(3)] ?? '101',
    name: ['DOE/JANE', 'TEST/CARD ONE', 'O NEIL/A'][draw(3)] ?? 'DOE/JANE',
  } as TestCard;
}

function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

function drawKsn(draw: Draw): string {
  const device = Array.from({length: 5}, () => draw(16).toString(16)).join('');
  const counter = 0xe00000 + 1 + draw(0x3ff);
  return `FFFF98765${device}${counter.toString(16)}`.toUpperCase();
}

interface Shape {
  readonly type: TerminalType;
  readonly mode: Mode;
  readonly form: Readonly<Record<string, string>>;
}

const SHAPES = TERMINAL_TYPES.flatMap((type) => {
  const {modes, options} = writerOf(type);
  const values = options.find(({name}) => name === 'form')?.values ?? [];
  const forms = values.length > 0 ? values.map((form) => ({form})) : [{}];
  return modes.flatMap((mode) => forms.map((form): Shape => ({type, mode, form})));
});

/** One payload of a shape, its other options drawn; undefined if they do not go together. */
function made({type, mode, form}: Shape, draw: Draw): SimulatedRequest | undefined {
  const drawn = writerOf(type).options.map(({name, values}) => [
    name,
    values[draw(2) === 0 ? 0 : draw(values.length)] ?? '',
  ]);
  const options = {...Object.fromEntries(drawn), ...form};
  const card = drawCard(draw);
  try {
    return simulate({deviceType: type, mode, card, ksn: drawKsn(draw), keys, options});
  } catch (error) {
    if (error instanceof PaylensError && error.code === 9001) return undefined;
    throw error;
  }
}

/** Of so many tries at least one must give a payload. */
const TRIES = 50;

describe(`${EACH} payloads of each form are taken for their terminal and no other:`, () => {
  it.each(SHAPES)('$type, $mode, $form', {timeout: 3_600_000}, (shape) => {
    const draw = drawFrom(SEED);
    let left = EACH;
    let tries = EACH * TRIES;
    while (left > 0 && tries-- > 0) {
      const request = made(shape, draw);
      if (!request) continue;
      left--;
      const named = recognise(request.devicePayload, KNOWN_TERMINALS);
      const wrong = [...wrongNames(request, named), ...missingName(request, named)];
      if (wrong.length > 0) expect({wrong, payload: request.devicePayload}).toEqual({wrong: []});
    }
    // A form that a mode does not have is never made; any other always is.
    expect([0, EACH]).toContain(left);
  });
});

describe('a public read is taken for no other terminal:', () => {
  it.each(TERMINAL_TYPES)('%s', (type) => {
    const wrong = readSamples(type).flatMap(({id, request}) => {
      const named = recognise(request.devicePayload, KNOWN_TERMINALS);
      const names = wrongNames(request, named);
      return names.length > 0 ? [{id, names}] : [];
    });
    expect(wrong).toEqual([]);
  });
});
