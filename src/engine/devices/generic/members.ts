import {PaylensError} from '../../../contract/paylens-error.js';
import type {Trace} from '../../trace.js';
import {noteJson, parseJsonPayload} from '../json-payload.js';
import {MEMBERS} from './layout.js';

/** One value to be decrypted; `track1`, `track2`, `track3` name its content, others do not. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The members of either form under one set of names. */
export interface Members {
  readonly form: string;
  /** Lower-case names of single members; a member that is absent or empty is not in it. */
  readonly single: Readonly<Record<string, string>>;
  readonly values: readonly NamedValue[];
  /** The form's own default. */
  readonly encoding: 'hex' | 'base64';
}

const VALUE_NAMES = ['track1', 'track2', 'track3', 'data', 'tlv'];

/**
 * Reads the JSON forms, long and short, and the key=value text.
 * Throws 2100 when the payload is neither, or a member has the wrong type.
 */
export function readMembers(payload: string, trace: Trace): Members {
  trace.unit = 'character';
  return payload.trimStart().startsWith('{') ? readJson(payload, trace) : readText(payload, trace);
}

function readJson(payload: string, trace: Trace): Members {
  const object = parseJsonPayload(payload);
  noteJson(payload, trace, describe);
  const parameters = parametersOf(object.decryptionParameters);
  const isLong = parameters !== undefined;
  const renamed = {
    ksn: parameters?.sequenceNumber,
    iv: parameters?.cbcVector,
    encoding: parameters?.encoding,
  };
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries({...object, ...dropUndefined(renamed)})) {
    if (isSingle(name)) addText(single, name, value);
  }
  return {
    form: isLong ? 'JSON, long form' : 'JSON, short form',
    single,
    values: [...jsonValues(object), ...encryptedValues(object.encrypted)],
    encoding: isLong ? 'base64' : 'hex',
  };
}

function describe(name: string): {meaning?: string} {
  const meaning = MEMBERS[name.toLowerCase()];
  return meaning === undefined ? {} : {meaning};
}

function parametersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return undefined;
  if (isObject(value)) return value;
  throw new PaylensError(2100, 'decryptionParameters: expected an object');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function dropUndefined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Members with one text value that say how to decrypt. */
function isSingle(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    Object.hasOwn(MEMBERS, lower) &&
    ![...VALUE_NAMES, 'encrypted'].includes(lower) &&
    !['decryptionparameters', 'hasccdata'].includes(lower)
  );
}

function addText(single: Record<string, string>, name: string, value: unknown): void {
  if (typeof value !== 'string') throw new PaylensError(2100, `${name}: expected a string`);
  if (value !== '') single[name.toLowerCase()] = value;
}

function jsonValues(object: Readonly<Record<string, unknown>>): NamedValue[] {
  return VALUE_NAMES.flatMap((name) => {
    const value = object[name];
    if (value === undefined || value === '') return [];
    if (typeof value !== 'string') throw new PaylensError(2100, `${name}: expected a string`);
    return [{name, value}];
  });
}

/** An array of `{name, value}`, or one string, which is `data`. */
function encryptedValues(encrypted: unknown): NamedValue[] {
  if (encrypted === undefined || encrypted === '') return [];
  if (typeof encrypted === 'string') return [{name: 'data', value: encrypted}];
  if (!Array.isArray(encrypted)) {
    throw new PaylensError(2100, 'encrypted: expected an array of {name, value}, or a string');
  }
  return encrypted.map((entry: unknown, i) => {
    if (!isObject(entry) || typeof entry.value !== 'string') {
      throw new PaylensError(2100, `encrypted[${i}]: expected an object with name and value`);
    }
    const name = typeof entry.name === 'string' ? entry.name : '';
    return {name: name.replaceAll(/\s/g, '').toLowerCase(), value: entry.value};
  });
}

/** `key=value` pairs separated by line ends, `;`, `|` or `&`; blanks around are dropped. */
function readText(payload: string, trace: Trace): Members {
  const single: Record<string, string> = {};
  const values: NamedValue[] = [];
  for (const {0: pair, index} of payload.matchAll(/[^\r\n;|&]+/g)) {
    if (pair.trim() === '') continue;
    const cut = pair.indexOf('=');
    const name = pair.slice(0, Math.max(cut, 0)).trim().toLowerCase();
    if (!Object.hasOwn(MEMBERS, name)) {
      if (cut > 0 && /^\w+$/.test(name)) continue;
      throw new PaylensError(2100, `character ${index}: expected a JSON object or key=value pairs`);
    }
    const value = pair.slice(cut + 1).trim();
    trace.note({
      offset: index,
      length: pair.length,
      depth: 0,
      name: MEMBERS[name] ?? name,
      value,
      meaning: name,
    });
    if (value === '') continue;
    if (VALUE_NAMES.includes(name)) values.push({name, value});
    else if (name === 'encrypted') values.push({name: 'data', value});
    else if (name in single) throw new PaylensError(2100, `${name}: given twice`);
    else single[name] = value;
  }
  return {form: 'key=value text', single, values, encoding: 'hex'};
}
