import {PaylensError} from '../../../contract/paylens-error.js';
import {clearTracks} from '../../card/is-clear-card.js';
import {type MaskedPan, maskedText, maskedTrack} from '../../card/masked-pans.js';
import {entryOf} from '../../forms/entry-of.js';
import {jsonOffsetOf, readJsonPayload} from '../../forms/json-payload.js';
import {type Member, textPieces} from '../../forms/members.js';
import type {Part, Trace} from '../../trace.js';
import {isClearValue} from '../forwarded/is-clear-value.js';
import {GENERIC_MEMBERS, isMember} from './layout.js';

/**
 * One value to decrypt; the names `track1`, `track2` and `track3` state its content, others do not.
 */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
  /** Of its member. */
  readonly offset?: number;
}

/** The members of any form, under the same names. */
export interface GenericMembers {
  readonly form: string;
  /** Single members by lower-case name, without those that are absent or empty. */
  readonly single: Readonly<Record<string, string>>;
  readonly values: readonly NamedValue[];
  /** Masked copies of the card number. */
  readonly masked: readonly MaskedPan[];
  /** The form's own default. */
  readonly encoding: 'hex' | 'base64';
}

const SINGLE_NAMES = [
  ...['ksn', 'iv', 'serial', 'encoding', 'variant'],
  ...['mode', 'padding', 'algorithm', 'entryMode'],
];
const VALUE_NAMES = ['track1', 'track2', 'track3', 'data', 'tlv'];
/** The short form's names, mapped to those of the long form. */
const LONG_NAMES = {ksn: 'sequenceNumber', iv: 'cbcVector', encoding: 'encoding'} as const;

/**
 * Reads the JSON forms, long and short, and the key=value text; names match in any case. Throws
 * 2100 if the payload is none of these, or a member has the wrong type or is given twice.
 */
export function readGenericMembers(payload: string, trace: Trace): GenericMembers {
  trace.unit = 'character';
  if (payload.trimStart().startsWith('{')) return readGenericJson(payload, trace);
  return readClearTracks(payload, trace) ?? readGenericText(payload, trace);
}

/** Clear tracks alone, which no terminal sends, so that they are refused as such. */
function readClearTracks(payload: string, trace: Trace): GenericMembers | undefined {
  const tracks = clearTracks(payload);
  if (tracks.length === 0) return undefined;
  for (const {name, text, offset} of tracks) {
    const part = {offset, length: text.length, depth: 0, name, value: text};
    trace.note({...part, meaning: 'in cleartext', sensitivity: 'card'});
  }
  const values = tracks.map(({name, text, offset}) => ({name, value: text, offset}));
  return {form: 'cleartext tracks', single: {}, values, masked: [], encoding: 'hex'};
}

function readGenericJson(payload: string, trace: Trace): GenericMembers {
  const object = readJsonPayload(payload, trace, describeGenericMember);
  const members = inLowerCase(object);
  const given = members.get('decryptionparameters');
  if (given !== undefined && !isObject(given))
    throw new PaylensError(2100, 'decryptionParameters: expected an object');
  const parameters = given && inLowerCase(given);
  const single: Record<string, string> = {};
  for (const name of SINGLE_NAMES) addText(single, name, members.get(name.toLowerCase()));
  for (const [name, long] of Object.entries(LONG_NAMES)) {
    addText(single, name, parameters?.get(long.toLowerCase()), long);
  }
  const named = VALUE_NAMES.map((name) => ({name, value: memberText(name, members.get(name))}));
  const values = named.filter(({value}) => value !== '');
  return {
    form: parameters ? 'JSON, long form' : 'JSON, short form',
    single,
    values: [...values, ...encryptedValues(members.get('encrypted'))].map((value) => ({
      offset: jsonOffsetOf(payload, value.value),
      ...value,
    })),
    masked: [...members].flatMap(([name, value]) => maskedMember(name, value)),
    encoding: parameters ? 'base64' : 'hex',
  };
}

function describeGenericMember(name: string, value = ''): Pick<Part, 'meaning' | 'sensitivity'> {
  const lower = name.toLowerCase();
  const known = lower === 'value' ? OPAQUE_ENTRY : entryOf(GENERIC_MEMBERS, lower);
  return value !== '' && isClearValue(value) ? {...known, sensitivity: 'card'} : (known ?? {});
}

