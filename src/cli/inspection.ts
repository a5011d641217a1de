import type {DeviceType} from '../contract/device-types.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadRequest} from '../contract/process-payload.js';
import {readPayload} from '../engine/read-payload.js';
import type {CipherSetting, EncryptedField, Reading} from '../engine/reading.js';
import {type Check, type Part, Trace, type Unit} from '../engine/trace.js';
import {maskCardValue} from './mask-card-value.js';

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
  const {parts, checks, unit} = trace;
  return {
    deviceType,
    ...(reading instanceof PaylensError ? {encrypted: []} : describe(reading, request)),
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

function describe({form, serial, refusal, candidates}: Reading, {ksn}: ProcessPayloadRequest) {
  const [likeliest = []] = candidates;
  return {
    form,
    ...(serial !== undefined && {serial}),
    encrypted: likeliest.map((field) => encryptedPart(field, ksn)),
    ...(refusal && {refusal: {errCode: refusal.code, errMessage: refusal.message}}),
  };
}

function encryptedPart(field: EncryptedField, requested: string | undefined): EncryptedPart {
  const {name, offset, ciphertext, setting, ksn = requested} = field;
  return {name, offset, length: ciphertext.length, ...(ksn !== undefined && {ksn}), setting};
}

function maskPart(part: Part): Part {
  return part.sensitivity === 'card' ? {...part, value: maskCardValue(part.value)} : part;
}
