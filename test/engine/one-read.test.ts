import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES, type TerminalRequest} from '../../src/engine/families/registry.js';
import type {SimulatedRequest} from '../../src/simulator/simulate.js';
import {tenthOf} from '../long.js';
import {SAMPLE_PAYLOADS, type Shape, SIMULATED_SHAPES, shapeTitle, testCard} from '../payloads.js';
import {simulate} from '../writers.js';
import {answer, testRing} from './samples.js';

/** What is put between two payloads: nothing, what ends a line, and what separates members. */
const JOINTS = ['', '\n', '\r\n', ' ', ',', ';', '|', '&', '\x1c', '[FS]', '00', '\r\n\r\n'];

const keys = testRing();
const KSNS = ['FFFF9876543210E00041', 'FFFF9876543210E00042'] as const;

/** Of two cards and two transactions each; undefined: no such payload of this terminal. */
function payloadsOf(shape: Shape): readonly (readonly SimulatedRequest[])[] | undefined {
  try {
    return ['visa', 'mastercard'].map((id) => KSNS.map((ksn) => made(shape, id, ksn)));
  } catch {
    return undefined;
  }
}

function made(shape: Shape, id: string, ksn: string): SimulatedRequest {
  return simulate({...shape, card: testCard(id), ksn, keys, iv: undefined});
}

function ask(request: TerminalRequest, devicePayload: string, ring = keys) {
  const {errCode, response} = answer({...request, devicePayload}, ring);
  return response ?? errCode;
}

/** Refused as a form, or as card data that contradicts itself. */
function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'number';
}

const shapes = SIMULATED_SHAPES.flatMap((shape) => {
  const payloads = payloadsOf(shape);
  return payloads ? [{...shape, payloads}] : [];
});

/** Of Miura one message may hold two blobs of a card, each under its KSN: the answer is the same. */
function maySendTwoBlobs({deviceType, options}: Shape): boolean {
  return deviceType === 'miura' && options.form === 'flat';
}

describe('two reads put together are none:', () => {
  it('has shapes of every terminal', () => {
    expect(new Set(shapes.map(({deviceType}) => deviceType)).size).toBe(TERMINAL_TYPES.length - 1);
    expect(shapes.length).toBeGreaterThan(200);
  });

  it.each(tenthOf(shapes, shapeTitle))('$deviceType, $mode, $options', ({payloads, ...shape}) => {
    const [[one, later], [other, otherLater]] = payloads as Pairs;
    assertRefused(one, [other, otherLater], JOINTS);
    const alone = ask(one, one.devicePayload);
    const equals = maySendTwoBlobs(shape) ? [one, later] : [one];
    if (equals.length === 1) assertRefused(one, [later], JOINTS);
    for (const {devicePayload} of equals) assertUnchanged(one, devicePayload, alone);
  });

  it.each(TERMINAL_TYPES.filter((type) => type !== 'phressiapad'))(
    '%s: a read in one form behind that of another card in another',
    (type) => {
      const all = shapes.filter(({deviceType}) => deviceType === type);
      const own = tenthOf(all, (shape) => `behind ${shapeTitle(shape)}`);
      const others = all.map(({payloads}) => (payloads as Pairs)[1][1]);
      for (const {payloads} of own) assertRefused((payloads as Pairs)[0][0], others, ['', '\n']);
    },
  );

  const published = tenthOf(SAMPLE_PAYLOADS, ({name}) => name);
  it.each(published)('$name behind others and itself', ({name, request, keys: ring}) => {
    const others = SAMPLE_PAYLOADS.filter(
      (other) => other.request.deviceType === request.deviceType && other.name !== name,
    ).map((other) => other.request);
    const {devicePayload} = request;
    assertRefused(request, others, JOINTS, ring);
    assertUnchanged(request, devicePayload, ask(request, devicePayload, ring), ring);
  });
});

type Pairs = [[SimulatedRequest, SimulatedRequest], [SimulatedRequest, SimulatedRequest]];

function assertRefused(
  request: TerminalRequest,
  others: readonly TerminalRequest[],
  joints: readonly string[],
  ring = keys,
): void {
  for (const {devicePayload} of others) {
    if (devicePayload === request.devicePayload) continue;
    for (const joint of joints) {
      const outcome = ask(request, request.devicePayload + joint + devicePayload, ring);
      if (!isRefused(outcome)) expect({joint, devicePayload, outcome}).toBe('refused');
    }
  }
}

function assertUnchanged(
  request: TerminalRequest,
  second: string,
  alone: unknown,
  ring = keys,
): void {
  for (const joint of JOINTS) {
    const outcome = ask(request, request.devicePayload + joint + second, ring);
    if (!isRefused(outcome)) expect({joint, outcome}).toEqual({joint, outcome: alone});
  }
}
