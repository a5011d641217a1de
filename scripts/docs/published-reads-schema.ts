import {z} from 'zod';
import type {PublishedReads} from '../../src/library/published-read.js';

const hex = z.string().regex(/^(?:[0-9A-F]{2})+$/);
const ksn = z.string().regex(/^(?:[0-9A-F]{20}|[0-9A-F]{24})$/);

const readKey = z.strictObject({
  kind: z.enum(['bdk', 'ik']).describe('a base derivation key, or the initial key of the device'),
  hex: hex.describe('16 bytes for TDES; 16, 24 or 32 for AES'),
  ksnPrefix: z
    .string()
    .regex(/^[0-9A-F]+$/)
    .describe('the KSNs that it serves begin like this')
    .optional(),
});

const readField = z.strictObject({
  name: z.string(),
  ksn: ksn.describe('20 digits for TDES DUKPT, 24 for AES DUKPT'),
  scheme: z.enum(['tdes', 'aes']).describe('the DUKPT that derives the key'),
  variant: z.string().describe('TDES DUKPT: the variant of the transaction key').optional(),
  selfEncrypted: z
    .boolean()
    .describe('TDES DUKPT: whether the variant was then encrypted under itself')
    .optional(),
  usage: z.string().describe('AES DUKPT: the key usage of the working key').optional(),
  cipher: z.enum(['tdes', 'aes']).describe('the cipher that the derived key is used with'),
  mode: z.enum(['cbc', 'ecb']),
  iv: hex.describe('one cipher block; only for CBC').optional(),
  ciphertext: hex,
  plaintext: hex.describe('as long as the ciphertext: padding is part of it'),
});

const read = z.strictObject({
  id: z.string().describe('unique, and never given to another read'),
  title: z.string(),
  source: z
    .string()
    .describe('where it was published: addresses separated by spaces, or `public source code`'),
  evidence: z
    .enum(['published-plaintext', 'embedded-hash', 'structure', 'frame-only'])
    .describe('how sure it is: docs/library.md#samples'),
  page: z.string().describe('the page of the package that says how it was checked'),
  deviceType: z.string(),
  devicePayload: z
    .string()
    .describe('as the terminal sent it: hex or text; binary as one character per byte'),
  ksn: z.string().describe('what the payload does not hold itself').optional(),
  iv: z.string().optional(),
  deviceSerial: z.string().optional(),
  keys: z.array(readKey),
  expect: z
    .strictObject({
      response: z.record(z.string(), z.unknown()).optional(),
      errCode: z.int().optional(),
    })
    .describe('members that the response must have, others are free; or the code of the error'),
  fields: z
    .array(readField)
    .describe('of reads that decrypt: test vectors of DUKPT without any framing')
    .optional(),
});

const publishedReads = z.strictObject({
  $schema: z.string(),
  version: z.string().describe('semantic version of the reads'),
  reads: z.array(read),
});

/** The JSON Schema of the file, draft 7. */
export function publishedReadsSchema(): object {
  return z.toJSONSchema(publishedReads, {target: 'draft-7'});
}

/** The text of the file. Throws if the reads do not fit the schema. */
export function publishedReadsText(reads: PublishedReads): string {
  const file = {$schema: './published-reads.schema.json', ...reads};
  return `${JSON.stringify(publishedReads.parse(file), null, 1)}\n`;
}
