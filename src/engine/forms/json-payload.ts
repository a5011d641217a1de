import {describeFault} from '../../contract/json-fault.js';
import {isJsonObject, type JsonObject, kindOf, readJson} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Describe, Trace} from '../trace.js';
import {ofLast, QUICKLY_FOUND} from './of-last.js';

/** Of a member that a form does not declare, where its page says so: it may hold anything. */
export const UNKNOWN_MEMBER = {meaning: 'unknown member', sensitivity: 'card'} as const;

/** Several terminals read the same text in turn. */
const readOnce = /* @__PURE__ */ ofLast(readJson, QUICKLY_FOUND);

/**
 * Reads a payload that is one JSON object and records its members, of one that was cut those before
 * the cut. Throws 2100 when it is not one, or is unsafe; `what` begins the message.
 */
export function readJsonPayload(
  payload: string,
  trace: Trace,
  describe: Describe,
  what = 'JSON form',
): JsonObject {
  const read = readOnce(payload);
  if ('fault' in read) {
    const {isCut} = read.fault;
    if (isCut) noteJson(payload, trace, describe);
    const detail = `${what}: ${describeFault(read.fault)}`;
    throw new PaylensError(2100, detail, isCut ? {fault: {kind: 'cut-text'}} : {});
  }
  if (!isJsonObject(read.value))
    throw new PaylensError(2100, `${what}: expected an object, found ${kindOf(read.value)}`);
  noteJson(payload, trace, describe);
  trace.members = {object: read.value, describe};
  return read.value;
}

/**
 * The members of an object, and those of objects in it: software puts what it received into members
 * of its own. What `isOwn` names is not looked into.
 */
export function* membersWithin(
  object: object,
  isOwn: (name: string) => boolean,
): Generator<readonly [name: string, value: unknown]> {
  for (const [name, value] of Object.entries(object)) {
    const isOpen = typeof value === 'object' && value !== null && !isOwn(name);
    if (!isOpen) yield [name, value];
    else if (!Array.isArray(value)) yield* membersWithin(value, isOwn);
    else for (const one of value) if (isJsonObject(one)) yield* membersWithin(one, isOwn);
  }
}

/** A string, perhaps without its end, a bracket, a colon or comma, or a number or literal. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]|[^\s"{}[\],:]+/g;

/** A member of JSON: from its name to the end of its value, or to the bracket that opens it. */
export interface JsonMember {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly depth: number;
  /** Absent: an object or an array. */
  readonly value?: string;
}

/** Every member of a JSON text, in its order, also of one that was cut. */
export function* jsonMembersIn(text: string): Generator<JsonMember> {
  let depth = 0;
  let member: {name: string; offset: number} | undefined;
  let last: {token: string; index: number} | undefined;
  for (const {0: token, index} of text.matchAll(TOKEN)) {
    const place = member && {length: index + token.length - member.offset, ...member};
    if (token === ':' && last) {
      member = {name: unquote(last.token), offset: last.index};
    } else if (token === '{' || token === '[') {
      if (place) yield {depth: depth - 1, ...place};
      member = undefined;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
    } else if (token !== ',' && place) {
      yield {depth: depth - 1, value: unquote(token), ...place};
      member = undefined;
    }
    last = {token, index};
  }
}

/** The name of a member and the characters before its value. */
const LEAD = /"[^"]*"\s*:\s*"?$/;
const MAX_LEAD_CHARS = 80;

/** Where the member with this value begins; 0 if the value is written with escapes. */
export function jsonOffsetOf(text: string, value: string): number {
  const at = text.indexOf(value);
  if (at < 0) return 0;
  const [lead = ''] = LEAD.exec(text.slice(Math.max(at - MAX_LEAD_CHARS, 0), at)) ?? [];
  return at - lead.length;
}

/** Records every member of a JSON text, also of one that was cut. */
function noteJson(text: string, trace: Trace, describe: Describe): void {
  if (!trace.recording) return;
  for (const member of jsonMembersIn(text)) {
    const {name, offset, length, value} = member;
    const bracket = text[offset + length - 1] ?? '';
    trace.note({...member, value: value ?? bracket, ...describe(name, value)});
  }
}

function unquote(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return String(JSON.parse(token));
  } catch {
    // It was cut, or has an escape that does not exist.
    return token.replaceAll(/^"|"$/g, '');
  }
}
