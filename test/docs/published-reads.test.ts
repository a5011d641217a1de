import {createDecipheriv} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {brotliCompressSync} from 'node:zlib';
import {Ajv} from 'ajv';
import {PUBLISHED_READS, type ReadField, type ReadKey} from 'paylens/samples';
import {describe, expect, it} from 'vitest';
import {initialKeyOf, TDES_MASKS, transactionKeyOf, workingKeyOf} from './tdes-dukpt.js';

/** An address, code that is public (which one, in brackets), or a manual of MagTek by its number. */
const SOURCE = /^(?:https?:|public source code(?: \(.+\))?$|D\d{8,9}, section [\d.]+$)/;
const FILE = 'docs/samples/published-reads.json';
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const FIELDS = PUBLISHED_READS.reads.flatMap(({id, keys, fields = []}) =>
  fields.map((field) => ({id, keys, ...field})),
);

describe('the published reads', () => {
  it('are a file that fits its schema, and small', () => {
    const validate = new Ajv().compile(read('docs/samples/published-reads.schema.json'));
    validate(read(FILE));
    expect(validate.errors).toBe(null);
    expect(brotliCompressSync(readFileSync(FILE)).length).toBeLessThan(50_000);
  });

  it('are the same as a module, which nobody can change', () => {
    const {version, reads} = read(FILE);
    expect(PUBLISHED_READS).toEqual({version, reads});
    const [first] = PUBLISHED_READS.reads;
    expect(() => Object.assign(first as object, {title: ''})).toThrow(TypeError);
  });

  it('have names of their own, sources, pages that exist, and keys', () => {
    const {reads} = PUBLISHED_READS;
    expect(reads.length).toBeGreaterThan(40);
    expect(new Set(reads.map(({id}) => id)).size).toBe(reads.length);
    expect(reads.filter(({page}) => !existsSync(page))).toEqual([]);
    expect(reads.filter(({source}) => !SOURCE.test(source))).toEqual([]);
    expect(reads.filter(({expect: {response}, fields}) => response && !fields?.length)).toEqual([]);
  });

  it.each(FIELDS)('$id, $name: OpenSSL decrypts it', ({keys, ...field}) => {
    expect(decryptedBy(keyFor(field, keys), field)).toBe(field.plaintext);
  });
});

/** TDES DUKPT by OpenSSL: nothing of paylens is used. */
function keyFor(
  {ksn, scheme, variant, selfEncrypted}: ReadField,
  keys: readonly ReadKey[],
): Buffer {
  expect(scheme).toBe('tdes');
  const key = keys.find(({ksnPrefix = ''}) => ksn.startsWith(ksnPrefix));
  const bytes = Buffer.from(key?.hex ?? '', 'hex');
  const serial = Buffer.from(ksn, 'hex');
  const initial = key?.kind === 'ik' ? bytes : initialKeyOf(bytes, serial);
  const mask = TDES_MASKS[variant === 'data' ? 'data-request' : (variant ?? '')];
  return workingKeyOf(transactionKeyOf(initial, serial), mask ?? '', selfEncrypted === true);
}

function decryptedBy(key: Buffer, {cipher, mode, iv, ciphertext}: ReadField): string {
  const name = cipher === 'aes' ? `aes-128-${mode}` : `des-ede3-${mode}`;
  const whole = cipher === 'aes' ? key : Buffer.concat([key, key.subarray(0, 8)]);
  const decipher = createDecipheriv(
    name,
    whole,
    mode === 'cbc' ? Buffer.from(iv ?? '', 'hex') : null,
  );
  return decipher.setAutoPadding(false).update(ciphertext, 'hex', 'hex').toUpperCase();
}
