import type {RegisteredDevice} from '../../service/registry/device-registry.js';
import type {Layout} from '../output/layout/layout.js';
import {single, table} from '../output/layout/table.js';
import {printable} from '../output/terminal-text.js';

/** Devices as a table for people. */
export function deviceTable(devices: readonly RegisteredDevice[]): Layout {
  return table(DEVICE_COLUMNS, devices.map(deviceRow));
}

/** One device for people. */
export function deviceDetails(device: RegisteredDevice): Layout {
  return single(DEVICE_COLUMNS, deviceRow(device));
}

const DEVICE_COLUMNS = ['partner', 'serial', 'client', 'status', 'firmware'];

/** A device in one line: `4711 of WATERFORD, client C1`. */
export function deviceName({partnerId, serial, clientId}: RegisteredDevice): string {
  const client = clientId === undefined ? '' : `, client ${clientId}`;
  return printable(`${serial} of ${partnerId}${client}`);
}

function deviceRow(device: RegisteredDevice): string[] {
  const {partnerId, serial, clientId = '-', status, firmware = []} = device;
  return [partnerId, serial, clientId, status, firmware.join(', ') || 'any'].map(printable);
}
