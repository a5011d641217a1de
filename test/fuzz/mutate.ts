import fc from 'fast-check';
import type {FuzzInput, FuzzTarget} from './fuzz-target.js';

/**
 * A plan for changing an input: only numbers, so that fast-check generates it and a seed reproduces
 * it.
 */
export interface Plan {
  /** The input of the corpus, and another one to take pieces from. */
  readonly base: number;
  readonly other: number;
  readonly steps: readonly Step[];
  readonly repaired: boolean;
}

interface Step {
  readonly kind: number;
  /** The text of the input to change; most steps change the first. */
  readonly field: number;
  /** Position as a fraction of the text. */
  readonly at: number;
  readonly size: number;
  readonly value: number;
}

const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat({max: 0xffff}),
  field: fc.nat({max: 0xff}),
  at: fc.double({min: 0, max: 1, noNaN: true, maxExcluded: true}),
  size: fc.oneof(fc.nat({max: 8}), fc.nat({max: 64}), fc.nat({max: 2000})),
  value: fc.nat({max: 0xffff}),
});

/** Generates plans of one to five steps. */
export const PLANS: fc.Arbitrary<Plan> = fc.record({
  base: fc.nat(),
  other: fc.nat(),
  steps: fc.array(STEP, {minLength: 1, maxLength: 5}),
  repaired: fc.boolean(),
});

/** No input grows much beyond the limit of the interface. */
const LONGEST = 70_000;

/** The input that results from a plan and the corpus. */
export function mutate(corpus: readonly FuzzInput[], plan: Plan, target: FuzzTarget): FuzzInput {
  const base = [...(corpus[plan.base % corpus.length] ?? [''])];
  const other = corpus[plan.other % corpus.length] ?? [''];
  for (const step of plan.steps) {
    const field = step.field < 192 ? 0 : step.field % base.length;
    const changed = change(base[field] ?? '', step, other[field] ?? '', target.tokens ?? []);
    base[field] = changed.slice(0, LONGEST);
  }
  if (plan.repaired && target.repair) base[0] = target.repair(base[0] ?? '');
  return base;
}

type Change = (text: string, step: Step, other: string, tokens: readonly string[]) => string;

function change(text: string, step: Step, other: string, tokens: readonly string[]): string {
  const changes = changesFor(text);
  const make = changes[step.kind % changes.length] ?? PLAIN[0];
  return make?.(text, step, other, tokens) ?? text;
}

/** Changes suitable for the text: for hex digits, JSON, lists, and for any text. */
function changesFor(text: string): readonly Change[] {
  if (/^\s*[{[]/.test(text)) return [...PLAIN, ...JSON_CHANGES, ...JSON_CHANGES];
  if (/^[0-9a-f\s]*$/i.test(text)) return [...PLAIN, ...HEX, ...HEX];
  return [...PLAIN, ...LISTS, ...HEX];
}

const ODD = ['\0', '\x7f', '\x80', '\xff', '"', '\\', '\r\n', '\t', ' ', '=', '?', ';', '%', '^'];
const NUMBERS = ['0', '-1', '1e400', '128', '255', '256', '65535', '65536', '99999999999999999999'];
const BYTES = ['00', '01', '02', '03', '1F', '57', '5A', '7F', '80', '81', '82', '83', '84', 'FF'];
const TAGS = ['57', '5A', '5F20', '5F24', '9F1F', '9F6B', 'DFEE12', 'FFEE12', 'E1', '70', 'FF8105'];

const PLAIN: readonly Change[] = [
  (text, {at, value}) => replace(text, at, 1, neighbour(text, at, value)),
  (text, {at, size}) => replace(text, at, size, ''),
  (text, {at, size}) => replace(text, at, 0, piece(text, at, size)),
  (text, {at, value}) => replace(text, at, 0, pick(ODD, value)),
  (text, {at, size, value}) => replace(text, at, size % 4, pick(NUMBERS, value)),
  (text, {at, size, value}, other) => replace(text, at, size, piece(other, value / 0x10000, size)),
  (text, {at}, other) => text.slice(0, index(text, at)) + other.slice(index(other, at)),
  (text, {at}) => text.slice(0, index(text, at)),
  (text, {at, value}, _, tokens) => replace(text, at, 0, pick(tokens, value)),
  (text, {at, size, value}, _, tokens) => replace(text, at, size, pick(tokens, value)),
  (text, {at, size, value}) => replace(text, at, 0, pick(ODD, value).repeat(size)),
];

const HEX: readonly Change[] = [
  (text, {at, value}) => atByte(text, at, 2, pick(BYTES, value)),
  (text, {at, value}) => atByte(text, at, 2, hexByte(byteAt(text, at) + (value % 2 ? 1 : -1))),
  (text, {at, value}) => atByte(text, at, 2, hexByte(byteAt(text, at) ^ (1 << (value % 8)))),
  (text, {at, size}) => atByte(text, at, 2 * size, ''),
  (text, {at, value}) => atByte(text, at, 0, pick(BYTES, value)),
  (text, {at, size, value}) => atByte(text, at, 0, tlvObject(text, size, value)),
  (text, {at, size, value}) => atByte(text, at, 2 * size, pick(BYTES, value).repeat(size)),
  (text, {at, value}) => atByte(text, at, 4, hexByte(value >> 8) + hexByte(value)),
];

const LISTS: readonly Change[] = [
  (text, {at}) => overParts(text, (parts) => parts.toSpliced(index(parts, at), 1)),
  (text, {at}) => overParts(text, (parts) => parts.toSpliced(index(parts, at), 0, part(parts, at))),
  (text, {at, value}) =>
    overParts(text, (parts) => parts.toSpliced(index(parts, at), 1, part(parts, value / 0x10000))),
  (text, {value}) => (value % 2 ? text.toUpperCase() : text.toLowerCase()),
];

const VALUES = ['null', 'true', '0', '-1', '1e400', '""', '[]', '{}', '"\\u0000"', '"\\ud800"'];
const NAMES = ['ksn', 'iv', 'data', 'track1', 'track2', 'encrypted', '__proto__', 'constructor'];
const MEMBER = /"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^\s,{}[\]]+|[[{])/g;
const VALUE = /:\s*("(?:[^"\\]|\\.)*"|[^\s,{}[\]"]+)/g;

