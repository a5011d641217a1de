import type {RegisteredDevice} from '../../service/registry/device-registry.js';
import {table} from '../output/table.js';
import {printable} from '../output/terminal-text.js';

/** Devices as a table for people. */
export function deviceTable(devices: readonly RegisteredDevice[]): string {
  return table(['partner', 'serial', 'client', 'status', 'firmware'], devices.map(rowOf));
}

/** A device in one line: `4711 of WATERFORD, client C1`. */
export function deviceName({partnerId, serial, clientId}: RegisteredDevice): string {
  const client = clientId === undefined ? '' : `, client ${clientId}`;
  return printable(`${serial} of ${partnerId}${client}`);
}

function rowOf(device: RegisteredDevice): string[] {
  const {partnerId, serial, clientId = '-', status, firmware = []} = device;
  return [partnerId, serial, clientId, status, firmware.join(', ') || 'any'].map(printable);
}
