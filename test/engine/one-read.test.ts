import {describe, expect, it} from 'vitest';
import type {Mode} from '../../src/contract/process-payload.js';
import {
  TERMINAL_TYPES,
  type TerminalRequest,
  type TerminalType,
} from '../../src/engine/devices/registry.js';
import type {SimulatedRequest} from '../../src/simulator/simulate.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../writers.js';
import {answer, readSamples, ringOf, testRing} from './samples.js';

/** What is put between two payloads: nothing, what ends a line, and what separates members. */
const JOINTS = ['', '\n', '\r\n', ' ', ',', ';', '|', '&', '\x1c', '[FS]', '00', '\r\n\r\n'];

const keys = testRing();
const KSNS = ['FFFF9876543210E00041', 'FFFF9876543210E00042'] as const;

interface Shape {
  readonly deviceType: TerminalType;
  readonly mode: Mode;
  readonly options: Readonly<Record<string, string>>;
}

/** Every terminal in every mode, with every value of every option. */
const SIMULATED: readonly Shape[] = TERMINAL_TYPES.filter(
  (type) => type !== 'ingenico-ra1',
).flatMap((deviceType) => {
  const {modes, options} = writerOf(deviceType);
  const single = options.flatMap(({name, values}) => values.map((value) => ({[name]: value})));
  return modes.flatMap((mode) => [{}, ...single].map((options) => ({deviceType, mode, options})));
});

/** Of two cards and two transactions each; undefined: no such payload of this terminal. */
function payloadsOf(shape: Shape): readonly (readonly SimulatedRequest[])[] | undefined {
  try {
    return ['visa', 'mastercard'].map((id) => KSNS.map((ksn) => made(shape, id, ksn)));
  } catch {
    return undefined;
  }
}

function made(shape: Shape, id: string, ksn: string): SimulatedRequest {
  const card = TEST_CARDS.find((known) => known.id === id);
  if (!card) throw new Error(`no test card ${id}`);
  return simulate({...shape, card, ksn, keys, iv: undefined});
}

function ask(request: TerminalRequest, devicePayload: string, ring = keys) {
  const {errCode, response} = answer({...request, devicePayload}, ring);
  return response ?? errCode;
}

/** Refused as a form, or as card data that contradicts itself. */
function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'number';
}

const shapes = SIMULATED.flatMap((shape) => {
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

  it.each(shapes)('$deviceType, $mode, $options', ({payloads, ...shape}) => {
    const [[one, later], [other, otherLater]] = payloads as Pairs;
    demandRefusal(one, [other, otherLater], JOINTS);
    const alone = ask(one, one.devicePayload);
    const equals = maySendTwoBlobs(shape) ? [one, later] : [one];
    if (equals.length === 1) demandRefusal(one, [later], JOINTS);
    for (const {devicePayload} of equals) demandUnchanged(one, devicePayload, alone);
  });

  it.each(TERMINAL_TYPES.filter((type) => type !== 'phressiapad'))(
    '%s: a read in one form behind that of another card in another',
    (type) => {
      const own = shapes.filter(({deviceType}) => deviceType === type);
      const others = own.map(({payloads}) => (payloads as Pairs)[1][1]);
      for (const {payloads} of own) demandRefusal((payloads as Pairs)[0][0], others, ['', '\n']);
    },
  );

  const PUBLISHED = TERMINAL_TYPES.flatMap((name) =>
    readSamples(name)
      .filter(({expect: {response}}) => response !== undefined)
      .map((sample) => ({name, ...sample})),
  );

  it.each(PUBLISHED)('$name: $id behind others and itself', ({name, id, request, keys}) => {
    const ring = ringOf(keys);
    const others = PUBLISHED.filter((sample) => sample.name === name && sample.id !== id);
    demandRefusal(
      request,
      others.map((other) => other.request),
      JOINTS,
      ring,
    );
    demandUnchanged(
      request,
      request.devicePayload,
      ask(request, request.devicePayload, ring),
      ring,
    );
  });
});

type Pairs = [[SimulatedRequest, SimulatedRequest], [SimulatedRequest, SimulatedRequest]];

function demandRefusal(
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

function demandUnchanged(
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
