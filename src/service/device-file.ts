import {readFile} from 'node:fs/promises';
import {PaylensError} from '../contract/paylens-error.js';
import {DEVICE_STATUSES, type DeviceStatus, type RegisteredDevice} from './device-registry.js';

/**
 * Reads a devices file: JSONL, one device a line, no secrets. A missing file holds no devices.
 * Throws 9002 when it cannot be read, or naming the first line that is no device.
 */
export async function readDeviceFile(path: string): Promise<RegisteredDevice[]> {
  const text = await textOf(path);
  const devices: RegisteredDevice[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number++;
    if (line.trim() !== '') devices.push(deviceOf(line, `${path} line ${number}`));
  }
  return devices;
}

/** Reads one line of a devices file. `where` names it in errors. Throws 9002. */
export function deviceOf(line: string, where: string): RegisteredDevice {
  const value = parse(line, where);
  const {partnerId, serial, clientId, status, firmware} = value;
  if (!isText(partnerId)) throw unfit(where, 'partnerId: expected a text');
  if (!isText(serial)) throw unfit(where, 'serial: expected a text');
  if (clientId !== undefined && !isText(clientId)) throw unfit(where, 'clientId: expected a text');
  if (!isStatus(status)) throw unfit(where, `status: expected ${DEVICE_STATUSES.join(', ')}`);
  if (firmware !== undefined && !isTexts(firmware)) {
    throw unfit(where, 'firmware: expected an array of texts');
  }
  return {
    partnerId,
    serial,
    status,
    ...(clientId === undefined ? {} : {clientId}),
    ...(firmware === undefined ? {} : {firmware}),
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new PaylensError(9002, `devices file ${path}: ${code}`);
  }
}

function parse(line: string, where: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The text of a SyntaxError quotes the line.
  }
  throw unfit(where, 'expected a JSON object');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
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
