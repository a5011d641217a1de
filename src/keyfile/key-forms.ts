/**
 * Keys in JSON, as zod schemas: in the keyfile, in `key import`. zod is slow to import: import this
 * module where a file is read, never on the way of a command.
 */
import {z} from 'zod';
import {AUTH_METHODS, SHARED_KEY_ENCODINGS} from '../contract/auth-method.js';
import {unknownMember} from '../files/schema-faults.js';
import {KEYFILE_VERSION} from './keyfile.js';
import {KEY_ALGORITHMS, KEY_KINDS, type KeyKind} from './keys/key-entry.js';

const name = z
  .string()
  .meta({minLength: 1, maxLength: 100, description: 'What messages call the key.'})
  .optional();
const ksnPrefix = z
  .string()
  .meta({
    pattern: digits('{2,24}'),
    description: 'The KSNs that the key serves begin with these hex digits.',
  })
  .optional();
const compatibility = z
  .boolean()
  .describe('An AES key that also serves KSNs of 10 bytes (X9.24-3, KSN compatibility mode).')
  .optional();

const KEY = {
  name,
  kind: z
    .enum(KEY_KINDS)
    .describe(
      'Base derivation key, initial key of one device, cipher key itself, or key block protection key.',
    ),
  algorithm: z
    .enum(KEY_ALGORITHMS)
    .describe('Without it, a key of 16 bytes serves TDES and AES KSNs alike.')
    .optional(),
  hex: z.string().meta({
    pattern: digits('{16}', '{32}', '{48}', '{64}'),
    description: 'The clear key: 16, 24 or 32 bytes; 8 for single DES.',
  }),
  ksnPrefix,
  compatibility,
};

/** What depends on the kind, for the JSON Schema; key-entry.ts checks the same with its own messages. */
const HEX = {type: 'string', pattern: digits('{32}', '{48}', '{64}')};
const NOT_SET = {type: 'boolean', const: false};
const BY_KIND = [
  ofKind('ik', {required: ['ksnPrefix'], hex: HEX, ksnPrefix: prefix('{14,16}', '{20}', '{24}')}),
  ofKind('bdk', {hex: HEX, ksnPrefix: prefix('{2,16}')}),
  ofKind('working', {ksnPrefix: prefix('{2,16}', '{20}', '{24}'), compatibility: NOT_SET}),
  ofKind('kbpk', {hex: HEX, ksnPrefix: false, compatibility: NOT_SET}),
];

function ofKind(kind: KeyKind, {required = [] as string[], ...properties}) {
  const consequence = {type: 'object', required, properties};
  const condition = {type: 'object', properties: {kind: {const: kind}}};
  return Object.fromEntries([
    ['if', condition],
    ['then', consequence],
  ]);
}

/** Hex digits, between which there may be blanks, in one of the numbers. */
function digits(...numbers: string[]): string {
  return `^\\s*(?:${numbers.map((number) => `(?:[0-9A-Fa-f]\\s*)${number}`).join('|')})$`;
}

function prefix(...numbers: string[]) {
  return {type: 'string', pattern: digits(...numbers)};
}

/** One key: no member but the known ones, so that a misspelt prefix is not lost. */
export const keyForm = z
  .strictObject(KEY, {error: unknownMember(KEY)})
  .meta({id: 'key', title: 'Clear key', allOf: BY_KIND});

const BLOCK = {
  name,
  keyBlock: z.string().describe('A key block: TR-31, ANSI X9.143, versions A to D.'),
  ksnPrefix,
  compatibility,
  kbpk: z
    .string()
    .describe('The name of the key in the keyfile that protects this block.')
    .optional(),
};

/** One key that comes as a key block. */
export const keyBlockForm = z
  .strictObject(BLOCK, {error: unknownMember(BLOCK)})
  .meta({id: 'keyBlock', title: 'Key block'});

const LIST = {
  $schema: z.string().describe('The JSON Schema of this file.').optional(),
  keys: z.array(z.unknown()),
};

/** An import that names its schema; `keys` are checked one by one. */
export const keyList = z.strictObject(LIST, {error: unknownMember(LIST)});

const keys = z.array(z.union([keyForm, keyBlockForm]));

/** A whole file of `key import`. */
export const keyImport = z
  .union([keys, keyList.extend({keys})])
  .meta({title: 'Keys to import', description: 'Input of `paylens key import`.'});

const partner = z.looseObject({
  partnerId: z.string().min(1),
  partnerKey: z.string().optional(),
  sharedKey: z.string().optional(),
  encoding: z.enum(SHARED_KEY_ENCODINGS).optional(),
  rsaPublicKey: z.string().optional(),
  methods: z.array(z.enum(AUTH_METHODS)).optional(),
});

/** The JSON inside a keyfile; `keys` are checked one by one. Unknown members pass through. */
export const keyfileForm = z.looseObject({
  version: z.literal(KEYFILE_VERSION),
  created: z.string().optional(),
  keys: z.array(z.unknown()).default([]),
  partners: z.array(partner).default([]),
  recipients: z.array(z.string()).default([]),
});
