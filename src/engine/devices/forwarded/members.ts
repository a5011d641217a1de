import {PaylensError} from '../../../contract/paylens-error.js';
import type {Trace} from '../../trace.js';
import {type Describe, noteJson, parseJsonPayload} from '../shared/json-payload.js';
import {severalReads} from '../shared/one-read.js';
import {compactHex, hexIfBinary} from '../shared/payload-bytes.js';
import {ASIDE, describe, plainName, type Role, roleOf} from './layout.js';

/** The members of a request that the reader uses. */
export interface Members {
  readonly form: string;
  /** Recognised by its length alone: bare ciphertext. */
  readonly isBare: boolean;
  /** Every value of a role, each once. */
  readonly values: (role: Role) => readonly string[];
  /** The value of a role, if there is one. Throws 2100 if there are two. */
  readonly only: (role: Role) => string | undefined;
  /** The values of members named like a tag, `0x5F24`, by the tag. */
  readonly tags: ReadonlyMap<string, string>;
}

/** A member of a request by its name. */
export type Member = readonly [name: string, value: unknown];

/**
 * Reads a request: a JSON object, whose members may be nested in others, `name: value` lines, or the
 * ciphertext alone in hex. Throws 2100 if it is none of these, or a member is no text.
 */
export function readMembers(payload: string, trace: Trace): Members {
  const bare = compactHex(hexIfBinary(payload));
  if (bare !== undefined) return membersOf('hex', [['data', noted(bare, trace)]], true);
  const {form, members} = readNamed(payload, trace, describe);
  return membersOf(form, members);
}

/**
 * The members of a JSON object, nested or not, or of `name: value` lines. Throws 2100 if the payload
 * is neither, or has an element of a host message.
 */
export function readNamed(payload: string, trace: Trace, describe: Describe) {
  trace.unit = 'character';
  const isJson = payload.trimStart().startsWith('{');
  const members = isJson
    ? [...membersIn(parseJsonPayload(payload))]
    : linesOf(payload, trace, describe);
  if (isJson) noteJson(payload, trace, describe);
  const foreign = members.find(([name]) => DE_127.test(name));
  if (foreign) throw severalReads(`${foreign[0]}: an element of a host message`);
  return {form: isJson ? 'JSON' : 'name: value text', members};
}

function noted(digits: string, trace: Trace): string {
  const length = Math.ceil(digits.length / 2);
  const value = digits.toUpperCase();
  trace.note({offset: 0, length, depth: 0, name: 'data', value, ...describe('data')});
  return digits;
}

function* membersIn(value: unknown, name = '', isAside = false): Generator<Member> {
  if (typeof value !== 'object' || value === null) {
    if (!isAside) yield [name, value];
    else if (typeof value === 'string') yield* memberOfPin(name, value);
    return;
  }
  for (const [inner, one] of Object.entries(value)) {
    const own = Array.isArray(value) ? name : inner;
    yield* membersIn(one, own, isAside || ASIDE.has(plainName(own)));
  }
}

function* memberOfPin(name: string, value: string): Generator<Member> {
  const role = roleOf(name);
  if (role === 'pin' || role === 'pinKsn') yield [name, value];
  if (role === 'ksn') yield ['pinKsn', value];
}

function linesOf(payload: string, trace: Trace, describe: Describe): Member[] {
  const lines = [...payload.matchAll(/[^\r\n;|&]+/g)].filter(([line]) => line.trim() !== '');
  return lines.map(({0: line, index}) => {
    const [, name = '', given] = /^\s*(\w[\w .-]{0,30}?)\s*[:=](.*)$/s.exec(line) ?? [];
    const value = given?.trim();
    if (value === undefined)
      throw new PaylensError(2100, `character ${index}: expected a JSON object or name: value`);
    if (OTHER_MESSAGE.test(value)) throw severalReads(`character ${index}: a message in ${name}`);
    trace.note({offset: index, length: line.length, depth: 0, name, value, ...describe(name)});
    return [name, value];
  });
}

/** What JSON and XML begin with. */
const OTHER_MESSAGE = /\{\s*"|<[\w/?!]/;

function membersOf(form: string, members: readonly Member[], isBare = false): Members {
  const found = new Map<Role, Map<string, string>>();
  const tags = new Map<string, string>();
  for (const [name, value] of members) {
    const role = roleOf(name);
    const text = textOf(name, value, role);
    if (text === '') continue;
    const [, tag] = /^0x([\da-f]{2,6})$/i.exec(name) ?? [];
    if (tag !== undefined) tags.set(tag.toUpperCase(), text);
    if (role === undefined) continue;
    const known = found.get(role) ?? new Map<string, string>();
    found.set(role, known.set(text.replaceAll(/\s/g, '').toUpperCase(), text));
  }
  const values = (role: Role) => [...(found.get(role)?.values() ?? [])];
  return {form, isBare, tags, values, only: (role) => onlyOf(role, values(role))};
}

/** The encrypted card data of an IFSF message is another read. */
const DE_127 = /^(?:de|df|p|s|bit|field)?[ ._-]*0{0,2}127$/i;

function onlyOf(role: Role, values: readonly string[]): string | undefined {
  if (values.length < 2) return values[0];
  throw severalReads(`${role}: ${values.length} values, expected one`);
}

/** Roles whose value must be text; the others are ignored if they are something else. */
const TEXTS: ReadonlySet<Role | undefined> = new Set(['track1', 'track2', 'track3', 'ksn', 'iv']);

function textOf(name: string, value: unknown, role: Role | undefined): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || !TEXTS.has(role)) return '';
  throw new PaylensError(2100, `${name}: expected a string`);
}
