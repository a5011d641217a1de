import {PaylensError} from '../../../contract/paylens-error.js';
import {membersWithin} from '../../forms/json-payload.js';
import {readMembers} from '../../forms/members.js';
import {severalReads} from '../../forms/one-read.js';
import type {Trace} from '../../trace.js';
import {describeElement, elementAt, isElementName, memberKey} from './elements.js';

/** The members of a described message. */
export interface MessageFields {
  readonly form: string;
  /** By the number of an element, `ksn` and `iv`. */
  readonly values: ReadonlyMap<string, string>;
}

// No two neighbours match the same character: linear time on long runs of blanks.
const DE_127_LABEL =
  /(?:^|[{,;|&\r\n])[ \t]*(?:["']?(?:de|df|p|s|bit|field)[ ._-]*|["'._-][ ._-]*)?127["']?\s*[:=]/i;

/** Whether a text describes a message with DE-127. */
export function namesElements(payload: string): boolean {
  return DE_127_LABEL.test(payload);
}

const SYNTAX = {
  describe: describeElement,
  walk: (object: object) => membersWithin(object, isElementName),
  pair: /^\s*([\w.-](?:[\w .-]{0,18}[\w.-])?)\s*[:=](.*)$/s,
  expected: 'hex of DE-127, a JSON object, or lines such as DE-127: value',
};

/**
 * Reads the elements of a message as JSON or as `name: value` lines; unknown members are ignored.
 * Throws 2100 if it is neither, or a member is given twice or is no text.
 */
export function readElements(payload: string, trace: Trace): MessageFields {
  const {form, members} = readMembers(payload, trace, SYNTAX);
  const values = new Map<string, string>();
  for (const [name, given] of members) {
    const key = memberKey(name);
    const value = key === undefined ? '' : memberValue(name.trim(), given);
    if (key === undefined || value === '') continue;
    if (values.has(key)) throw new PaylensError(2100, `${elementLabel(key)}: given twice`);
    assertElementForm(key, value);
    values.set(key, value);
  }
  return {form, values};
}

/** A name that begins with digits may be a card number. */
function elementLabel(key: string): string {
  if (/^\d{4}/.test(key)) return 'a member';
  return /^\d/.test(key) ? `DE-${key}` : key;
}

function assertElementForm(key: string, value: string): void {
  if (elementAt(key)?.hex?.test(value.replaceAll(/\s/g, '')) ?? true) return;
  if (key === 'iv') throw new PaylensError(2602, 'iv: expected hex digits of one block');
  throw severalReads(`DE-${key}: expected the hex digits of one value`);
}

function memberValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  const label = /^\d/.test(name) && !isElementName(name) ? 'a member' : name;
  throw new PaylensError(2100, `${label}: expected a string`);
}
