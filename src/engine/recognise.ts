import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import type {AnyTerminal} from './families/terminal.js';
import type {TerminalSet} from './families/terminal-set.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the undamaged payload has; borrowed forms do not count. */
export function recognise(payload: string, terminals: TerminalSet): string[] {
  return typesOf(
    terminals.trying(payload).filter((terminal) => fits(terminal, payload, terminals)),
  );
}

/**
 * The one device type that a payload fits, or would fit if it were not damaged: that of which it has
 * a sign, else one whose reader says so. Throws 2000, naming them, if several fit, and 2100 if none
 * does.
 */
export function recogniseOne(payload: string, terminals: TerminalSet): string {
  const intact = recognise(payload, terminals);
  const isIntact = intact.length > 0 && !isByChance(intact, payload, terminals);
  const candidates = isIntact ? intact : damagedForms(payload, terminals);
  const [first] = candidates;
  if (first === undefined) {
    throw new PaylensError(2100, 'no terminal type fits it', {
      hint: 'Pass the terminal type with --device-type to see where parsing fails.',
      fault: NO_TYPE,
    });
  }
  if (candidates.length === 1) return first;
  const what = isIntact
    ? 'the payload matches several types:'
    : 'the payload is truncated or damaged; it could be';
  throw new PaylensError(2000, `${what} ${candidates.join(', ')}`, {
    hint: 'Pass the terminal type with --device-type.',
    fault: NO_TYPE,
  });
}

const NO_TYPE = {kind: 'setting', setting: 'deviceType', is: 'missing'} as const;

/** The error of a payload whose type was recognised: its message speaks of no type that was given. */
export function ofRecognised(error: PaylensError): PaylensError {
  const {code, detail, hint, cause} = error;
  return code === 2100 ? new PaylensError(code, detail, {hint, cause, fault: NO_TYPE}) : error;
}

/** True if these types merely have the length of a payload with another's sign, or refuse it. */
function isByChance(types: readonly string[], payload: string, terminals: TerminalSet): boolean {
  if (terminals.claiming(payload).length === 0) return false;
  return types.every((type) => {
    const {recognisedBy, refusal} = readPayload(terminals.get(type), payload, undefined, terminals);
    return recognisedBy === 'length' || refusal !== undefined;
  });
}

function typesOf(terminals: readonly AnyTerminal[]): string[] {
  return terminals.map(({type}) => type);
}

/** A reading without card data (2100) may be of any terminal, so it does not count. */
function fits(terminal: AnyTerminal, payload: string, terminals: TerminalSet): boolean {
  try {
    return readPayload(terminal, payload, undefined, terminals).refusal?.code !== 2100;
  } catch (error) {
    rethrowTerminalFault(error);
    return false;
  }
}

// A reader that reports a wrong checksum or an early end has recognised the form.
function damagedForms(payload: string, terminals: TerminalSet): string[] {
  const claiming = terminals.claiming(payload);
  if (claiming.length > 0) return typesOf(claiming);
  return typesOf(
    terminals.trying(payload).filter((terminal) => isDamaged(terminal, payload, terminals)),
  );
}

function isDamaged(terminal: AnyTerminal, payload: string, terminals: TerminalSet): boolean {
  try {
    readPayload(terminal, payload, undefined, terminals);
    return false;
  } catch (error) {
    rethrowTerminalFault(error);
    return error instanceof PaylensError && (error.code === 2101 || error.code === 2102);
  }
}
