/**
 * A case of `diagnose` as a zod schema, from which its JSON Schema is made; case.ts reads it by hand,
 * since zod is slow to import.
 */
import {z} from 'zod';
import {processPayloadRequest} from '../contract/interface-schema.js';
import {TERMINAL_TYPES} from '../engine/families/registry.js';
import {KINDS, MAX_CIPHERTEXTS, MAX_KEYS} from './case.js';

const expected = z
  .string()
  .describe('The plaintext or its beginning, if you know it: hex or text.')
  .optional();

const SEPARATOR = '(?:[\\s:,\\-_"\']|0[xX])*';

const ciphertext = z
  .strictObject({
    name: z.string().optional(),
    hex: z.string().min(1).optional(),
    value: z.string().min(1).describe('The same as hex.').optional(),
    expected,
  })
  .meta({anyOf: [{required: ['hex']}, {required: ['value']}]});

const key = z.strictObject({
  kind: z.enum(KINDS).describe('What you think the key is; other roles are also tried.').optional(),
  hex: z.string().meta({
    pattern: `^${SEPARATOR}(?:[0-9A-Fa-f]${SEPARATOR}){14,130}$`,
    description: 'The key; digits may be missing or wrong.',
  }),
});

/** What `diagnose` reads from a file: whatever is known of a payload that does not decrypt. */
export const diagnoseCase = processPayloadRequest
  .partial()
  .extend({
    $schema: z.string().describe('The JSON Schema of this file.').optional(),
    deviceType: z.enum(TERMINAL_TYPES).describe('Type of terminal, if it is known.').optional(),
    payload: z.string().describe('The same as devicePayload.').optional(),
    ciphertexts: z.array(ciphertext).max(MAX_CIPHERTEXTS).optional(),
    keys: z.array(key).max(MAX_KEYS).optional(),
    pan: z.string().describe('The card number, if you know it: it proves a result.').optional(),
    expected,
  })
  .strict()
  .meta({
    title: 'Diagnosis case',
    description: 'Input of `paylens diagnose`, as is the body of a process-payload request.',
    anyOf: ['deviceType', 'devicePayload', 'payload', 'ciphertexts', 'keys'].map((member) => ({
      required: [member],
    })),
  });