/** The value of an entry of `encrypted`. */
const OPAQUE_ENTRY = {sensitivity: 'opaque'} as const;

type LowerCased = ReadonlyMap<string, unknown>;

function inLowerCase(object: object): LowerCased {
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    const lower = name.toLowerCase();
    if (members.has(lower) && (isMember(lower) || ENTRY_NAMES.has(lower))) {
      throw givenTwice(lower);
    }
    members.set(lower, value);
  }
  return members;
}

/** Members of an entry of `encrypted`. */
const ENTRY_NAMES = new Set(['name', 'value']);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addText(
  single: Record<string, string>,
  name: string,
  value: unknown,
  given: string = name,
): void {
  const text = memberText(given, value);
  if (text === '') return;
  const key = name.toLowerCase();
  if ((single[key] ?? text) !== text) throw givenTwice(`${name} and ${given}`);
  single[key] = text;
}

/** The text of a member; empty if it is absent. */
function memberText(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  throw new PaylensError(2100, `${name}: expected a string`);
}

/** An array of `{name, value}`, or one string, which is `data`. */
function encryptedValues(encrypted: unknown): NamedValue[] {
  if (encrypted === undefined || encrypted === '') return [];
  if (typeof encrypted === 'string') return [{name: 'data', value: encrypted}];
  if (!Array.isArray(encrypted)) {
    throw new PaylensError(2100, 'encrypted: expected an array of {name, value}, or a string');
  }
  return encrypted.map((entry: unknown, i) => {
    const members = isObject(entry) ? inLowerCase(entry) : undefined;
    const value = members?.get('value');
    if (!members || typeof value !== 'string') {
      throw new PaylensError(2100, `encrypted[${i}]: expected an object with name and value`);
    }
    return {name: safeName(members.get('name')) ?? `encrypted[${i}]`, value};
  });
}

/** Names are quoted in messages, so a name that could be a card number is rejected. */
function safeName(name: unknown): string | undefined {
  const compact = typeof name === 'string' ? name.replaceAll(/\s/g, '').toLowerCase() : '';
  return /^[a-z_][\w.-]{0,39}$/.test(compact) && !/\d{6}/.test(compact) ? compact : undefined;
}

/** `key=value` pairs separated by line breaks, `;`, `|` or `&`; surrounding spaces are dropped. */
function readGenericText(payload: string, trace: Trace): GenericMembers {
  const single: Record<string, string> = {};
  const values: NamedValue[] = [];
  const masked: MaskedPan[] = [];
  const entries: Member[] = [];
  for (const {piece, offset} of textPieces(payload)) {
    const {name, value} = namedValue(piece, offset);
    entries.push([name, value]);
    const part = {offset, length: piece.length, depth: 0, name, value};
    if (trace.recording) trace.note({...part, ...describeGenericMember(name, value)});
    masked.push(...maskedMember(name, value));
    if (value === '' || !isMember(name)) continue;
    if (VALUE_NAMES.includes(name)) values.push({name, value, offset});
    else if (name === 'encrypted') values.push({name: 'data', value, offset});
    else if (Object.hasOwn(single, name)) throw givenTwice(name);
    else single[name] = value;
  }
  trace.members = {list: entries, describe: describeGenericMember};
  return {form: 'key=value text', single, values, masked, encoding: 'hex'};
}

function namedValue(pair: string, index: number): NamedValue {
  // Here the start sentinel of a clear track 2 is a separator; base64 of one is no pair.
  if (/^\s*%?[A-Z]?\d/i.test(pair) && isClearValue(pair))
    return {name: 'track2', value: pair.trim()};
  const cut = pair.indexOf('=');
  const name = pair.slice(0, Math.max(cut, 0)).trim().toLowerCase();
  if (/^\w{1,40}$/.test(name)) return {name, value: pair.slice(cut + 1).trim()};
  throw new PaylensError(2100, `character ${index}: expected a JSON object or key=value pairs`);
}

/** The card number in `maskedPAN`, `maskedTrack2` and the like. */
function maskedMember(name: string, value: unknown): MaskedPan[] {
  if (!name.startsWith('masked') || typeof value !== 'string') return [];
  return /[=^]/.test(value) ? maskedTrack(name, value) : maskedText(name, value);
}

function givenTwice(name: string): PaylensError {
  return new PaylensError(2100, `${name}: given twice`);
}
