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

function changed(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from, 0, 'latin1');
  expect([at >= 0, to.length]).toEqual([true, from.length]);
  bytes.write(to, at, 'latin1');
  return bytes;
}
