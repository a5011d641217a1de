import {DEVICE_TYPES} from './device-types.js';
import type {Operation} from './operation.js';
import {type JsonObject, kindOf} from './parse-json.js';
import {PaylensError} from './paylens-error.js';
import type {ProcessPayloadRequest} from './process-payload.js';

/** In characters, not in UTF-16 units. */
export const MAX_REFERENCE_CHARS = 50;

const COMMON_MEMBERS = ['partnerId', 'partnerKey', 'reference'] as const;
/** The members of each request, all of them texts, credentials included. */
export const REQUEST_MEMBERS: Readonly<Record<Operation, readonly string[]>> = {
  'validate-partner': COMMON_MEMBERS,
  'validate-device': [...COMMON_MEMBERS, 'serial', 'firmware', 'clientId'],
  'process-payload': [
    ...['partnerId', 'partnerKey', 'deviceType', 'devicePayload', 'deviceSerial'],
    ...['ksn', 'iv', 'reference', 'clientId'],
  ],
};

/**
 * Extracts a process-payload request from a parsed body, without credentials and unknown members;
 * an empty optional string counts as absent. `types` are those of the interface, unless the caller
 * supports more. It accepts exactly what the zod schema accepts, but needs no time to load zod.
 * Throws 2005, 2003, 2000, 2001 and 2002, in this order (docs/contract.md#order-of-checks).
 */
export function checkProcessPayload(body: JsonObject): ProcessPayloadRequest;
export function checkProcessPayload<Type extends string>(
  body: JsonObject,
  types: readonly Type[],
): ProcessPayloadRequest<Type>;
export function checkProcessPayload(
  body: JsonObject,
  types: readonly string[] = DEVICE_TYPES,
): ProcessPayloadRequest<string> {
  checkTexts(body, REQUEST_MEMBERS['process-payload']);
  const reference = text(body, 'reference');
  checkReference(reference);
  const deviceType = checkDeviceType(body, types);
  const devicePayload = text(body, 'devicePayload');
  if (!devicePayload) throw missing(2002, body, 'devicePayload');
  return {
    deviceType,
    devicePayload,
    deviceSerial: text(body, 'deviceSerial') || undefined,
    ksn: text(body, 'ksn') || undefined,
    iv: text(body, 'iv') || undefined,
    reference,
    clientId: text(body, 'clientId') || undefined,
  };
}

/** The parameters of validate-device, without credentials. */
export interface ValidateDeviceRequest {
  readonly serial: string;
  readonly firmware: string;
  readonly clientId?: string | undefined;
}

/** Reads a validate-partner request out of a parsed body. Throws 2005 and 2003. */
export function checkValidatePartner(body: JsonObject): void {
  checkTexts(body, REQUEST_MEMBERS['validate-partner']);
  checkReference(text(body, 'reference'));
}

/**
 * Reads a validate-device request out of a parsed body; an empty text counts as missing.
 * Throws 2005, 2003, 1201 and 1204, in this order.
 */
export function checkValidateDevice(body: JsonObject): ValidateDeviceRequest {
  checkTexts(body, REQUEST_MEMBERS['validate-device']);
  checkReference(text(body, 'reference'));
  const serial = text(body, 'serial');
  if (!serial) throw new PaylensError(1201);
  const firmware = text(body, 'firmware');
  if (!firmware) throw new PaylensError(1204, 'expected the firmware version, found none');
  return {serial, firmware, clientId: text(body, 'clientId') || undefined};
}

function checkTexts(body: JsonObject, members: readonly string[]): void {
  for (const member of members) {
    checkText(member, Object.hasOwn(body, member) ? body[member] : '');
  }
}

/** Throws 2005 when the value of a member is not text. */
export function checkText(member: string, value: unknown): void {
  if (typeof value === 'string') return;
  throw new PaylensError(2005, `${member}: expected a string, found ${kindOf(value)}`);
}

function checkReference(reference = ''): void {
  if (/\p{Cs}/u.test(reference))
    throw new PaylensError(2005, 'reference: expected valid Unicode, found an unpaired surrogate');
  const {length} = [...reference];
  if (length > MAX_REFERENCE_CHARS) throw new PaylensError(2003, `it has ${length}`);
}

function checkDeviceType(body: JsonObject, types: readonly string[]): string {
  const value = text(body, 'deviceType');
  if (!value) throw missing(2000, body, 'deviceType');
  if (types.includes(value)) return value;
  throw new PaylensError(2001, `expected one of ${types.join(', ')}`);
}

function missing(code: 2000 | 2002, body: JsonObject, name: string): PaylensError {
  const other = misspelledMember(body, name, name === 'devicePayload' ? 'payload' : name);
  const hint = other !== undefined && `The request has "${other}": its name must be ${name}.`;
  return new PaylensError(code, '', hint ? {hint} : {});
}

/**
 * The only member with a text that was meant as `name`: in letters of another case, with other
 * separators, or by its `alias`.
 */
export function misspelledMember(body: JsonObject, name: string, alias = name): string | undefined {
  const meant = [name, alias].map((one) => one.toLowerCase());
  const [found, another] = Object.keys(body).filter(
    (one) =>
      one !== name &&
      one.length < 2 * name.length &&
      typeof body[one] === 'string' &&
      body[one] !== '' &&
      meant.includes(one.replaceAll(/[ _-]/g, '').toLowerCase()),
  );
  return another === undefined ? found : undefined;
}

function text(body: JsonObject, member: string): string | undefined {
  return Object.hasOwn(body, member) ? (body[member] as string) : undefined;
}
