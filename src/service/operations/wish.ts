import {FAULTS, type Fault} from '../../contract/control/queued-answer.js';
import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import type {Operation} from '../../contract/operation.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/devices/registry.js';
import {readPayload} from '../../engine/read-payload.js';
import type {ServiceMode} from '../registry/registry.js';
import type {AnswerSource} from './answer-queue.js';

/** What a demo or mock service is asked to do with a request. */
export interface Wish {
  readonly card?: string | undefined;
  readonly error?: PaylensError | undefined;
  readonly fault?: Fault | undefined;
  /** Milliseconds before the answer. */
  readonly latency?: number | undefined;
}

/** Where wishes come from besides the request. */
export interface WishContext {
  readonly mode: ServiceMode;
  /** Answers that were queued; demo and mock. */
  readonly answers?: AnswerSource | undefined;
}

/**
 * What a queued answer says, else the `reference` of the request. Throws 2005 when the reference
 * asks for a code or fault that does not exist.
 */
export function wishFor(
  operation: Operation,
  body: JsonObject,
  {mode, answers}: WishContext,
): Wish | Promise<Wish> {
  if (answers && !answers.isEmpty) return queuedWish(operation, body, {mode, answers});
  return wishOf(textOf(body, 'reference'), mode);
}

async function queuedWish(
  operation: Operation,
  body: JsonObject,
  {mode, answers}: Required<WishContext>,
): Promise<Wish> {
  const reference = textOf(body, 'reference');
  const deviceType = textOf(body, 'deviceType');
  const call = {operation, reference, deviceType, serials: serialsOf(body)};
  const {error, card, fault, latency} = (await answers?.take(call)) ?? {};
  if (error !== undefined) return {error: new PaylensError(error, 'as requested'), latency};
  const isUsual = card === undefined && fault === undefined;
  return isUsual ? {...wishOf(reference, mode), latency} : {card, fault, latency};
}

/** Reads `error:<errCode>`, `fault:<name>` and, in mock, `card:<name>` in a reference. */
function wishOf(reference: string | undefined, mode: ServiceMode): Wish {
  const [, kind, value = ''] = /^(error|fault|card):(.+)$/.exec(reference ?? '') ?? [];
  if (kind === 'error') return {error: wishedError(value)};
  if (kind === 'fault') return {fault: faultOf(value)};
  return kind === 'card' && mode === 'mock' ? {card: value} : {};
}

function wishedError(value: string): PaylensError {
  const code = Number(value) as ErrorCode;
  const known = Object.hasOwn(ERROR_CATALOGUE, value) && ERROR_CATALOGUE[code].http !== undefined;
  return known
    ? new PaylensError(code, 'as requested in the reference')
    : new PaylensError(2005, 'reference: expected error: and an error code of the service');
}

function faultOf(value: string): Fault {
  const fault = FAULTS.find((name) => name === value);
  if (fault) return fault;
  throw new PaylensError(2005, `reference: expected fault: and one of ${FAULTS.join(', ')}`);
}

/** The serial numbers that a request names, and that of its payload where it can be read. */
function serialsOf(body: JsonObject): readonly string[] {
  const named = ['serial', 'deviceSerial'].map((member) => textOf(body, member));
  return [...named, payloadSerial(body)].filter((serial) => serial !== undefined);
}

function payloadSerial(body: JsonObject): string | undefined {
  try {
    const terminal = KNOWN_TERMINALS.get(textOf(body, 'deviceType') ?? '');
    return readPayload(terminal, textOf(body, 'devicePayload') ?? '').serial;
  } catch {
    return undefined;
  }
}

function textOf(body: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}
