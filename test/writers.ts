import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../src/engine/families/registry.js';
import type {Writer} from '../src/engine/writing.js';
import {
  type SimulatedRequest,
  type Simulation,
  simulate as simulateBy,
  simulateStream as streamBy,
} from '../src/simulator/simulate.js';

const WRITERS = new Map(
  await Promise.all(
    TERMINAL_TYPES.map(async (type) => [type, await TERMINALS[type].write?.()] as const),
  ),
);

/** The writer of a terminal, synchronously, since all were loaded before. */
export function writerOf(type: TerminalType): Writer {
  const writer = WRITERS.get(type);
  if (!writer) throw new Error(`no writer of ${type}`);
  return writer;
}

/** `simulate` with the writer of the simulation's own terminal. */
export function simulate(simulation: Simulation): SimulatedRequest {
  return simulateBy(writerOf(simulation.deviceType), simulation);
}

/** `simulateStream` with the writer of the simulation's own terminal. */
export function simulateStream(simulation: Simulation, count: number) {
  return streamBy(writerOf(simulation.deviceType), simulation, count);
}

/** Packed tracks 2 that fill their blocks, so that no filler marks their end; a number without a check digit. */
const UNPROVEN = [
  'abecs bush',
  'abecs amex-blanks',
  'bbpos bush',
  'bbpos amex-blanks',
  'newland bush',
];

/** Whether a terminal sends a test card so that it proves to be whole. */
export function canSend(type: TerminalType, card: string): boolean {
  return !UNPROVEN.includes(`${type} ${card}`);
}
