import {FAULTS, type Fault} from '../../contract/control/queued-answer.js';
import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import type {Operation} from '../../contract/operation.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {readPayload} from '../../engine/read-payload.js';
import type {ServiceMode} from '../registry/registry.js';
import type {ServiceAnswers} from './answer-queue.js';

/** What a demo or mock service does with a request in place of its usual answer. */
export interface ScriptedAnswer {
  readonly card?: string | undefined;
  readonly error?: PaylensError | undefined;
  readonly fault?: Fault | undefined;
  /** Milliseconds before the answer. */
  readonly latency?: number | undefined;
}

/** Where scripted answers come from besides the request. */
export interface AnswerContext {
  readonly mode: ServiceMode;
  /** Queued answers; demo and mock. */
  readonly answers?: ServiceAnswers | undefined;
}

/**
 * The queued answer for a request, else the one that its `reference` names. Throws 2005 when the
 * reference names a code or fault that does not exist.
 */
export function scriptedAnswerFor(
  operation: Operation,
  body: JsonObject,
  {mode, answers}: AnswerContext,
): ScriptedAnswer {
  const reference = textMember(body, 'reference');
  if (!answers || answers.isEmpty) return referencedAnswer(reference, mode);
  const deviceType = textMember(body, 'deviceType');
  const call = {operation, reference, deviceType, serials: requestSerials(body)};
  const {error, card, fault, latency} = answers.take(call) ?? {};
  if (error !== undefined) return {error: new PaylensError(error, 'as requested'), latency};
  const isUsual = card === undefined && fault === undefined;
  return isUsual ? {...referencedAnswer(reference, mode), latency} : {card, fault, latency};
}

/** A member of a body, if it is a string. */
export function textMember(body: JsonObject | undefined, member: string): string | undefined {
  const value = body && Object.hasOwn(body, member) ? body[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Reads `error:<errCode>`, `fault:<name>` and, in mock, `card:<name>` in a reference. */
function referencedAnswer(reference: string | undefined, mode: ServiceMode): ScriptedAnswer {
  const [, kind, value = ''] = /^(error|fault|card):(.+)$/.exec(reference ?? '') ?? [];
  if (kind === 'error') return {error: referencedError(value)};
  if (kind !== 'fault') return kind === 'card' && mode === 'mock' ? {card: value} : {};
  const fault = FAULTS.find((name) => name === value);
  if (fault) return {fault};
  throw new PaylensError(2005, `reference: expected fault: and one of ${FAULTS.join(', ')}`);
}

function referencedError(value: string): PaylensError {
  const code = Number(value) as ErrorCode;
  const known = Object.hasOwn(ERROR_CATALOGUE, value) && ERROR_CATALOGUE[code].http !== undefined;
  return known
    ? new PaylensError(code, 'as requested in the reference')
    : new PaylensError(2005, 'reference: expected error: and an error code of the service');
}

/** The serial numbers that a request names, and the one in its payload if that can be read. */
function requestSerials(body: JsonObject): readonly string[] {
  const named = ['serial', 'deviceSerial'].map((member) => textMember(body, member));
  return [...named, payloadSerial(body)].filter((serial) => serial !== undefined);
}

function payloadSerial(body: JsonObject): string | undefined {
  try {
    const terminal = KNOWN_TERMINALS.get(textMember(body, 'deviceType') ?? '');
    return readPayload(terminal, textMember(body, 'devicePayload') ?? '').serial;
  } catch {
    return undefined;
  }
}
