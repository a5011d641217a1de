import {PaylensError} from '../../contract/paylens-error.js';
import {type CsvRecord, csvRecords, SEPARATORS, type Separator} from './csv-records.js';
import {type DeviceLine, deviceFrom, deviceLine, isSchemaLine, parseObject} from './device-line.js';
import type {DeviceRegistry, DeviceStatus, RegisteredDevice} from './device-registry.js';

/** Defaults for devices whose line does not give a value. */
export interface ImportDefaults {
  readonly partnerId?: string | undefined;
  readonly status: DeviceStatus;
}

/** A line that gives no device, counted from 1, and why. */
export interface ImportFault {
  readonly line: number;
  readonly fault: string;
}

/** One line of an import: a device, or why it is none. */
export type ImportLine = {readonly line: number; readonly device: DeviceLine} | ImportFault;

/** The formats that are imported. */
export type ImportFormat = 'csv' | 'jsonl';

const COLUMNS = ['partnerId', 'serial', 'clientId', 'status', 'firmware'] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The lines of a text to import. CSV needs the names of its columns in the first line, between
 * commas, semicolons or tabs; several firmware versions are separated by `;`, in quotes where that
 * separates fields. Without them the first line is a fault, and the only one.
 */
export function importLines(
  text: string,
  format: ImportFormat,
  defaults: ImportDefaults,
): Generator<ImportLine> {
  return format === 'csv' ? csvLines(text, defaults) : jsonLines(text, defaults);
}

/**
 * Adds the devices of lines to a registry, unless it has one of the same partner, serial number and
 * client, and lists what is wrong with the other lines.
 */
export class DeviceCollector {
  readonly devices: DeviceLine[] = [];
  readonly faults: ImportFault[] = [];
  readonly #registry: DeviceRegistry;
  readonly #places = new Map<RegisteredDevice, number>();

  constructor(registry: DeviceRegistry) {
    this.#registry = registry;
  }

  take(each: ImportLine): void {
    if ('fault' in each) return void this.faults.push(each);
    const {line, device} = each;
    const twin = this.#registry.add(device.device);
    if (!twin) {
      this.#places.set(device.device, line);
      return void this.devices.push(device);
    }
    const place = this.#places.get(twin);
    const fault =
      place === undefined ? 'is already registered' : `duplicates the device on line ${place}`;
    this.faults.push({line, fault});
  }
}

function* jsonLines(text: string, defaults: ImportDefaults): Generator<ImportLine> {
  let line = 0;
  for (const each of text.split('\n')) {
    line++;
    if (line === 1 && isSchemaLine(each)) continue;
    if (each.trim() !== '') yield importLine(line, () => parseObject(each, ''), defaults);
  }
}

function* csvLines(text: string, defaults: ImportDefaults): Generator<ImportLine> {
  const table = text.replace(SEPARATOR_LINE, '');
  const records = csvRecords(table, separatorOf(table));
  const first = records.next();
  if (first.done) return;
  const columns = columnsOf(first.value, defaults);
  if ('fault' in columns) return void (yield columns);
  for (const record of records) {
    if ('fault' in record) yield record;
    else yield importLine(record.line, () => valuesOf(record.fields, columns), defaults);
  }
}

/** A first line that spreadsheets write to indicate the separator. */
const SEPARATOR_LINE = /^sep=[,;\t](?=\r?\n)/i;

/** The header line is in the beginning of a text. */
const MAX_HEAD_CHARS = 4096;

/** The separator used most often in the header line; a comma if there is none. */
function separatorOf(text: string): Separator {
  const head = text.slice(0, MAX_HEAD_CHARS);
  const counts = SEPARATORS.map((separator) => {
    const {value} = csvRecords(head, separator).next();
    return value && 'fields' in value ? value.fields.filter(columnOf).length : 0;
  });
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function importLine(
  line: number,
  read: () => Readonly<Record<string, unknown>>,
  defaults: ImportDefaults,
): ImportLine {
  try {
    // Where the schema is would be another place, seen from the devices file.
    const {$schema: _, ...values}: Readonly<Record<string, unknown>> = {...defaults, ...read()};
    return {line, device: deviceLine(deviceFrom(values, ''), values)};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {line, fault: error.detail.replace(/^: /, '')};
  }
}

function columnsOf(
  record: CsvRecord,
  {partnerId}: ImportDefaults,
): readonly Column[] | ImportFault {
  const fault = 'fault' in record ? record.fault : faultOfColumns(record.fields, partnerId);
  if (fault === undefined && 'fields' in record) return record.fields.map(columnOf) as Column[];
  const expected = `expected column names (${COLUMNS.join(', ')})`;
  return {line: record.line, fault: `${expected}: ${fault}`};
}

function faultOfColumns(names: readonly string[], partnerId?: string): string | undefined {
  const columns = names.map(columnOf);
  const unknown = columns.indexOf(undefined);
  if (unknown >= 0) return `column ${unknown + 1} is not a known column`;
  if (new Set(columns).size < columns.length) return 'duplicate column name';
  if (!columns.includes('serial')) return 'serial is missing';
  if (partnerId !== undefined || columns.includes('partnerId')) return undefined;
  return 'partnerId is missing, and --partner was not given';
}

function columnOf(name: string): Column | undefined {
  const plain = name.replace(/[\s_-]/g, '').toLowerCase();
  return COLUMNS.find((column) => column.toLowerCase() === plain);
}

/** Empty fields are left out. */
function valuesOf(fields: readonly string[], columns: readonly Column[]): Record<string, unknown> {
  if (fields.length !== columns.length) {
    throw new PaylensError(9002, `expected ${columns.length} fields, found ${fields.length}`);
  }
  const values: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const value = fields[index]?.trim() ?? '';
    const isList = column === 'firmware';
    if (value !== '')
      values[column] = isList ? value.split(';').flatMap((one) => one.trim() || []) : value;
  });
  return values;
}
