import type {z} from 'zod';
import {kindOf} from '../contract/parse-json.js';

/** A value that fits its schema, or how it differs from it. */
export type Fitted<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly faults: readonly string[]};

/**
 * Holds a value against a zod schema. A fault begins with its place (`keys[2].hex`), except at the
 * top, and never quotes the value, which may be a key.
 */
export function fitTo<T>(schema: z.ZodType<T>, value: unknown): Fitted<T> {
  const {data, error} = schema.safeParse(value, {error: reasonOf});
  if (!error) return {ok: true, value: data as T};
  return {
    ok: false,
    faults: error.issues.map(({path, message}) =>
      [placeOf(path), message].filter(Boolean).join(': '),
    ),
  };
}

/** The error of an object with a member that none of `shape` is called. */
export function unknownMember(shape: object) {
  const members = Object.keys(shape).filter((name) => !name.startsWith('$'));
  return ({code, keys}: {readonly code: string; readonly keys?: unknown}) =>
    code === 'unrecognized_keys'
      ? `expected members ${members.join(', ')}, found ${nameShown((keys as string[])[0])}`
      : undefined;
}

/** Says it in our words, where the schema has none of its own. */
function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `expected ${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type') return undefined;
  const expected = `expected ${TYPES[issue.expected] ?? issue.expected}`;
  return issue.input === undefined ? expected : `${expected}, found ${kindOf(issue.input)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function placeOf(path: readonly PropertyKey[]): string {
  const steps = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${nameShown(String(step))}`,
  );
  return steps.join('').replace(/^\./, '');
}

// A name that is not an ordinary word could be anything, card data and keys too.
function nameShown(name = ''): string {
  return /^(?=.{1,31}$)[$a-z_-]+\d{0,2}$/i.test(name) ? name : 'another';
}
