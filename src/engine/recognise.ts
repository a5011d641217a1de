import {PaylensError} from '../contract/paylens-error.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from './devices/registry.js';
import {tries} from './devices/terminal.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the undamaged payload has; borrowed forms do not count. */
export function recognise(payload: string): TerminalType[] {
  return ownForms(payload).filter((type) => fits(type, payload));
}

/**
 * The one device type that a payload fits, or would fit if it were not damaged. Throws 2000, naming
 * them, if several fit, and 2100 if none does.
 */
export function recogniseOne(payload: string): TerminalType {
  const intact = recognise(payload);
  const isIntact = intact.length > 0;
  const candidates = isIntact ? intact : damagedForms(payload);
  const [first] = candidates;
  if (first === undefined) {
    throw new PaylensError(2100, 'payload format not recognised', {
      hint: 'Pass the terminal type with --device-type to see where parsing fails.',
    });
  }
  if (candidates.length === 1) return first;
  const what = isIntact
    ? 'the payload matches several types:'
    : 'the payload is truncated or damaged; it could be';
  throw new PaylensError(2000, `${what} ${candidates.join(', ')}`, {
    hint: 'Pass the terminal type with --device-type.',
  });
}

/** The device types whose reader tries the payload, damaged or not; borrowed forms do not count. */
function ownForms(payload: string): TerminalType[] {
  return TERMINAL_TYPES.filter((type) => tries(TERMINALS[type], payload));
}

/** A reading without card data (2100) may be of any terminal, so it does not count. */
function fits(type: TerminalType, payload: string): boolean {
  try {
    return readPayload(type, payload).refusal?.code !== 2100;
  } catch {
    return false;
  }
}

// A reader that reports a wrong checksum or an early end has recognised the form.
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
