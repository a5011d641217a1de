import type {ErrorCode} from '../contract/error-catalogue.js';
import {errorObjectOf} from '../contract/error-object.js';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {PaylensError} from '../contract/paylens-error.js';
import {inspectPayload} from '../engine/inspection/inspect-payload.js';
import {recognise as recogniseIn, recogniseOne} from '../engine/recognise.js';
import type {Check} from '../engine/trace.js';
import {flagOf, membersOf, payloadOf, textOf} from './arguments.js';
import {called, keepCall} from './calls.js';
import {safely} from './safe-errors.js';
import {
  type AnyTerminalType,
  TERMINAL_OPTIONS,
  type TerminalOptions,
  terminalsOf,
} from './terminals.js';

/** Settings of `inspect`. */
export interface InspectOptions extends TerminalOptions {
  /** Absent: recognised by the payload. */
  readonly deviceType?: AnyTerminalType | undefined;
  /** Show clear card data; otherwise card numbers are masked. */
  readonly reveal?: boolean | undefined;
}

/** A run of the payload and its name. Parts are in payload order and never overlap. */
export interface InspectedPart {
  /** In units of the inspection. */
  readonly offset: number;
  readonly length: number;
  /** Nesting: 0 at the top. */
  readonly depth: number;
  readonly name: string;
  /** Upper-case hex, or text. */
  readonly value: string;
  readonly meaning?: string;
}

/** What a payload says without a key. */
export interface InspectResult {
  readonly recognisedAs: AnyTerminalType;
  /** In words: `enhanced swipe frame, keyboard text`; absent if parsing failed before it was known. */
  readonly form?: string;
  /** What offsets and lengths count: bytes of binary and hex payloads, characters of text. */
  readonly unit: 'byte' | 'character';
  readonly parts: readonly InspectedPart[];
  /** Lengths, LRC, checksum, CRC. */
  readonly checks: readonly Check[];
  /** Why parsing stopped, which check failed, or why `decrypt` refuses the payload. */
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    /** What to do next; names the type of the payload if it is not the one given. */
    readonly hint?: string;
  };
}

/**
 * Names every byte of a payload. A damaged payload gives the parts before the damage, and `error`.
 * Throws PaylensError: 2005 for a wrong argument, 2000, 2100 if no or several terminals match, 9040 if a
 * terminal of `terminals` fails.
 */
export function inspect(payload: string | Uint8Array, options?: InspectOptions): InspectResult {
  return called(payload, options, INSPECT_OPTIONS, (call) => {
    const {devicePayload, members, terminals} = call;
    const named = textOf(members.deviceType, 'deviceType');
    const reveal = flagOf(members.reveal, 'reveal');
    const deviceType =
      named === undefined ? recogniseOne(devicePayload, terminals) : terminals.get(named).type;
    const found = inspectPayload({deviceType, devicePayload}, reveal, terminals);
    const {form, unit, parts, checks, refusal, failure} = found;
    const {errCode: code, errMessage: message} = failure ? errorObjectOf(failure) : (refusal ?? {});
    const error = code && message && {code, message, ...(failure && {hint: failure.hint})};
    if (error) keepCall(error, call, failure ?? new PaylensError(code));
    return {
      recognisedAs: deviceType,
      ...(form === undefined ? {} : {form}),
      unit,
      parts: parts.map(({offset, length, depth, name, value, meaning}) =>
        meaning === undefined
          ? {offset, length, depth, name, value}
          : {offset, length, depth, name, value, meaning},
      ),
      checks,
      ...(error ? {error} : {}),
    };
  });
}

const INSPECT_OPTIONS = ['deviceType', 'reveal', ...TERMINAL_OPTIONS];

/**
 * The types of terminal that an undamaged payload is of; none for any other text. Throws 2005, and
 * 9040 if a terminal of `terminals` fails.
 */
export function recognise(
  payload: string | Uint8Array,
  options?: TerminalOptions,
): readonly AnyTerminalType[] {
  return safely(() => {
    const terminals = terminalsOf(membersOf(options, 'options', TERMINAL_OPTIONS));
    return recogniseIn(payloadOf(payload), terminals);
  }, redactCardNumbers);
}
