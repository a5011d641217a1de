import {createCipheriv, createDecipheriv} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {brotliCompressSync} from 'node:zlib';
import {Ajv} from 'ajv';
import {PUBLISHED_READS, type ReadField, type ReadKey} from 'paylens/samples';
import {describe, expect, it} from 'vitest';

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

/** TDES DUKPT as ANSI X9.24-1:2009 describes it, by OpenSSL: nothing of paylens is used. */
function keyFor(
  {ksn, scheme, variant, selfEncrypted}: ReadField,
  keys: readonly ReadKey[],
): Buffer {
  expect(scheme).toBe('tdes');
  const mask = VARIANT_MASKS[variant ?? ''];
  const key = keys.find(({ksnPrefix = ''}) => ksn.startsWith(ksnPrefix));
  const bytes = Buffer.from(key?.hex ?? '', 'hex');
  const serial = Buffer.from(ksn, 'hex');
  const initial = key?.kind === 'ik' ? bytes : initialKey(bytes, serial);
  const working = xor(transactionKey(initial, serial), Buffer.from(`${mask}${mask}`, 'hex'));
  return selfEncrypted
    ? Buffer.concat([tdes(working, working.subarray(0, 8)), tdes(working, working.subarray(8))])
    : working;
}

/** Each half of a key is XORed with it; MagTek readers use the PIN variant, hosts of nexo the third. */
const VARIANT_MASKS: Readonly<Record<string, string>> = {
  data: '0000000000FF0000',
  pin: '00000000000000FF',
  'data-response': '000000FF00000000',
};
const KEY_MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');

function initialKey(bdk: Buffer, ksn: Buffer): Buffer {
  const device = Buffer.from(ksn.subarray(0, 8));
  device.writeUInt8(device.readUInt8(7) & 0xe0, 7);
  return Buffer.concat([tdes(bdk, device), tdes(xor(bdk, KEY_MASK), device)]);
}

function transactionKey(initial: Buffer, ksn: Buffer): Buffer {
  const counter = ksn.readUIntBE(7, 3) & 0x1fffff;
  const register = Buffer.from(ksn.subarray(2));
  register.writeUIntBE(register.readUIntBE(5, 3) & ~0x1fffff & 0xffffff, 5, 3);
  let key = initial;
  for (let bit = 0x100000; bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue;
    register.writeUIntBE(register.readUIntBE(5, 3) | bit, 5, 3);
    key = Buffer.concat([half(xor(key, KEY_MASK), register), half(key, register)]);
  }
  return key;
}

/** The non-reversible step: XOR with the right half, DES under the left half, XOR again. */
function half(key: Buffer, register: Buffer): Buffer {
  const [left, right] = [key.subarray(0, 8), key.subarray(8)];
  return xor(tdes(Buffer.concat([left, left]), xor(register, right)), right);
}

function tdes(key: Buffer, block: Buffer): Buffer {
  const whole = Buffer.concat([key, key.subarray(0, 8)]);
  return createCipheriv('des-ede3-ecb', whole, null).setAutoPadding(false).update(block);
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ b.readUInt8(i)));
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
