import {PaylensError} from '../../../contract/paylens-error.js';
import {type Member, readMembers} from '../../forms/members.js';
import {severalReads} from '../../forms/one-read.js';
import {compactHex, hexIfBinary} from '../../forms/payload-bytes.js';
import type {Describe, Trace} from '../../trace.js';
import {ASIDE, FORWARDED_FORM, type ForwardedRole, plainName} from './layout.js';

/** The members of a request that the reader uses. */
export interface RequestMembers {
  readonly form: string;
  /** Recognised by its length alone: bare ciphertext. */
  readonly isBare: boolean;
  /** Every value of a role, each once. */
  readonly values: (role: ForwardedRole) => readonly string[];
  /** The value of a role, if there is one. Throws 2100 if there are two. */
  readonly only: (role: ForwardedRole) => string | undefined;
  /** The members named like a tag, `0x5F24`: the tag and its value. */
  readonly tags: readonly (readonly [tag: string, value: string])[];
}

const {describe, roleOf} = FORWARDED_FORM;

/**
 * Reads a request: a JSON object, whose members may be nested in others, `name: value` lines, or the
 * ciphertext alone in hex. Throws 2100 if it is none of these, or a member is no text.
 */
export function readRequest(payload: string, trace: Trace): RequestMembers {
  const bare = compactHex(hexIfBinary(payload));
  if (bare !== undefined) return requestMembers('hex', [['data', noted(bare, trace)]], true);
  const {form, members} = readNamed(payload, trace, describe);
  return requestMembers(form, members);
}

/**
 * The members of a JSON object, nested or not, or of `name: value` lines. Throws 2100 if the payload
 * is neither.
 */
export function readNamed(payload: string, trace: Trace, describeName: Describe) {
  return readMembers(payload, trace, {
    describe: describeName,
    walk: (object) => membersIn(object),
    pair: /^\s*(\w[\w .-]{0,30}?)\s*[:=](.*)$/s,
    expected: 'a JSON object or name: value',
    assertPiece: (name, value, offset) => {
      if (OTHER_MESSAGE.test(value))
        throw severalReads(`character ${offset}: a message in ${name}`);
    },
  });
}

/** What JSON and XML begin with. */
const OTHER_MESSAGE = /\{\s*"|<[\w/?!]/;

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
  if (role === 'pin' || role === 'pinKsn' || role === 'pinFormat') yield [name, value];
  if (role === 'ksn') yield ['pinKsn', value];
  if (role === 'format') yield ['pinFormat', value];
}

function requestMembers(form: string, members: readonly Member[], isBare = false): RequestMembers {
  const found = new Map<ForwardedRole, Map<string, string>>();
  const tags: [string, string][] = [];
  for (const [name, value] of members) {
    const role = roleOf(name);
    if (typeof value !== 'string' && value !== null && TEXT_ROLES.has(role ?? ''))
      throw new PaylensError(2100, `${name}: expected a string`);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') continue;
    const [, tag] = /^0x([\da-f]{2,6})$/i.exec(name) ?? [];
    if (tag !== undefined) tags.push([tag.toUpperCase(), text]);
    if (role === undefined) continue;
    const known = found.get(role) ?? new Map<string, string>();
    found.set(role, known.set(text.replaceAll(/\s/g, '').toUpperCase(), text));
  }
  const values = (role: ForwardedRole) => [...(found.get(role)?.values() ?? [])];
  const only = (role: ForwardedRole) => {
    const [first, ...others] = values(role);
    if (others.length === 0) return first;
    throw severalReads(`${role}: ${others.length + 1} values, expected one`);
  };
  return {form, isBare, tags, values, only};
}

/** Roles whose value must be text; the others are ignored if they are something else. */
const TEXT_ROLES: ReadonlySet<string> = new Set(['track1', 'track2', 'track3', 'ksn', 'iv']);
