import {Encrypter, Stanza} from 'age-encryption';
import {describe, expect, it} from 'vitest';
import {readAgeHeader} from '../../../src/keyfile/age/age-header.js';
import {openKeyfile} from '../../../src/keyfile/open-keyfile.js';
import {ALICE, byIdentity, byPassphrase} from '../sample-keyfile.js';

const CHUNK = 64 * 1024;
const TAG = 16;

/** A keyfile of `size` bytes for Alice, with these stanzas after hers. */
async function fileOf(size: number, ...stanzas: readonly Stanza[]): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(ALICE.recipient);
  encrypter.addRecipient({wrapFileKey: async () => [...stanzas]});
  const json = '{"version":1,"keys":[]}';
  return Buffer.from(await encrypter.encrypt(json.padEnd(size, ' ')));
}

const open = (bytes: Uint8Array) => openKeyfile(bytes, byIdentity(ALICE.identity));

describe('an age file', () => {
  it.each([23, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('of %i bytes is opened', async (size) => {
    expect((await open(await fileOf(size))).keyfile.keys).toEqual([]);
  });

  it('may have stanzas of other types with bodies of any length', async () => {
    const stanzas = [0, 1, 47, 48, 49, 96, 200].map(
      (size) => new Stanza(['x-test', '!~', `${size}`], new Uint8Array(size).fill(size)),
    );
    const bytes = await fileOf(23, ...stanzas);
    expect(readAgeHeader(bytes)).toEqual({recipients: 8});
    expect((await open(bytes)).keyfile.keys).toEqual([]);
  });

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['ends between two chunks', (bytes) => bytes.subarray(0, bytes.length - CHUNK - TAG)],
    ['ends within a tag', (bytes) => bytes.subarray(0, -1)],
    ...[1, TAG - 1, TAG, TAG + 1].map((size): [string, (bytes: Buffer) => Uint8Array] => [
      `ends ${size} bytes into its last chunk`,
      (bytes) => bytes.subarray(0, bytes.length - CHUNK - TAG + size),
    ]),
    ['has bytes after its end', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
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
    ['has unused bits in a body', (bytes) => changed(bytes, 'AQ\n', 'AR\n')],
    ['has a MAC of another file', (bytes) => changed(bytes, '-> x-test a', '-> x-test b')],
  ])('that %s is refused with 9012', async (_, change) => {
    const bytes = await fileOf(2 * CHUNK, new Stanza(['x-test', 'a'], new Uint8Array([1])));
    await open(bytes);
    await expect(open(change(bytes))).rejects.toMatchObject({code: 9012});
  });
});

describe('the header of an age file', () => {
  const stanzas = (count: number) =>
    Array.from({length: count}, () => new Stanza(['x-test', 'a'.repeat(50)], new Uint8Array(32)));

  it('may have 600 recipients', async () => {
    const bytes = await fileOf(23, ...stanzas(600));
    expect((await open(bytes)).keyfile.keys).toEqual([]);
  });

  it.each([
    ['700 recipients', async () => fileOf(23, ...stanzas(700))],
    ['no end', async () => Buffer.from(`age-encryption.org/v1\n${'-> x\n\n'.repeat(200_000)}`)],
    ['one long line', async () => Buffer.from(`age-encryption.org/v1\n-> ${'x'.repeat(1e6)}`)],
  ])('is refused above 64 KiB: %s', async (_, make) => {
    const detail = 'its header is longer than 65536 bytes';
    const bytes = await make();
    await expect(open(bytes)).rejects.toMatchObject({code: 9012, detail});
    await expect(openKeyfile(bytes, byPassphrase())).rejects.toMatchObject({code: 9012, detail});
  });
});

function changed(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from, 0, 'latin1');
  expect([at >= 0, to.length]).toEqual([true, from.length]);
  bytes.write(to, at, 'latin1');
  return bytes;
}
