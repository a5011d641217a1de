import {scryptSync} from 'node:crypto';
import {createRequire, syncBuiltinESMExports} from 'node:module';
import {Decrypter} from 'age-encryption';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {encryptKeyfile} from '../../../src/keyfile/encrypt-keyfile.js';
import {openKeyfile} from '../../../src/keyfile/open-keyfile.js';
import {
  ALICE,
  byIdentity,
  byPassphrase,
  PASSPHRASE,
  passphraseEncryption,
  recipientEncryption,
  sampleKeyfile,
  TEST_BDK,
} from '../sample-keyfile.js';

const crypto = createRequire(import.meta.url)('node:crypto');
const real = {...crypto};
const LABEL = 'age-encryption.org/v1/scrypt';

interface Made {
  readonly by: string;
  readonly bytes: Uint8Array;
  readonly atFirst: string;
}

afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(crypto, {scrypt: real.scrypt});
  syncBuiltinESMExports();
});

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Notes every buffer that is made from here on, with what it holds at first. */
function watchBuffers(): Made[] {
  const made: Made[] = [];
  const note = (by: string, ...all: readonly unknown[]) => {
    for (const bytes of all)
      if (bytes instanceof Uint8Array) made.push({by, bytes, atFirst: hexOf(bytes)});
  };
  for (const name of ['alloc', 'from', 'concat']) {
    watch(Buffer, name, (bytes, args) => {
      note(name, bytes, ...(name === 'concat' ? (args[0] as unknown[]) : []));
    });
  }
  watch(TextEncoder.prototype, 'encode', (bytes) => note('encode', bytes));
  crypto.scrypt = (...args: unknown[]) => {
    const done = args.pop() as (error: unknown, key: Buffer) => void;
    real.scrypt(...args, (error: unknown, key: Buffer) => {
      note('scrypt', key);
      done(error, key);
    });
  };
  syncBuiltinESMExports();
  return made;
}

/** Tells `see` what a method answers, and what it was given. */
function watch(owner: object, name: string, see: (answer: unknown, args: unknown[]) => unknown) {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  const method = methods[name];
  vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...args: unknown[]) {
    const answer = method?.apply(this, args);
    void see(answer, args);
    return answer;
  });
}

/** How many of them held `secret` at first, and how many still do. */
function holding(made: readonly Made[], secret: string): {first: boolean; now: number} {
  return {
    first: made.some(({atFirst}) => atFirst.includes(secret)),
    now: made.filter(({bytes}) => hexOf(bytes).includes(secret)).length,
  };
}

const WIPED = {first: true, now: 0};

describe('what is made of a keyfile on the way is wiped:', () => {
  it('the key derived from its passphrase', async () => {
    const made = watchBuffers();
    const bytes = await encryptKeyfile(sampleKeyfile(), passphraseEncryption());
    const [, salt = ''] = /-> scrypt (\S{22}) 10/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
    const labelled = Buffer.concat([Buffer.from(LABEL), Buffer.from(salt, 'base64')]);
    const encrypting = [...made];
    await openKeyfile(bytes, byPassphrase());
    const opening = made.slice(encrypting.length);
    const key = hexOf(scryptSync(PASSPHRASE, labelled, 32, {cost: 1024}));
    expect([holding(encrypting, key), holding(opening, key)]).toEqual([WIPED, WIPED]);
  });

  it('its content, when it is encrypted', async () => {
    const made = watchBuffers();
    const digits = hexOf(new Uint8Array([...TEST_BDK].map((digit) => digit.charCodeAt(0))));
    await encryptKeyfile(sampleKeyfile(), recipientEncryption(ALICE.recipient));
    const encoded = made.filter(({by}) => by === 'encode');
    expect(holding(encoded, digits)).toEqual(WIPED);
  });

  it('its content, when it is opened', async () => {
    const bytes = await encryptKeyfile(sampleKeyfile(), recipientEncryption(ALICE.recipient));
    const decrypt = vi.spyOn(Decrypter.prototype, 'decrypt');
    await openKeyfile(bytes, byIdentity(ALICE.identity));
    const plaintext = await decrypt.mock.results[0]?.value;
    expect(plaintext.length).toBeGreaterThan(100);
    expect(new Set(plaintext)).toEqual(new Set([0]));
  });
});
