import type {DeviceType} from '../contract/device-types.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadRequest} from '../contract/process-payload.js';
import {redactCardNumbers} from '../contract/redact-card-numbers.js';
import {readPayload} from '../engine/read-payload.js';
import type {CipherSetting, EncryptedField, Reading} from '../engine/reading.js';
import {type Check, type Part, Trace, type Unit} from '../engine/trace.js';
import {maskCardValue} from './mask-card-value.js';
import {nameUnread} from './name-unread.js';

/** A ciphertext of the payload, and what opens it. */
export interface EncryptedPart {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly ksn?: string;
  readonly setting: CipherSetting;
}

/** Everything that can be said about a payload without a key. */
export interface Inspection {
  readonly deviceType: DeviceType;
  readonly form?: string;
  readonly serial?: string;
  /** What offsets and lengths count. */
  readonly unit: Unit;
  readonly parts: readonly Part[];
  readonly checks: readonly Check[];
  readonly encrypted: readonly EncryptedPart[];
  /** Why decrypt refuses the payload although its form is right. */
  readonly refusal?: {readonly errCode: number; readonly errMessage: string};
  /** Where reading stopped, or which check does not hold. */
  readonly failure?: PaylensError;
}

/** Reads the payload of `request` and names its bytes; card data is masked unless `reveal`. */
export function inspectPayload(request: ProcessPayloadRequest, reveal: boolean): Inspection {
  const {deviceType, devicePayload} = request;
  const trace = new Trace();
  const reading = attempt(() => readPayload(deviceType, devicePayload, trace));
  const failure = reading instanceof PaylensError ? reading : trace.damage();
  const {checks} = trace;
  const {parts, unit} = nameUnread(trace, devicePayload);
  return {
    deviceType,
    ...(reading instanceof PaylensError ? {encrypted: []} : describe(reading, request, parts)),
    unit,
    parts: reveal ? parts : parts.map(maskPart),
    checks,
    ...(failure && {failure}),
  };
}

function attempt(read: () => Reading): Reading | PaylensError {
  try {
    return read();
  } catch (error) {
    if (error instanceof PaylensError) return error;
    throw error;
  }
}

function describe(
  {form, serial, refusal, candidates}: Reading,
  {ksn}: ProcessPayloadRequest,
  parts: readonly Part[],
) {
  const [likeliest = []] = candidates;
  return {
    form,
    ...(serial !== undefined && {serial}),
    encrypted: likeliest.map((field) => encryptedPart(field, parts, ksn)),
    ...(refusal && {refusal: {errCode: refusal.code, errMessage: refusal.message}}),
  };
}

// The length counts what the offset counts: of keyboard text the characters, not the bytes.
function encryptedPart(
  field: EncryptedField,
  parts: readonly Part[],
  requested: string | undefined,
): EncryptedPart {
  const {name, offset, ciphertext, setting, ksn = requested} = field;
  const length = parts.find((part) => part.offset === offset)?.length ?? ciphertext.length;
  return {name, offset, length, ...(ksn !== undefined && {ksn}), setting};
}

function maskPart(part: Part): Part {
  const {value, meaning} = part;
  const text = meaning === undefined ? undefined : QUOTED.exec(meaning)?.[1];
  if (part.sensitivity === 'card' || CARD_LIKE.test(value) || isCardText(text)) {
    const masked = text === undefined ? {} : {meaning: `"${maskCardValue(text)}"`};
    return {...part, value: maskCardValue(value), ...masked};
  }
  return isHex(value) ? part : {...part, value: redactCardNumbers(value)};
}

// The meaning of printable bytes is their text.
const QUOTED = /^"(.*)"$/s;

function isCardText(text = ''): boolean {
  return CARD_LIKE.test(text) || redactCardNumbers(text) !== text;
}

// A track where none is expected: of a damaged payload, or of one that was never encrypted.
const CARD_LIKE = /\d{12,19} ?[=^]/;

// Ciphertext holds runs of digits that only look like a card number.
function isHex(value: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(value);
}
