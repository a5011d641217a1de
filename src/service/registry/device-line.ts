import {isJsonObject, kindOf, readJson} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {DEVICE_STATUSES, type DeviceStatus, type RegisteredDevice} from './device-registry.js';

/** A device in a devices file; its line may have unknown members. */
export interface DeviceLine {
  readonly device: RegisteredDevice;
  /** JSON, without a line ending. */
  readonly text: string;
}

/** Reads one line of a devices file. `where` names it in errors. Throws 9002. */
export function parseDeviceLine(text: string, where: string): DeviceLine {
  return {device: deviceFrom(parseObject(text, where), where), text};
}

/** Whether a line only names the JSON Schema of the file's lines, as its first line may. */
export function isSchemaLine(text: string): boolean {
  if (!text.includes('"$schema"')) return false;
  const read = readJson(text);
  if ('fault' in read || !isJsonObject(read.value)) return false;
  const {$schema, ...rest} = read.value;
  return typeof $schema === 'string' && Object.keys(rest).length === 0;
}

/** Writes a device as a line; `before` has the members of its line that stay. */
export function deviceLine(device: RegisteredDevice, before: object = {}): DeviceLine {
  const {partnerId, serial, clientId, status, firmware} = device;
  const own = {partnerId, serial, clientId, status, firmware};
  return {device, text: JSON.stringify({...own, ...before, ...own})};
}

/** The device with changes made; what its line holds besides stays. */
export function changeDevice({device, text}: DeviceLine, change: Partial<RegisteredDevice>) {
  return deviceLine({...device, ...change}, parseObject(text, 'the device'));
}

/** A JSON object. Throws 9002; the message does not quote the text. */
export function parseObject(text: string, where: string): Readonly<Record<string, unknown>> {
  const read = readJson(text);
  // The line of a fault counts within this text, which is one line of a file.
  if ('fault' in read) throw unfit(where, `column ${read.fault.column}: ${read.fault.reason}`);
  if (isJsonObject(read.value)) return read.value;
  throw unfit(where, `expected a JSON object, found ${kindOf(read.value)}`);
}

/** Checks the members of a device. Throws 9002, naming the member and `where` it is. */
export function deviceFrom(
  {partnerId, serial, clientId, status, firmware}: Readonly<Record<string, unknown>>,
  where: string,
): RegisteredDevice {
  if (!isText(partnerId)) throw unfit(where, `partnerId: ${TEXT}`);
  if (!isText(serial)) throw unfit(where, `serial: ${TEXT}`);
  if (clientId !== undefined && !isText(clientId)) throw unfit(where, `clientId: ${TEXT}`);
  if (!isStatus(status)) throw unfit(where, `status: expected ${DEVICE_STATUSES.join(', ')}`);
  if (firmware !== undefined && !isTexts(firmware)) {
    throw unfit(where, 'firmware: expected an array of strings');
  }
  // No spreads: a file may hold 100,000 devices.
  if (firmware === undefined) {
    return clientId === undefined
      ? {partnerId, serial, status}
      : {partnerId, serial, clientId, status};
  }
  return clientId === undefined
    ? {partnerId, serial, status, firmware}
    : {partnerId, serial, clientId, status, firmware};
}

const TEXT = 'expected 1 to 128 printable characters';

function isText(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}]{1,128}$/u.test(value) && value.trim() !== '';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isStatus(value: unknown): value is DeviceStatus {
  return (DEVICE_STATUSES as readonly unknown[]).includes(value);
}

function unfit(where: string, why: string): PaylensError {
  return new PaylensError(9002, `${where}: ${why}`);
}