const JSON_CHANGES: readonly Change[] = [
  (text, {at, value}) => onMatch(text, VALUE, at, () => `:${pick(VALUES, value)}`),
  (text, {at, value}) =>
    onMatch(text, MEMBER, at, (member) => member.replace(/"[^"]*"/, `"${pick(NAMES, value)}"`)),
  (text, {at}) => onMatch(text, MEMBER, at, (member) => `${member},${member}`),
  (text, {at}) => onMatch(text, MEMBER, at, () => '"x":1'),
  (text, {at, size}) => replace(text, at, 0, '['.repeat(size)),
  (text, {size}) => `${'{"a":'.repeat(size % 12)}${text}${'}'.repeat(size % 12)}`,
  (text, step, other, tokens) =>
    onMatch(text, VALUE, step.at, (found) => changeString(found, step, other, tokens)),
  (text, step, other, tokens) =>
    onMatch(text, VALUE, step.at, (found) => changeString(found, step, other, tokens)),
];

/** Changes a quoted string of a JSON text, which is often hex. */
function changeString(found: string, step: Step, other: string, tokens: readonly string[]): string {
  const [, text] = /^:\s*"(.*)"$/s.exec(found) ?? [];
  if (text === undefined || /^\s*[{[]/.test(text)) return found;
  const at = step.value / 0x10000;
  const changed = change(text, {...step, at, kind: step.size + step.value}, other, tokens);
  return `:${JSON.stringify(changed)}`;
}

function onMatch(text: string, form: RegExp, at: number, make: (match: string) => string): string {
  const matches = [...text.matchAll(form)];
  const match = matches[index(matches, at)];
  if (!match) return text;
  return text.slice(0, match.index) + make(match[0]) + text.slice(match.index + match[0].length);
}

function overParts(text: string, make: (parts: readonly string[]) => readonly string[]): string {
  const separator = [',', ';', '|', '\n', '&', ' '].find((one) => text.includes(one)) ?? ',';
  return make(text.split(separator)).join(separator);
}

function part(parts: readonly string[], at: number): string {
  return parts[index(parts, at)] ?? '';
}

function index(of: {readonly length: number}, at: number): number {
  return Math.floor(at * of.length);
}

function replace(text: string, at: number, size: number, by: string): string {
  const start = index(text, at);
  return text.slice(0, start) + by + text.slice(start + size);
}

/** Replaces whole bytes, if the text is hex. */
function atByte(text: string, at: number, size: number, by: string): string {
  const start = 2 * Math.floor(index(text, at) / 2);
  return text.slice(0, start) + by + text.slice(start + size);
}

function byteAt(text: string, at: number): number {
  const start = 2 * Math.floor(index(text, at) / 2);
  return Number.parseInt(text.slice(start, start + 2), 16) || 0;
}

function hexByte(value: number): string {
  return (value & 0xff).toString(16).toUpperCase().padStart(2, '0');
}

function tlvObject(text: string, size: number, value: number): string {
  const length = size % 64;
  const content = piece(text, value / 0x10000, 2 * length).padEnd(2 * length, '0');
  return pick(TAGS, value) + hexByte(length) + content;
}

function piece(text: string, at: number, size: number): string {
  const start = index(text, at);
  return text.slice(start, start + size);
}

/** A character of the same kind, or the next one. */
function neighbour(text: string, at: number, value: number): string {
  const character = text[index(text, at)] ?? '0';
  if (/[0-9a-f]/i.test(character)) return (value % 16).toString(16).toUpperCase();
  return String.fromCharCode((character.charCodeAt(0) + (value % 5) - 2) & 0xff);
}

function pick(list: readonly string[], value: number): string {
  return list[value % Math.max(list.length, 1)] ?? '';
}
