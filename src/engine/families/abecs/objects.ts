import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, latin1Of} from '../../../platform/bytes.js';
import {entryOf} from '../../forms/entry-of.js';
import type {Member} from '../../forms/members.js';
import {severalReads} from '../../forms/one-read.js';
import {compactHex, halfByte, hexIfBinary} from '../../forms/payload-bytes.js';
import type {Trace} from '../../trace.js';
import {FORWARDED_FORM, plainName} from '../forwarded/layout.js';
import {readNamed} from '../forwarded/members.js';
import {DEFINITIONS, OBJECTS, type ObjectName} from './layout.js';

/** The objects of a payload: text, or the digits of binary values. */
export interface Objects {
  readonly form: string;
  readonly values: ReadonlyMap<ObjectName, string>;
  /** Those that belong to no object of the protocol. */
  readonly others: readonly Member[];
  /** Where the value of an object begins. */
  readonly offsetOf: (name: ObjectName) => number;
}

const BY_NAME: Readonly<Record<string, ObjectName>> = Object.fromEntries(
  DEFINITIONS.map(([name]) => [plainName(name), name]),
);
const BY_ID = new Map(DEFINITIONS.map(([name, {id}]) => [id, name]));

/** Of commands, and of responses. */
const OWN_IDS = /^(?:00|8[01]|9[01])/;
/** The response to GTK, in hex: its name, its status and the length of the objects after it. */
const GTK_RESPONSE = /^47544B303030(3\d3\d3\d)/i;
const HEAD_DIGITS = 18;
/** Tracks, card number, their copies and KSNs. */
const FIRST_OBJECT = /^(?:47544B3030303\d3\d3\d)?(?:804[1-9A-C]|00(?:03|08|1D))00/i;

/** So far only the objects of GTK begin: with the status of the response, or with their own lengths. */
const GTK_BEGINNING = /^(?:47544B303030|00030002|00080001|001D0008|804[1-9A-C]00[\dA-F]{2})/i;

/** Whether objects in hex or in binary begin a payload, however much of them is missing. */
export function beginsWithObjects(payload: string): boolean {
  return GTK_BEGINNING.test(compactHex(hexIfBinary(payload)) ?? '');
}

/** The digits of a payload that is objects in hex or in binary; undefined for any other. */
export function objectDigits(payload: string): string | undefined {
  const digits = compactHex(hexIfBinary(payload));
  return digits !== undefined && FIRST_OBJECT.test(digits) ? digits.toUpperCase() : undefined;
}

/**
 * Reads objects in hex, alone or as the response to GTK. Throws 2100 for an object that is there
 * twice or is too long, 2102 if the last one ends too early.
 */
export function readGtkObjects(digits: string, trace: Trace): Objects {
  if (digits.length % 2 === 1) throw halfByte(digits);
  const values = new Map<ObjectName, string>();
  const offsets = new Map<ObjectName, number>();
  for (let at = readHead(digits, trace); at < digits.length; ) {
    const {id, length, value, end} = objectAt(digits, at);
    if (!OWN_IDS.test(id))
      throw new PaylensError(2100, `byte ${at / 2}: no object of the protocol`);
    const name = BY_ID.get(id);
    const offset = at / 2;
    const own = name && OBJECTS[name];
    const shown = own && 'isText' in own ? objectText(value) : value;
    trace.note({
      offset,
      length: 4 + length,
      depth: 0,
      name: name ?? id,
      value: shown,
      ...aboutOf(name),
    });
    if (name) {
      if (values.has(name)) throw severalReads(`${name} at byte ${offset}: a second one`);
      if (value !== '') values.set(name, shown);
      offsets.set(name, offset + 4);
    }
    at = end;
  }
  return {form: 'response objects', values, others: [], offsetOf: (name) => offsets.get(name) ?? 0};
}

/** Where the first object begins. */
function readHead(digits: string, trace: Trace): number {
  const [, length] = GTK_RESPONSE.exec(digits) ?? [];
  if (length === undefined) return 0;
  const found = (digits.length - HEAD_DIGITS) / 2;
  const value = objectText(digits.slice(0, HEAD_DIGITS));
  trace.note({
    offset: 0,
    length: 9,
    depth: 0,
    name: 'GTK',
    value,
    meaning: 'response, status, length',
    sensitivity: 'harmless',
  });
  if (found < Number(objectText(length)))
    throw new PaylensError(2102, `response: expected ${objectText(length)} bytes, found ${found}`);
  if (found > Number(objectText(length)))
    throw new PaylensError(2100, `response: expected ${objectText(length)} bytes, found ${found}`);
  return HEAD_DIGITS;
}

function objectAt(digits: string, at: number) {
  const length = Number.parseInt(digits.slice(at + 4, at + 8), 16);
  const end = at + 8 + 2 * length;
  if (digits.length < at + 8 || end > digits.length)
    throw new PaylensError(2102, `object at byte ${at / 2} runs past the end`);
  return {id: digits.slice(at, at + 4), length, value: digits.slice(at + 8, end), end};
}

function objectText(digits: string): string {
  return latin1Of(bytesFromHex(digits) ?? new Uint8Array());
}

function aboutOf(name: ObjectName | undefined) {
  if (!name) return {};
  const {meaning, sensitivity} = OBJECTS[name];
  return {meaning, sensitivity};
}

/** Reads a JSON object or lines with the names of objects. Throws 2100, as for objects in hex. */
export function readNamedObjects(payload: string, trace: Trace): Objects {
  const {form, members} = readNamed(payload, trace, (name) => aboutOf(objectName(name)));
  const values = new Map<ObjectName, string>();
  const others: Member[] = [];
  for (const [given, value] of members) {
    const name = objectName(given);
    if (!name) {
      others.push([given, value]);
      continue;
    }
    const text = textMember(name, value);
    if (text === '') continue;
    if ((values.get(name) ?? text) !== text)
      throw severalReads(`${name}: two values, expected one`);
    values.set(name, text);
  }
  assertNoTracks(values, others);
  const offsetOf = (name: ObjectName) => Math.max(0, payload.indexOf(values.get(name) ?? ''));
  return {form, values, others, offsetOf};
}

function objectName(given: string): ObjectName | undefined {
  return entryOf(BY_NAME, plainName(given));
}

function textMember(name: ObjectName, value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string') throw new PaylensError(2100, `${name}: expected a string`);
  const {isText} = OBJECTS[name] as {readonly isText?: true};
  return isText ? value.trim() : value.replaceAll(/\s/g, '').toUpperCase();
}

/** Throws 2100 if there are tracks besides the objects. */
function assertNoTracks(values: Objects['values'], others: readonly Member[]): void {
  if (values.size === 0) return;
  const role = ([name]: Member) => FORWARDED_FORM.roleOf(name) ?? '';
  const other = others.find((one) => /^(?:track\d|data)$/.test(role(one)) && one[1] !== '');
  if (other) throw severalReads(`${other[0]} beside objects of GTK`);
}

/** The bytes of a binary object. Throws 2100 if its value is not hex, 2102 for half a byte. */
export function objectBytes(name: ObjectName, digits: string): Uint8Array {
  const bytes = bytesFromHex(digits);
  if (bytes) return bytes;
  if (/^[\dA-F]*$/i.test(digits)) throw halfByte(digits, {where: name});
  throw new PaylensError(2100, `${name}: its value is not hex`);
}
