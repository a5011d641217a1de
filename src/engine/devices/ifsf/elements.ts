import {PaylensError} from '../../../contract/paylens-error.js';
import type {Part, Trace} from '../../trace.js';
import {membersWithin, noteJson, parseJsonPayload} from '../shared/json-payload.js';
import {demandOwnMember, severalReads} from '../shared/one-read.js';
import {MEANINGS} from './layout.js';

/** Members of a described message: its elements by number, and what is told beside them. */
export interface Members {
  readonly form: string;
  readonly elements: ReadonlyMap<number, string>;
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
}

/** `127`, `DE-127`, `de127`, `P-127`, `S-127`: the bitmaps are called primary and secondary. */
const ELEMENT_NAME = /^(?:de|df|p|s|bit|field)?[ ._-]*0{0,2}(\d{1,3})$/i;
// No two neighbours match the same character: a long run of blanks is gone through once.
const LABEL =
  /(?:^|[{,;|&\r\n])[ \t]*(?:["']?(?:de|df|p|s|bit|field)[ ._-]*|["'._-][ ._-]*)?127["']?\s*[:=]/i;

/** Whether a text describes a message with DE-127. */
export function namesElements(payload: string): boolean {
  return LABEL.test(payload);
}

/** The number of the element that a name means. */
function numberOf(name: string): number | undefined {
  const [, digits] = ELEMENT_NAME.exec(name.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Reads the elements of a message as JSON or as `name: value` lines; unknown members are ignored.
 * Throws 2100 if it is neither, or a member is given twice or is no text.
 */
export function readElements(payload: string, trace: Trace): Members {
  trace.unit = 'character';
  const isJson = payload.trimStart().startsWith('{');
  return membersOf(
    isJson ? 'JSON' : 'name: value text',
    isJson ? jsonMembers(payload, trace) : textMembers(payload, trace),
  );
}

type Member = readonly [name: string, value: unknown];

function jsonMembers(payload: string, trace: Trace): Member[] {
  const object = parseJsonPayload(payload);
  noteJson(payload, trace, describe);
  return [...membersWithin(object, (name) => numberOf(name) !== undefined)];
}

function textMembers(payload: string, trace: Trace): Member[] {
  const pieces = [...payload.matchAll(/[^\r\n;|&]+/g)].filter(([piece]) => piece.trim() !== '');
  return pieces.map(({0: piece, index}) => {
    const [, name = '', value] = /^\s*([\w .-]{1,20}?)\s*[:=](.*)$/s.exec(piece) ?? [];
    if (value === undefined)
      throw new PaylensError(
        2100,
        `character ${index}: expected hex of DE-127, a JSON object, or lines such as DE-127: value`,
      );
    const place = {offset: index, length: piece.length, depth: 0};
    trace.note({...place, name: name.trim(), value: value.trim(), ...describe(name)});
    return [name, value];
  });
}

function membersOf(form: string, members: readonly Member[]): Members {
  const elements = new Map<number, string>();
  const single: {ksn?: string; iv?: string} = {};
  for (const [name, given] of members) {
    const number = numberOf(name);
    const told = OTHERS.find((other) => other === name.trim().toLowerCase());
    if (number === undefined && told === undefined) {
      demandOwnMember(name.trim(), typeof given === 'string' ? given.trim() : given);
      continue;
    }
    const value = textOf(name, given);
    if (value === '') continue;
    const isTwice = told === undefined ? elements.has(number ?? 0) : single[told] !== undefined;
    if (isTwice) throw new PaylensError(2100, `${told ?? `DE-${number}`}: given twice`);
    demandForm(told ?? number ?? 0, value);
    if (told) single[told] = value;
    else elements.set(number ?? 0, value);
  }
  return {form, elements, ...single};
}

const OTHERS = ['ksn', 'iv'] as const;

/** Digits of a PIN block, a MAC and an IV: more of them are another read. */
const FORMS: Readonly<Record<string | number, RegExp>> = {
  iv: /^(?:[\da-f]{16}){1,2}$/i,
  52: /^(?:[\da-f]{16}){1,2}$/i,
  64: /^[\da-f]{8,32}$/i,
  128: /^[\da-f]{8,32}$/i,
};

function demandForm(name: number | string, value: string): void {
  if (FORMS[name]?.test(value.replaceAll(/\s/g, '')) ?? true) return;
  if (name === 'iv') throw new PaylensError(2602, 'iv: expected hex digits of one block');
  throw severalReads(`DE-${name}: expected the hex digits of one value`);
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  throw new PaylensError(2100, `${name.trim().slice(0, 20)}: expected a string`);
}

/** Members that are in no table may hold anything. */
function describe(name: string): Pick<Part, 'meaning' | 'sensitivity'> {
  const lower = name.trim().toLowerCase();
  if (lower === 'ksn') return {meaning: 'KSN', sensitivity: 'harmless'};
  if (lower === 'iv') return {meaning: 'IV', sensitivity: 'opaque'};
  const number = numberOf(name);
  const meaning = number === undefined ? undefined : MEANINGS[number];
  if (meaning === undefined) return {};
  if (number === 53) return {meaning, sensitivity: 'harmless'};
  return {meaning, sensitivity: CIPHERED.has(number ?? 0) ? 'opaque' : 'card'};
}

const CIPHERED = new Set([52, 64, 127, 128]);
