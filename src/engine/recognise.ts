import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import type {AnyTerminal} from './families/terminal.js';
import type {AnyRequest, TerminalSet} from './families/terminal-set.js';
import {compactHex, halfByte} from './forms/payload-bytes.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the undamaged payload has; borrowed forms do not count. */
export function recognise(payload: string, terminals: TerminalSet): string[] {
  return typesOf(
    terminals.trying(payload).filter((terminal) => matchStrength(terminal, payload, terminals) > 0),
  );
}

/**
 * The one device type that a payload fits, or would fit if it were not damaged: that of which it has
 * a sign, else one whose reader says so. Throws 2000, naming them, if several fit, 2102 if several
 * would but for an odd number of hex digits, and 2100 if none does.
 */
export function recogniseOne(payload: string, terminals: TerminalSet): string {
  const {types: candidates, isIntact} = likelyTypes(payload, terminals);
  const [first, second] = candidates;
  if (first !== undefined && second === undefined) return first;
  const digits = isIntact ? '' : compactHex(payload);
  if (digits && digits.length % 2 === 1) throw halfByte(digits);
  if (first === undefined) {
    throw new PaylensError(2100, 'no terminal type fits it', {
      hint: 'Pass the terminal type with --device-type to see where parsing fails.',
      fault: NO_TYPE,
    });
  }
  const what = isIntact
    ? 'the payload matches several types:'
    : 'the payload is truncated or damaged; it could be';
  throw new PaylensError(2000, `${what} ${candidates.join(', ')}`, {
    hint: 'Pass the terminal type with --device-type.',
    fault: NO_TYPE,
  });
}

/**
 * An error of a request, and in its hint and fault what recognition knows: the types that the payload
 * is of, if the type that was given reads it worse.
 */
export function withOwnType<E>(
  error: E,
  {deviceType, devicePayload}: AnyRequest,
  terminals: TerminalSet,
): E | PaylensError {
  if (!(error instanceof PaylensError) || !OF_READING.has(error.code)) return error;
  if (devicePayload.length > MAX_OF_ANOTHER) return error;
  const own = matchStrength(terminals.get(deviceType), devicePayload, terminals);
  const {types, isIntact} = likelyTypes(devicePayload, terminals);
  // A reader that finds the end missing has recognised the beginning.
  const least = error.code === 2102 || error.code === 2101 ? BY_LENGTH : own;
  const better = types.filter(
    (type) =>
      least < (isIntact ? matchStrength(terminals.get(type), devicePayload, terminals) : BY_LENGTH),
  );
  const named = better.flatMap((type) => typesNamed(type, terminals));
  if (named.length === 0 || named.includes(deviceType)) return error;
  const text = named.join(' or ');
  return new PaylensError(error.code, error.detail, {
    hint: `The payload is of ${text}, not ${deviceType}: use --device-type ${text}.`,
    fault: {kind: 'setting', setting: 'deviceType', is: 'wrong', instead: named},
  });
}

/** Characters of a payload that every terminal tries: none sends a read that is half as long. */
const MAX_OF_ANOTHER = 8192;

/** What the reader of another terminal says, and what is said of the ciphertext that it found. */
const OF_READING: ReadonlySet<number> = new Set([2100, 2101, 2102, 2400, 2600, 2601]);

/** The types that a request may name, of one that may stand for several, or is recognised for others. */
export function typesNamed(type: string, {all}: TerminalSet): string[] {
  const undecided = typesOf(all.filter((terminal) => terminal.undecided?.type === type));
  const own = undecided.length === 0 ? [type] : undecided;
  return [...own, ...typesOf(all.filter(({recognisedAs = ''}) => own.includes(recognisedAs)))];
}

const BY_LENGTH = 1;
const BY_ITS_FORM = 2;

/** How well a terminal reads a payload: 0 if it does not, or finds no card data, since that may be of any. */
function matchStrength(terminal: AnyTerminal, payload: string, terminals: TerminalSet): number {
  try {
    const {recognisedBy, refusal} = readPayload(terminal, payload, undefined, terminals);
    if (refusal?.code === 2100) return 0;
    return recognisedBy === 'length' ? BY_LENGTH : BY_ITS_FORM;
  } catch (error) {
    rethrowTerminalFault(error);
    return 0;
  }
}

/** The types that a payload fits; if there are none, those that it would fit if it were not damaged. */
function likelyTypes(payload: string, terminals: TerminalSet) {
  const intact = recognise(payload, terminals);
  const isIntact = intact.length > 0 && !isByChance(intact, payload, terminals);
  return {types: isIntact ? intact : damagedForms(payload, terminals), isIntact};
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
    // Any hex with an odd number of digits is refused so, whoever sent it.
    if (!(error instanceof PaylensError) || error.fault?.kind === 'half-byte') return false;
    return error.code === 2101 || error.code === 2102;
  }
}
