import {inspect} from 'node:util';
import {armor, Encrypter, Stanza} from 'age-encryption';
import {beforeAll, describe, expect, it} from 'vitest';
import type {PaylensError} from '../../src/contract/paylens-error.js';
import {encryptKeyfile} from '../../src/keyfile/encrypt-keyfile.js';
import {needsPassphrase, openKeyfile, type Unlock} from '../../src/keyfile/open-keyfile.js';
import {
  ALICE,
  BOB,
  byIdentity,
  byPassphrase,
  PASSPHRASE,
  passphraseEncryption,
  recipientEncryption,
  sampleKeyfile,
  TEST_BDK,
} from './sample-keyfile.js';

let byPassphraseBytes: Uint8Array;
let forAlice: Uint8Array;
beforeAll(async () => {
  byPassphraseBytes = await encryptKeyfile(sampleKeyfile(), passphraseEncryption());
  forAlice = await encryptKeyfile(sampleKeyfile(), recipientEncryption(ALICE.recipient));
});

describe('openKeyfile', () => {
  it('gives back what was encrypted under a passphrase', async () => {
    const {keyfile} = await openKeyfile(byPassphraseBytes, byPassphrase());
    expect(keyfile).toEqual(sampleKeyfile());
  });

  it('gives back what was encrypted for a recipient, with that recipient', async () => {
    const {keyfile, encryption} = await openKeyfile(
      forAlice,
      byIdentity(BOB.identity, ALICE.identity),
    );
    expect(keyfile).toEqual({...sampleKeyfile(), recipients: [ALICE.recipient]});
    expect(encryption).toEqual(recipientEncryption(ALICE.recipient));
  });

  it('asks for no passphrase when the file is for recipients', async () => {
    expect(needsPassphrase(forAlice)).toBe(false);
    expect(needsPassphrase(byPassphraseBytes)).toBe(true);
  });

  it.each(['\n', '\r\n'])('sees through armor with lines that end in %j', (end) => {
    const armored = (bytes: Uint8Array) =>
      Buffer.from(armor.encode(bytes).replaceAll('\n', end), 'latin1');
    expect(needsPassphrase(armored(byPassphraseBytes))).toBe(true);
    expect(needsPassphrase(armored(forAlice))).toBe(false);
  });

  it.each([
    ['nothing', '', 'an empty file'],
    ['a text', 'hello', 'other content'],
    ['a key block', 'B0080B0TX00E0000', 'other content'],
  ])('takes %s for no keyfile', async (_, text, found) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(needsPassphrase(bytes)).toBe(false);
    const detail = `expected age-encryption.org/v1 at byte 0, found ${found}`;
    expect(await failure(bytes, byPassphrase())).toMatchObject({code: 9012, detail});
  });

  it.each([
    ['another passphrase', () => byPassphraseBytes, byPassphrase('correct horse')],
    ['an empty passphrase', () => byPassphraseBytes, byPassphrase('')],
    ['another identity', () => forAlice, byIdentity(BOB.identity)],
    ['no identity', () => forAlice, byIdentity()],
  ])('refuses %s with 9011', async (_, bytes, unlock) => {
    expect(await failure(bytes(), unlock)).toMatchObject({code: 9011});
  });

  it('answers each of 100 wrong passphrases alike, and then opens to the right one', async () => {
    const said = new Set<string>();
    for (let guess = 0; guess < 100; guess++) {
      said.add((await failure(byPassphraseBytes, byPassphrase(`guess ${guess}`))).message);
    }
    expect([...said]).toEqual(['Wrong passphrase or identity: the passphrase does not decrypt it']);
    const {keyfile} = await openKeyfile(byPassphraseBytes, byPassphrase());
    expect(keyfile).toEqual(sampleKeyfile());
  });

  it('refuses a newer version with 9013', async () => {
    const bytes = await encryptedJson({version: 2, keys: 'in another form'});
    expect(await failure(bytes)).toMatchObject({code: 9013});
  });

  it.each([
    ['no JSON', 'not json'],
    ['an array', '[]'],
    ['no version', '{"keys":[]}'],
    ['a version that is text', '{"version":"1"}'],
    ['keys that are no array', '{"version":1,"keys":{}}'],
    ['a partner without partnerId', '{"version":1,"partners":[{}]}'],
    [
      'a method that does not exist',
      '{"version":1,"partners":[{"partnerId":"A","methods":["x"]}]}',
    ],
    [
      'an encoding that does not exist',
      '{"version":1,"partners":[{"partnerId":"A","encoding":"x"}]}',
    ],
    ['an empty content', ''],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('refuses %s inside with 9012', async (_, content) => {
    expect(await failure(await encrypted(content))).toMatchObject({code: 9012});
  });

  it('says of content that is no JSON at which place, not what it is', async () => {
    const detail = expect.stringMatching(/^the decrypted content is not JSON: .*line 1, column 1/);
    expect(await failure(await encrypted('sesame'))).toMatchObject({code: 9012, detail});
  });

  it('refuses a key inside that is not usable with 9015, without its bytes', async () => {
    const bytes = await encryptedJson({version: 1, keys: [{kind: 'bdk', hex: TEST_BDK.slice(2)}]});
    const error = await failure(bytes);
    expect(error.message).toBe(
      'Invalid key: key 1: hex: expected 16, 24 or 32 bytes for a bdk, found 15',
    );
  });

  it('keeps partners and members that it does not know', async () => {
    const partner = {partnerId: 'WATERFORD', partnerKey: 'k', later: {a: 1}};
    const bytes = await encryptedJson({version: 1, partners: [partner], comment: 'mine'});
    const {keyfile, encryption} = await openKeyfile(bytes, byPassphrase());
    const again = await openKeyfile(await encryptKeyfile(keyfile, encryption), byPassphrase());
    expect(again.keyfile).toMatchObject({
      partners: [{partnerId: 'WATERFORD', unknown: {later: {a: 1}}}],
      unknown: {comment: 'mine'},
    });
    expect(Buffer.from(again.keyfile.partners[0]?.partnerKey?.reveal() ?? '').toString()).toBe('k');
  });

  it('shows no key of a partner when it is printed', async () => {
    const partner = {partnerId: 'WATERFORD', partnerKey: 'first key', sharedKey: 'second key'};
    const {keyfile} = await openKeyfile(
      await encryptedJson({version: 1, partners: [partner]}),
      byPassphrase(),
    );
    const shown = inspect(keyfile, {depth: 9, showHidden: true}) + JSON.stringify(keyfile);
    expect(shown).not.toMatch(/first key|second key/);
  });

  it('refuses two partners of one id with 9015', async () => {
    const bytes = await encryptedJson({version: 1, partners: [{partnerId: 'A'}, {partnerId: 'A'}]});
    expect(await failure(bytes)).toMatchObject({code: 9015});
  });

  it('refuses a scrypt stanza beside another with 9012, whoever opens it', async () => {
    const bytes = await encrypted('{"version":1}', async (encrypter) => {
      encrypter.addRecipient({wrapFileKey: async () => [scryptStanza('10')]});
      encrypter.addRecipient(ALICE.recipient);
    });
    expect(await failure(bytes, byPassphrase())).toMatchObject({code: 9012});
    expect(await failure(bytes, byIdentity(ALICE.identity))).toMatchObject({code: 9012});
  });

  it.each(['23', '64', '0', '010', '1e1', '-1', ''])(
    'refuses the work factor "%s" with 9012 before it asks for a passphrase',
    async (factor) => {
      const bytes = await encrypted('{"version":1}', async (encrypter) => {
        encrypter.addRecipient({wrapFileKey: async () => [scryptStanza(factor)]});
      });
      expect(await failure(bytes, byIdentity())).toMatchObject({code: 9012});
    },
  );

  it.each([
    '',
    'AAAA',
    'AAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAA=',
  ])('refuses the salt "%s" with 9012 before it asks for a passphrase', async (salt) => {
    const bytes = await encrypted('{"version":1}', async (encrypter) => {
      encrypter.addRecipient({wrapFileKey: async () => [scryptStanza('10', salt)]});
    });
    expect(await failure(bytes, byIdentity())).toMatchObject({code: 9012});
  });

  it('tells identities that do not fit from none at all', async () => {
    const [one, two, none] = await Promise.all(
      [byIdentity(BOB.identity), byIdentity(BOB.identity, BOB.identity), byIdentity()].map(
        (unlock) => failure(forAlice, unlock),
      ),
    );
    expect(one?.detail).toBe(two?.detail);
    expect(none?.detail).not.toBe(one?.detail);
    expect(one?.hint).not.toContain('--identity');
    expect(none?.hint).toContain('--identity');
  });

  it('refuses a file that is no age file with 9012', async () => {
    expect(await failure(Buffer.from('{"version":1}'))).toMatchObject({code: 9012});
    expect((await failure(new Uint8Array())).message).toContain('found an empty file');
  });

  it('answers 9011 or 9012 when cut at any length', async () => {
    for (let length = 0; length < byPassphraseBytes.length; length++) {
      const {code} = await failure(byPassphraseBytes.subarray(0, length));
      expect([length, code]).toEqual([length, 9012]);
    }
  });

  it.each([0x01, 0x20, 0x80, 0xff])(
    'answers 9011 or 9012 when any byte is XORed with %i',
    async (mask) => {
      for (let at = 0; at < byPassphraseBytes.length; at++) {
        const bytes = Uint8Array.from(byPassphraseBytes);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        expect([9011, 9012]).toContain((await failure(bytes)).code);
      }
    },
  );

  it('answers 9011 or 9012 when any byte of a file for recipients is flipped', async () => {
    for (let at = 0; at < forAlice.length; at++) {
      const bytes = Uint8Array.from(forAlice);
      bytes[at] = (bytes[at] ?? 0) ^ 0x01;
      expect([9011, 9012]).toContain((await failure(bytes, byIdentity(ALICE.identity))).code);
    }
  });

  it('never shows the passphrase or the key in an error', async () => {
    const error = await failure(byPassphraseBytes, byPassphrase('s3cret-guess'));
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('s3cret-guess');
    const bad = await failure(await encrypted(`{"version":1,"keys":[{"hex":"${TEST_BDK}"`));
    expect([bad.stack, String(bad.cause)].join()).not.toContain(TEST_BDK.slice(0, 8));
  });
});

async function failure(bytes: Uint8Array, unlock: Unlock = byPassphrase()): Promise<PaylensError> {
  const outcome = await openKeyfile(bytes, unlock).catch((error: PaylensError) => error);
  if (!('code' in outcome)) throw new Error('expected a failure, found an opened keyfile');
  return outcome;
}

function encryptedJson(value: unknown): Promise<Uint8Array> {
  return encrypted(JSON.stringify(value));
}

/** Encrypts any content with the age library itself, by default under the test passphrase. */
async function encrypted(
  content: string | Uint8Array,
  addRecipients = async (encrypter: Encrypter) => {
    encrypter.setPassphrase(PASSPHRASE);
    encrypter.setScryptWorkFactor(4);
  },
): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  await addRecipients(encrypter);
  return encrypter.encrypt(content);
}

function scryptStanza(factor: string, salt = 'AAAAAAAAAAAAAAAAAAAAAA'): Stanza {
  return new Stanza(['scrypt', salt, factor], new Uint8Array(32));
}
