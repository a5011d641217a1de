import {TERMINAL_TYPES, TERMINALS, type TerminalType} from './devices/registry.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the payload has, intact; borrowed forms do not count. */
export function recognise(payload: string): TerminalType[] {
  return ownForms(payload).filter((type) => fits(type, payload));
}

/** The device types that the payload is tried against, intact or not; borrowed forms do not count. */
export function ownForms(payload: string): TerminalType[] {
  return TERMINAL_TYPES.filter((type) => tries(type, payload));
}

function tries(type: TerminalType, payload: string): boolean {
  const recognises = TERMINALS[type].recognises;
  return typeof recognises === 'boolean' ? recognises : recognises(payload);
}

/** A reading without card data (2100) may be of any terminal. */
function fits(type: TerminalType, payload: string): boolean {
  try {
    return readPayload(type, payload).refusal?.code !== 2100;
  } catch {
    return false;
  }
}
