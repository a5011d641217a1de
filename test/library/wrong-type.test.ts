import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {Mode} from '../../src/contract/process-payload.js';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing, testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {withOwnType} from '../../src/engine/recognise.js';
import {decrypt, inspect} from '../../src/index.js';
import type {SimulatedRequest} from '../../src/simulator/simulate.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {errorOf} from '../code-of.js';
import {simulate, writerOf} from '../writers.js';

const keys = testKeyRing();
const otherKeys = new KeyRing([{kind: 'bdk', secret: new Secret(new Uint8Array(16).fill(7))}]);
const MODES: readonly Mode[] = ['swiped', 'emv', 'keyed'];

/** A payload of every type, mode and value of an option. */
function everyForm(): SimulatedRequest[] {
  return TERMINAL_TYPES.flatMap((deviceType) => {
    const {options} = writerOf(deviceType);
    const each = options.flatMap(({name, values}) => values.slice(1).map((one) => ({[name]: one})));
    return MODES.flatMap((mode) =>
      [{}, ...each].flatMap((own) => attempt(() => made(deviceType, mode, own)) ?? []),
    );
  });
}

function made(deviceType: (typeof TERMINAL_TYPES)[number], mode: Mode, options: object) {
  const [card] = TEST_CARDS;
  if (!card) throw new Error('no card');
  const settings = {card, ksn: 'FFFF9876543210E00001', options: {...options}};
  return simulate({...settings, deviceType, mode, keys});
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof PaylensError) return undefined;
    throw error;
  }
}

/** What is said of a payload under another type; undefined if it opens. */
function errorAs(request: SimulatedRequest, deviceType: string): PaylensError | undefined {
  const wrong = {...request, deviceType};
  try {
    processPayload(wrong, keys);
    return undefined;
  } catch (error) {
    return withOwnType(error, wrong, KNOWN_TERMINALS) as PaylensError;
  }
}

describe('a payload with the type of another terminal', () => {
  it('is named by its own type: at least 95 of 100', () => {
    const outcomes = everyForm().flatMap((request, i) => {
      const others = TERMINAL_TYPES.filter((type) => type !== request.deviceType);
      const error = errorAs(request, others[i % others.length] ?? 'idtech');
      if (!error) return [];
      const {fault} = error;
      const named = fault?.kind === 'setting' ? (fault.instead ?? []) : [];
      // Also right: a type whose form this terminal borrows.
      return [named.some((type) => opens(request, type))];
    });
    const right = outcomes.filter((isRight) => isRight).length;
    expect(outcomes.length).toBeGreaterThan(250);
    expect(right / outcomes.length).toBeGreaterThan(0.95);
  });

  it('is also named by the library, as text and as data', async () => {
    const request = made('idtech', 'swiped', {});
    const hint = 'The payload is of idtech, not miura: use --device-type idtech.';
    const failing = () => decrypt(request.devicePayload, {deviceType: 'miura', testKeys: true});
    expect(failing).toThrow(expect.objectContaining({code: 2102, hint}));
    expect(inspect(request.devicePayload, {deviceType: 'miura'}).error).toMatchObject({hint});
  });

  it('is not named as another because of its key, or of what is missing', () => {
    const request = made('ifsf', 'swiped', {});
    const {devicePayload} = request;
    const cut = {...request, devicePayload: devicePayload.slice(0, -16)};
    for (const [one, ring] of [
      [cut, keys],
      [request, otherKeys],
    ] as const) {
      const error = errorOf(() => processPayload(one, ring));
      expect(withOwnType(error, one, KNOWN_TERMINALS)).toBe(error);
    }
  });
});

function opens(request: SimulatedRequest, deviceType: string): boolean {
  const named = {...request, deviceType};
  return (
    request.deviceType === deviceType || attempt(() => processPayload(named, keys)) !== undefined
  );
}
