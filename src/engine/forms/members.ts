import {PaylensError} from '../../contract/paylens-error.js';
import type {Describe, Part, Sensitivity, Trace} from '../trace.js';
import {entryOf} from './entry-of.js';
import {readJsonPayload} from './json-payload.js';

/** How the value of a declared member is masked. */
export const CARD = {sensitivity: 'card'} as const;
export const OPAQUE = {sensitivity: 'opaque'} as const;
export const HARMLESS = {sensitivity: 'harmless'} as const;

/** A declared member of a payload: the names it goes by, its meaning, how its value is masked. */
export interface MemberRow {
  readonly names: readonly string[];
  readonly meaning?: string;
  /** Absent: the value may hold anything. */
  readonly sensitivity?: Sensitivity;
}

/** The members of a form, by their roles. */
export interface MemberForm<Role extends string> {
  /** The role of a member; undefined if the form has none of that name. */
  readonly roleOf: (name: string) => Role | undefined;
  /** As `inspect` shows a member; one that is not declared may hold anything. */
  readonly describe: (name: string) => Pick<Part, 'meaning' | 'sensitivity'>;
}

const UNDECLARED = {};

/** Declares members by their roles; `plainName` makes the same name of all its spellings. */
export function memberForm<Role extends string>(
  rows: Readonly<Record<Role, MemberRow>>,
  plainName: (name: string) => string,
): MemberForm<Role> {
  const roles = Object.fromEntries(
    (Object.entries(rows) as [Role, MemberRow][]).flatMap(([role, {names}]) =>
      names.map((name) => [name, role] as const),
    ),
  ) as Readonly<Record<string, Role>>;
  const roleOf = (name: string) => entryOf(roles, plainName(name));
  const descriptions = Object.fromEntries(
    (Object.entries(rows) as [Role, MemberRow][]).map(([role, {meaning, sensitivity}]) => [
      role,
      {...(meaning ? {meaning} : {}), ...(sensitivity ? {sensitivity} : {})},
    ]),
  ) as Readonly<Record<Role, ReturnType<Describe>>>;
  const describe = (name: string) => {
    const role = roleOf(name);
    return role === undefined ? UNDECLARED : descriptions[role];
  };
  return {roleOf, describe};
}

/** A member as the payload has it; of text, with the offset of its piece. */
export type Member = readonly [name: string, value: unknown, offset?: number];

/** How the members of a form are written. */
export interface MemberSyntax {
  readonly describe: Describe;
  /** The members of a JSON object that count. */
  readonly walk: (object: object) => Iterable<Member>;
  /** Name and value of a piece of text, in groups. */
  readonly pair: RegExp;
  /** For the error, if a piece is something else. */
  readonly expected: string;
  /** Throws 2100 for a piece that belongs to another payload. */
  readonly assertPiece?: (name: string, value: string, offset: number) => void;
}

/**
 * The members of a JSON object, or of `name: value` pieces between line breaks, `;`, `|` and `&`.
 * Throws 2100 if the payload is neither.
 */
export function readMembers(payload: string, trace: Trace, syntax: MemberSyntax) {
  trace.unit = 'character';
  if (!payload.trimStart().startsWith('{'))
    return {form: 'name: value text', members: textMembers(payload, trace, syntax)};
  const members = [...syntax.walk(readJsonPayload(payload, trace, syntax.describe))];
  return {form: 'JSON', members};
}

function textMembers(payload: string, trace: Trace, syntax: MemberSyntax): Member[] {
  const entries = textPieces(payload).map(({piece, offset}): Member => {
    const [, name = '', given] = syntax.pair.exec(piece) ?? [];
    if (given === undefined)
      throw new PaylensError(2100, `character ${offset}: expected ${syntax.expected}`);
    const value = given.trim();
    syntax.assertPiece?.(name, value, offset);
    const place = {offset, length: piece.length, depth: 0, name: name.trim(), value};
    if (trace.recording) trace.note({...place, ...syntax.describe(name, value)});
    return [place.name, value, offset];
  });
  trace.members = {list: entries, describe: syntax.describe};
  return entries;
}

/** No terminal sends nearly as many. */
const MAX_TEXT_MEMBERS = 4096;

/**
 * The pieces of a text between line breaks, `;`, `|` and `&`, or those that match, without blank ones.
 * Throws 2100 as soon as there are more than `most`.
 */
export function textPieces(
  payload: string,
  expression = /[^\r\n;|&]+/g,
  most = MAX_TEXT_MEMBERS,
): {readonly piece: string; readonly offset: number}[] {
  const pieces = [];
  let found = 0;
  for (const {0: piece, index} of payload.matchAll(expression)) {
    if (++found > most) throw new PaylensError(2100, `expected at most ${most} members`);
    if (piece.trim() !== '') pieces.push({piece, offset: index});
  }
  return pieces;
}
