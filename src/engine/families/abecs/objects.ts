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

/** The values of objects: text, or the digits of binary values. */
export type ObjectValues = ReadonlyMap<ObjectName, string>;

/** The objects of a payload. */
export interface Objects {
  readonly form: string;
  readonly values: ObjectValues;
  /** Those that belong to no object of the protocol. */
  readonly others: readonly Member[];
  /** Of members: nothing states the lengths of their values. */
  readonly ends?: 'inside';
  /** The offset of the value of an object. */
  readonly offsetOf: (name: ObjectName) => number;
}

const BY_NAME: Readonly<Record<string, ObjectName>> = Object.fromEntries(
  DEFINITIONS.map(([name]) => [plainName(name), name]),
);
const BY_ID = new Map(DEFINITIONS.map(([name, {id}]) => [id, name]));

/** Of commands, and of responses. */
const PROTOCOL_IDS = /^(?:00|8[01]|9[01])/;
/** The response to GTK, in hex: its name, its status and the length of the objects after it. */
const RESPONSE_HEAD = /^47544B303030(3\d3\d3\d)/i;
const RESPONSE_HEAD_DIGITS = 18;
/** Tracks, card number, their copies and KSNs. */
const FIRST_OBJECT = /^(?:47544B3030303\d3\d3\d)?(?:804[1-9A-C]|00(?:03|08|1D))00/i;
/** Only the objects of GTK begin with the status of the response, or with their own lengths. */
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
  let at = readResponseHead(digits, trace);
  while (at < digits.length) {
    const {id, hex} = objectAt(digits, at);
    const offset = at / 2;
    const name = BY_ID.get(id);
    const value = name && OBJECTS[name].isText ? objectText(hex) : hex;
    const length = 4 + hex.length / 2;
    trace.note({offset, length, depth: 0, name: name ?? id, value, ...describeObject(name)});
    at += 2 * length;
    if (!name) continue;
    if (values.has(name)) throw severalReads(`${name} at byte ${offset}: a second one`);
    if (value !== '') values.set(name, value);
    offsets.set(name, offset + 4);
  }
  return {form: 'response objects', values, others: [], offsetOf: (name) => offsets.get(name) ?? 0};
}

/** The position of the first object. Throws 2102 or 2100 if the response has another length. */
function readResponseHead(digits: string, trace: Trace): number {
  const [, length] = RESPONSE_HEAD.exec(digits) ?? [];
  if (length === undefined) return 0;
  const meaning = 'response, status, length';
  const value = objectText(digits.slice(0, RESPONSE_HEAD_DIGITS));
  const place = {offset: 0, length: 9, depth: 0, name: 'GTK'};
  trace.note({...place, value, meaning, sensitivity: 'harmless'});
  const stated = Number(objectText(length));
  const found = (digits.length - RESPONSE_HEAD_DIGITS) / 2;
  if (found === stated) return RESPONSE_HEAD_DIGITS;
  const detail = `response: expected ${objectText(length)} bytes, found ${found}`;
  throw new PaylensError(found < stated ? 2102 : 2100, detail);
}

function objectAt(digits: string, at: number) {
  const id = digits.slice(at, at + 4);
  const length = Number.parseInt(digits.slice(at + 4, at + 8), 16);
  const hex = digits.slice(at + 8, at + 8 + 2 * length);
  if (digits.length < at + 8 || hex.length < 2 * length)
    throw new PaylensError(2102, `object at byte ${at / 2} runs past the end`);
  if (PROTOCOL_IDS.test(id)) return {id, hex};
  throw new PaylensError(2100, `byte ${at / 2}: not an object of the protocol`);
}

function objectText(digits: string): string {
  return latin1Of(bytesFromHex(digits) ?? new Uint8Array());
}

function describeObject(name: ObjectName | undefined) {
  return name ? {meaning: OBJECTS[name].meaning, sensitivity: OBJECTS[name].sensitivity} : {};
}

/** Reads a JSON object or lines with the names of objects. Throws 2100, as for objects in hex. */
export function readNamedObjects(payload: string, trace: Trace): Objects {
  const nameOf = (given: string) => entryOf(BY_NAME, plainName(given));
  const {form, members} = readNamed(payload, trace, (name) => describeObject(nameOf(name)));
  const values = new Map<ObjectName, string>();
  for (const [given, value] of members) {
    const name = nameOf(given);
    const text = name ? gtkMemberValue(name, value) : '';
    if (!name || text === '') continue;
    if ((values.get(name) ?? text) !== text)
      throw severalReads(`${name}: two values, expected one`);
    values.set(name, text);
  }
  const others = members.filter(([given]) => !nameOf(given));
  if (values.size > 0) assertNoTracks(others);
  const offsetOf = (name: ObjectName) => Math.max(0, payload.indexOf(values.get(name) ?? ''));
  return {form, values, others, ends: 'inside', offsetOf};
}

function gtkMemberValue(name: ObjectName, value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string') throw new PaylensError(2100, `${name}: expected a string`);
  return OBJECTS[name].isText ? value.trim() : value.replaceAll(/\s/g, '').toUpperCase();
}

/** Throws 2100 if there are tracks besides the objects. */
function assertNoTracks(others: readonly Member[]): void {
  const role = (name: string) => FORWARDED_FORM.roleOf(name) ?? '';
  const isTrack = (name: string) => /^(?:track\d|data)$/.test(role(name));
  const other = others.find(([name, value]) => isTrack(name) && value !== '');
  if (other) throw severalReads(`${other[0]} and objects of GTK`);
}
