import {createCipheriv, createHmac, hkdfSync} from 'node:crypto';
import {Decrypter, Encrypter, Stanza} from 'age-encryption';
import {describe, expect, it} from 'vitest';
import {openAgeFile, readAgeFile} from '../../../src/keyfile/age/age-file.js';
import {ALICE} from '../sample-keyfile.js';

const CHUNK = 64 * 1024;
const TAG = 16;

/** A file of the age library, and its file key. */
async function fileOf(plaintext: Uint8Array, ...stanzas: readonly Stanza[]) {
  const encrypter = new Encrypter();
  encrypter.addRecipient(ALICE.recipient);
  encrypter.addRecipient({wrapFileKey: async () => [...stanzas]});
  const bytes = await encrypter.encrypt(plaintext);
  const decrypter = new Decrypter();
  decrypter.addIdentity(ALICE.identity);
  return {bytes, fileKey: await decrypter.decryptHeader(bytes)};
}

const open = (bytes: Uint8Array, fileKey: Uint8Array) => openAgeFile(readAgeFile(bytes), fileKey);

describe('an age file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('of %i bytes is opened', async (size) => {
    const plaintext = Buffer.alloc(size, 'paylens');
    const {bytes, fileKey} = await fileOf(plaintext);
    expect(open(bytes, fileKey).equals(plaintext)).toBe(true);
  });

  it('has stanzas with bodies of any length', async () => {
    const stanzas = [0, 1, 47, 48, 49, 96, 200].map(
      (size) => new Stanza(['x-test', '!~', `${size}`], new Uint8Array(size).fill(size)),
    );
    const {bytes, fileKey} = await fileOf(Buffer.from('x'), ...stanzas);
    const [, ...read] = readAgeFile(bytes).stanzas;
    expect(read.map(({args, body}) => new Stanza([...args], new Uint8Array(body)))).toEqual(
      stanzas,
    );
    expect(open(bytes, fileKey).toString()).toBe('x');
  });

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['ends between two chunks', (bytes) => bytes.subarray(0, bytes.length - CHUNK - TAG)],
    ['ends within a tag', (bytes) => bytes.subarray(0, -1)],
    ...[1, TAG - 1, TAG, TAG + 1].map((size): [string, (bytes: Buffer) => Uint8Array] => [
      `ends ${size} bytes into its last chunk`,
      (bytes) => bytes.subarray(0, bytes.length - CHUNK - TAG + size),
    ]),
    ['has bytes behind it', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['has no payload', (bytes) => bytes.subarray(0, bytes.indexOf('\n--- ') + 49 + 16)],
    ['has no nonce', (bytes) => bytes.subarray(0, bytes.indexOf('\n--- ') + 49)],
    [
      'is of another version',
      (bytes) => changed(bytes, 'age-encryption.org/v1', 'age-encryption.org/v2'),
    ],
    ['has another line end', (bytes) => changed(bytes, 'v1\n', 'v1\r')],
    ['has two blanks in a stanza', (bytes) => changed(bytes, '-> x-test a', '-> x-test  ')],
    ['has a stanza without arguments', (bytes) => changed(bytes, '-> x-test a', '->x-test  a')],
    ['has a padded body', (bytes) => changed(bytes, 'AQ\n', 'A=\n')],
    ['has bits behind a body', (bytes) => changed(bytes, 'AQ\n', 'AR\n')],
    ['has a MAC of another file', (bytes) => changed(bytes, '-> x-test a', '-> x-test b')],
  ])('that %s is refused with 9012', async (_, change) => {
    const stanza = new Stanza(['x-test', 'a'], new Uint8Array([1]));
    const {bytes, fileKey} = await fileOf(Buffer.alloc(2 * CHUNK), stanza);
    const refused = expect.objectContaining({code: 9012});
    expect(() => open(change(Buffer.from(bytes)), fileKey)).toThrow(refused);
  });
});

describe('an age file of somebody who has its file key', () => {
  /** `header` up to its `---`, under a MAC that is right. */
  function sealed(header: string, payload: Buffer, fileKey: Uint8Array): Buffer {
    const macKey = Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32));
    const mac = createHmac('sha256', macKey).update(header).digest('base64').replace('=', '');
    return Buffer.concat([Buffer.from(`${header} ${mac}\n`), payload]);
  }

  function partsOf(bytes: Uint8Array) {
    const at = bytes.indexOf(0x0a, Buffer.from(bytes).indexOf('\n--- ') + 1) + 1;
    const header = Buffer.from(bytes.subarray(0, at))
      .toString('latin1')
      .replace(/ [^ ]*\n$/, '');
    return {header, payload: Buffer.from(bytes.subarray(at))};
  }

  it.each<[string, (header: string) => string]>([
    ['a blank at the end of a stanza', (header) => header.replace('x-test a', 'x-test a ')],
    ['a control character in a stanza', (header) => header.replace('x-test a', 'x-test \u0001')],
    [
      'a character beyond ASCII in a stanza',
      (header) => header.replace('x-test a', 'x-test \u00e9'),
    ],
    ['a body that does not end', (header) => header.replace(/([\w+/]{64})\n\n/, '$1\n')],
    ['a line of 65 characters', (header) => header.replace(/([\w+/]{64})\n\n/, '$1A\n')],
    ['text before its end', (header) => header.replace('\n---', '\nx\n---')],
  ])('is refused with %s', async (_, change) => {
    const stanza = new Stanza(['x-test', 'a'], new Uint8Array(48));
    const {bytes, fileKey} = await fileOf(Buffer.from('x'), stanza);
    const {header, payload} = partsOf(bytes);
    expect(open(sealed(header, payload, fileKey), fileKey).toString()).toBe('x');
    expect(change(header)).not.toBe(header);
    const refused = expect.objectContaining({code: 9012});
    expect(() => open(sealed(change(header), payload, fileKey), fileKey)).toThrow(refused);
  });

  it.each([1, 2])('is refused with an empty chunk behind %i whole ones', async (whole) => {
    const {bytes, fileKey} = await fileOf(Buffer.from('x'));
    const {header, payload} = partsOf(bytes);
    const nonce = payload.subarray(0, 16);
    const key = Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
    const chunk = (index: number, plain: Buffer, isLast: boolean) => {
      const iv = Buffer.from([...Array(10).fill(0), index, isLast ? 1 : 0]);
      const cipher = createCipheriv('chacha20-poly1305', key, iv, {authTagLength: TAG});
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    };
    const made = (...sizes: readonly number[]) => {
      const last = sizes.length - 1;
      const chunks = sizes.map((size, i) => chunk(i, Buffer.alloc(size), i === last));
      return sealed(header, Buffer.concat([nonce, ...chunks]), fileKey);
    };
    const full = Array.from({length: whole}, () => CHUNK);
    expect(open(made(...full, 1), fileKey)).toHaveLength(whole * CHUNK + 1);
    const refused = expect.objectContaining({code: 9012});
    expect(() => open(made(...full, 0), fileKey)).toThrow(refused);
  });
});

function changed(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from, 0, 'latin1');
  expect([at >= 0, to.length]).toEqual([true, from.length]);
  bytes.write(to, at, 'latin1');
  return bytes;
}
