import {PaylensError} from '../contract/paylens-error.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from './devices/registry.js';
import {tries} from './devices/terminal.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the payload has, intact; borrowed forms do not count. */
export function recognise(payload: string): TerminalType[] {
  return ownForms(payload).filter((type) => fits(type, payload));
}

/**
 * The one device type that a payload fits, or that it would fit were it not damaged.
 * Throws 2000 when several fit, naming them, and 2100 when none does.
 */
export function recogniseOne(payload: string): TerminalType {
  const intact = recognise(payload);
  const isIntact = intact.length > 0;
  const candidates = isIntact ? intact : damagedForms(payload);
  const [first] = candidates;
  if (first === undefined) {
    throw new PaylensError(2100, 'payload format not recognised', {
      hint: 'Pass the terminal type with --device to see where parsing fails.',
    });
  }
  if (candidates.length === 1) return first;
  const what = isIntact
    ? 'the payload matches several types:'
    : 'the payload is truncated or damaged; it could be';
  throw new PaylensError(2000, `${what} ${candidates.join(', ')}`, {
    hint: 'Pass the terminal type with --device.',
  });
}

/** The device types that the payload is tried against, intact or not; borrowed forms do not count. */
function ownForms(payload: string): TerminalType[] {
  return TERMINAL_TYPES.filter((type) => tries(TERMINALS[type], payload));
}

/** A reading without card data (2100) may be of any terminal. */
function fits(type: TerminalType, payload: string): boolean {
  try {
    return readPayload(type, payload).refusal?.code !== 2100;
  } catch {
    return false;
  }
}

// A reader that finds a wrong checksum or an early end has recognised the form.
function damagedForms(payload: string): TerminalType[] {
  return ownForms(payload).filter((type) => isDamaged(type, payload));
}

function isDamaged(type: TerminalType, payload: string): boolean {
  try {
    readPayload(type, payload);
    return false;
  } catch (error) {
    return error instanceof PaylensError && (error.code === 2101 || error.code === 2102);
  }
}
