import type {RegisteredDevice} from '../service/device-registry.js';
import {table} from './output.js';
import {printable} from './printable.js';

/** More rows would take the framed table minutes. */
const FRAMED = 500;

/** Devices as a table for people: a long one without a frame. */
export async function deviceTable(devices: readonly RegisteredDevice[]): Promise<string> {
  const head = ['partner', 'serial', 'client', 'status', 'firmware'];
  const rows = devices.map(rowOf);
  return rows.length <= FRAMED ? table(head, rows) : columns([head, ...rows]);
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
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
