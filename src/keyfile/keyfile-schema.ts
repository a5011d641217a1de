import {AUTH_METHODS, SHARED_KEY_ENCODINGS} from '../contract/auth-method.js';
import type {KeyBlockForm} from './key-blocks/key-block-form.js';
import {KEYFILE_VERSION} from './keyfile.js';
import {KEY_ALGORITHMS, KEY_KINDS, type KeyForm} from './keys/key-entry.js';
import type {PartnerForm} from './partner-entry.js';

/** Where a value differs from its schema (`keys[2].hex`, empty at the top), and how. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

type Parsed<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly issues: readonly SchemaIssue[]};

/** A key in JSON form that was held against its schema. */
export type ParsedKey = Parsed<KeyForm>;

type Parse<T> = (value: unknown) => Parsed<T>;

/** The JSON inside a keyfile; `keys` are checked one by one with `keyFormSchema`. */
interface KeyfileForm {
  readonly version: typeof KEYFILE_VERSION;
  readonly created?: string | undefined;
  readonly keys: readonly unknown[];
  readonly partners: readonly PartnerForm[];
  readonly recipients: readonly string[];
  readonly [member: string]: unknown;
}

/** The check of one key: no member but the known ones, so that a misspelt prefix is not lost. */
export async function keyFormSchema(): Promise<Parse<KeyForm>> {
  const {z} = await import('zod');
  const schema = z.strictObject({
    name: z.string().optional(),
    kind: z.enum(KEY_KINDS),
    algorithm: z.enum(KEY_ALGORITHMS).optional(),
    hex: z.string(),
    ksnPrefix: z.string().optional(),
    compatibility: z.boolean().optional(),
  });
  return (value) => outcome(schema.safeParse(value));
}

/** The check of a key that comes as a key block. */
export async function keyBlockFormSchema(): Promise<Parse<KeyBlockForm>> {
  const {z} = await import('zod');
  const schema = z.strictObject({
    name: z.string().optional(),
    keyBlock: z.string(),
    ksnPrefix: z.string().optional(),
    compatibility: z.boolean().optional(),
    kbpk: z.string().optional(),
  });
  return (value) => outcome(schema.safeParse(value));
}

/** The check of a keyfile. Members that it does not know pass through. */
export async function keyfileSchema(): Promise<Parse<KeyfileForm>> {
  const {z} = await import('zod');
  const partner = z.looseObject({
    partnerId: z.string().min(1),
    partnerKey: z.string().optional(),
    sharedKey: z.string().optional(),
    encoding: z.enum(SHARED_KEY_ENCODINGS).optional(),
    rsaPublicKey: z.string().optional(),
    methods: z.array(z.enum(AUTH_METHODS)).optional(),
  });
  const schema = z.looseObject({
    version: z.literal(KEYFILE_VERSION),
    created: z.string().optional(),
    keys: z.array(z.unknown()).default([]),
    partners: z.array(partner).default([]),
    recipients: z.array(z.string()).default([]),
  });
  return (value) => outcome(schema.safeParse(value));
}

/** The differences in one line, each after `where` and its path. */
export function describeIssues(issues: readonly SchemaIssue[], where: string): string {
  return issues
    .map(({path, message}) => [where, path, message].filter(Boolean).join(': '))
    .join('; ');
}

interface ZodOutcome<T> {
  readonly success: boolean;
  readonly data?: T | undefined;
  readonly error?:
    | {readonly issues: readonly {path: readonly PropertyKey[]; message: string}[]}
    | undefined;
}

function outcome<T>({data, error}: ZodOutcome<T>): Parsed<T> {
  if (!error) return {ok: true, value: data as T};
  return {
    ok: false,
    issues: error.issues.map(({path, message}) => ({path: pathOf(path), message})),
  };
}

function pathOf(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '');
}
