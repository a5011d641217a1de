import {PaylensError} from '../src/contract/paylens-error.js';
import type {Mode} from '../src/contract/process-payload.js';
import type {KeyRing} from '../src/engine/dukpt/key-ring.js';
import {
  TERMINAL_TYPES,
  type TerminalRequest,
  type TerminalType,
} from '../src/engine/families/registry.js';
import {TEST_CARDS, type TestCard} from '../src/simulator/test-cards.js';
import {PUBLISHED_READS} from './engine/published-reads.js';
import {readSamples, ringOf, testRing} from './engine/samples.js';
import {SHAPES} from './engine/shapes.js';
import {simulate, writerOf} from './writers.js';

/** A payload of a terminal, and the keys that open it. */
export interface Payload {
  readonly name: string;
  readonly request: TerminalRequest;
  readonly keys: KeyRing;
}

/** A terminal in one of its modes, with options of its writer. */
export interface Shape {
  readonly deviceType: TerminalType;
  readonly mode: Mode;
  readonly options: Readonly<Record<string, string>>;
}

/** Every sample with a response. */
export const SAMPLE_PAYLOADS: readonly Payload[] = TERMINAL_TYPES.flatMap((type) =>
  readSamples(type)
    .filter(({expect: {response}}) => response !== undefined)
    .map(({id, request, keys}) => ({name: id, request, keys: ringOf(keys)})),
);

const keys = testRing();

/** Published reads beside the samples, and payloads in every form of ID TECH and generic ones. */
export const FURTHER_PAYLOADS: readonly Payload[] = [
  ...PUBLISHED_READS.map(({name, request}) => ({name, request, keys})),
  ...Object.entries(SHAPES).flatMap(([type, shapes]) =>
    shapes.map(([name, devicePayload]) => ({
      name: `${type}, ${name}`,
      request: {deviceType: type as TerminalType, devicePayload},
      keys,
    })),
  ),
];

/** Every terminal in every mode, with every value of every option; one cannot be simulated. */
export const SIMULATED_SHAPES: readonly Shape[] = TERMINAL_TYPES.filter(
  (type) => type !== 'ingenico-ra1',
).flatMap((deviceType) => {
  const {modes, options} = writerOf(deviceType);
  const single = options.flatMap(({name, values}) => values.map((value) => ({[name]: value})));
  return modes.flatMap((mode) => [{}, ...single].map((options) => ({deviceType, mode, options})));
});

export function shapeTitle({deviceType, mode, options}: Shape): string {
  return `${deviceType}, ${mode}, ${JSON.stringify(options)}`;
}

/** A test card by its id. */
export function testCard(id = 'visa'): TestCard {
  const card = TEST_CARDS.find((known) => known.id === id);
  if (!card) throw new Error(`no test card ${id}`);
  return card;
}

/** One payload of each shape, each once, however many shapes make it. */
export function simulatedPayloads(
  shapes: readonly Shape[] = SIMULATED_SHAPES,
  ksn = 'FFFF9876543210E00051',
  card = testCard(),
): Payload[] {
  const made = shapes.flatMap((shape): Payload[] => {
    try {
      const request = simulate({...shape, card, ksn, keys, iv: undefined});
      return [{name: shapeTitle(shape), request, keys}];
    } catch (error) {
      // 9001: options that do not go together.
      if (error instanceof PaylensError && error.code === 9001) return [];
      throw error;
    }
  });
  return uniquePayloads(made);
}

/** Each payload once. */
export function uniquePayloads(payloads: readonly Payload[]): Payload[] {
  return [...new Map(payloads.map((one) => [one.request.devicePayload, one])).values()];
}
