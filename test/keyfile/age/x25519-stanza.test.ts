import {randomBytes} from 'node:crypto';
import {
  Decrypter,
  Encrypter,
  generateX25519Identity,
  identityToRecipient,
  Stanza,
} from 'age-encryption';
import {describe, expect, it} from 'vitest';
import {encryptKeyfile} from '../../../src/keyfile/encrypt-keyfile.js';
import {openKeyfile} from '../../../src/keyfile/open-keyfile.js';
import {ALICE, BOB, byIdentity, recipientEncryption, sampleKeyfile} from '../sample-keyfile.js';

const EMPTY = '{"version":1,"keys":[]}';
/** The share that everybody has; a file of this one recipient would open to all. */
const LOW_ORDER = Buffer.alloc(32);

/** A file of the age library with these stanzas in front of Alice's. */
async function fileWith(...stanzas: readonly Stanza[]): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient({wrapFileKey: async () => [...stanzas]});
  encrypter.addRecipient(ALICE.recipient);
  return encrypter.encrypt(EMPTY);
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

describe('a keyfile of many recipients', () => {
  const others = Array.from({length: 200}, generateX25519Identity);

  it('of the age library is opened by the last of them', async () => {
    const encrypter = new Encrypter();
    for (const other of others) encrypter.addRecipient(await identityToRecipient(await other));
    encrypter.addRecipient(ALICE.recipient);
    const bytes = await encrypter.encrypt(EMPTY);
    const {keyfile} = await openKeyfile(bytes, byIdentity(BOB.identity, ALICE.identity));
    expect(keyfile.keys).toEqual([]);
    await expect(openKeyfile(bytes, byIdentity(BOB.identity))).rejects.toMatchObject({code: 9011});
  });

  it('is opened by the age library, whoever of them it is', async () => {
    const recipients = await Promise.all(others.map(async (one) => identityToRecipient(await one)));
    const bytes = await encryptKeyfile(sampleKeyfile(), recipientEncryption(...recipients));
    for (const at of [0, 1, 100, 199]) {
      const decrypter = new Decrypter();
      decrypter.addIdentity((await others[at]) ?? '');
      const {keys} = JSON.parse(await decrypter.decrypt(bytes, 'text'));
      expect(keys).toHaveLength(1);
    }
  });
});

describe('an X25519 stanza', () => {
  const share = randomBytes(32);
  const body = randomBytes(32);

  it.each<[string, Stanza]>([
    ['without a share', new Stanza(['X25519'], body)],
    ['with one argument more', new Stanza(['X25519', base64(share), 'x'], body)],
    ['with a padded share', new Stanza(['X25519', share.toString('base64')], body)],
    ['with a share of 31 bytes', new Stanza(['X25519', base64(share.subarray(1))], body)],
    ['with a share of 33 bytes', new Stanza(['X25519', base64(Buffer.alloc(33, 1))], body)],
    ['with a share that is not base64', new Stanza(['X25519', `!${base64(share).slice(1)}`], body)],
    [
      'with bits behind its share',
      new Stanza(['X25519', `${base64(Buffer.alloc(32, 1)).slice(0, -1)}F`], body),
    ],
    ['with a body of 31 bytes', new Stanza(['X25519', base64(share)], body.subarray(1))],
    ['with a body of 33 bytes', new Stanza(['X25519', base64(share)], Buffer.alloc(33))],
    ['with a share of low order', new Stanza(['X25519', base64(LOW_ORDER)], body)],
  ])('%s is refused with 9012', async (_, stanza) => {
    const bytes = await fileWith(stanza);
    await expect(openKeyfile(bytes, byIdentity(ALICE.identity))).rejects.toMatchObject({
      code: 9012,
    });
  });

  it('of somebody else, and one of another kind, are passed over', async () => {
    const stanzas = [
      new Stanza(['X25519', base64(share)], body),
      new Stanza(['x-other', 'x'], new Uint8Array(3)),
    ];
    const {keyfile} = await openKeyfile(await fileWith(...stanzas), byIdentity(ALICE.identity));
    expect(keyfile.keys).toEqual([]);
  });
});

describe('an identity or a recipient', () => {
  const changed = (text: string) => `${text.slice(0, -1)}${/q$/i.test(text) ? 'p' : 'q'}`;

  it.each([
    ['with a wrong checksum', changed(ALICE.identity.toLowerCase()).toUpperCase()],
    ['that is a recipient', ALICE.recipient],
    ['of a post-quantum kind', 'AGE-SECRET-KEY-PQ-1QQQQ'],
    ['in lower case', ALICE.identity.toLowerCase()],
    ['that is cut short', ALICE.identity.slice(0, -1)],
    ['that is empty', ''],
  ])('%s opens nothing: 9011', async (_, identity) => {
    const bytes = await fileWith();
    await expect(openKeyfile(bytes, byIdentity(identity))).rejects.toMatchObject({code: 9011});
  });

  it.each([
    ['with a wrong checksum', changed(ALICE.recipient)],
    ['that is an identity', ALICE.identity],
    ['that is cut short', ALICE.recipient.slice(0, -1)],
    ['of a post-quantum kind', 'age1pq1qqqq'],
    ['of a hardware key', `age1tag1${'q'.repeat(54)}`],
    ['in upper case', ALICE.recipient.toUpperCase()],
    ['that is empty', ''],
  ])('%s is not encrypted for: 9001', async (_, recipient) => {
    const encrypted = encryptKeyfile(sampleKeyfile(), recipientEncryption(recipient));
    await expect(encrypted).rejects.toMatchObject({code: 9001});
  });
});
