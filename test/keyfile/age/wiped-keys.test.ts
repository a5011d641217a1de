import {createHmac, hkdfSync, randomBytes, scryptSync} from 'node:crypto';
import {createRequire, syncBuiltinESMExports} from 'node:module';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {decodeBech32} from '../../../src/keyfile/age/bech32.js';
import {hkdfSha256} from '../../../src/keyfile/age/hkdf-sha256.js';
import {openKeyfile} from '../../../src/keyfile/open-keyfile.js';
import {sealKeyfile} from '../../../src/keyfile/seal-keyfile.js';
import {
  ALICE,
  byIdentity,
  byPassphrase,
  PASSPHRASE,
  passphraseSeal,
  recipientSeal,
  sampleKeyfile,
  TEST_BDK,
} from '../sample-keyfile.js';

const crypto = createRequire(import.meta.url)('node:crypto');
const real = {...crypto};
const LABEL = 'age-encryption.org/v1/scrypt';

/** What was shared with a sender, and the salt that is put together next. */
let shared: {secret: string; salt: Uint8Array}[] = [];

interface Made {
  readonly by: string;
  readonly bytes: Uint8Array;
  readonly atFirst: string;
}

afterEach(() => {
  vi.restoreAllMocks();
  shared = [];
  const {scrypt, diffieHellman, createDecipheriv} = real;
  Object.assign(crypto, {scrypt, diffieHellman, createDecipheriv});
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
      noteSalt(name, bytes as Uint8Array);
    });
  }
  watch(TextEncoder.prototype, 'encode', (bytes) => note('encode', bytes));
  watch(crypto, 'createDecipheriv', (decipher) =>
    watch(decipher as object, 'update', (bytes) => note('update', bytes)),
  );
  watch(crypto, 'diffieHellman', (secret) => {
    note('shared', secret);
    shared.push({secret: hexOf(secret as Uint8Array), salt: new Uint8Array()});
  });
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

function noteSalt(name: string, bytes: Uint8Array): void {
  const last = shared.at(-1);
  if (name === 'concat' && bytes.length === 64 && last?.salt.length === 0) last.salt = bytes;
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
    const bytes = await sealKeyfile(sampleKeyfile(), passphraseSeal());
    const [, salt = ''] = /-> scrypt (\S{22}) 10/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
    const labelled = Buffer.concat([Buffer.from(LABEL), Buffer.from(salt, 'base64')]);
    const sealing = [...made];
    await openKeyfile(bytes, byPassphrase());
    const opening = made.slice(sealing.length);
    const key = hexOf(scryptSync(PASSPHRASE, labelled, 32, {cost: 1024}));
    expect([holding(sealing, key), holding(opening, key)]).toEqual([WIPED, WIPED]);
  });

  it('its content, when it is sealed and when it is opened', async () => {
    const made = watchBuffers();
    const digits = hexOf(new Uint8Array([...TEST_BDK].map((digit) => digit.charCodeAt(0))));
    const bytes = await sealKeyfile(sampleKeyfile(), recipientSeal(ALICE.recipient));
    const sealing = made.filter(({by}) => by === 'encode');
    await openKeyfile(bytes, byIdentity(ALICE.identity));
    const opening = made.filter(({by}) => by === 'update' || by === 'alloc');
    expect([holding(sealing, digits), holding(opening, digits)]).toEqual([WIPED, WIPED]);
  });

  it('an identity, what it shares with a sender, and the key made of that', async () => {
    const bytes = await sealKeyfile(sampleKeyfile(), recipientSeal(ALICE.recipient));
    const scalar = hexOf(decodeBech32(ALICE.identity, 'AGE-SECRET-KEY-') ?? new Uint8Array());
    const made = watchBuffers();
    await openKeyfile(bytes, byIdentity(ALICE.identity));
    await sealKeyfile(sampleKeyfile(), recipientSeal(ALICE.recipient));
    const during = [...made];
    expect(holding(during, scalar)).toEqual(WIPED);
    expect(shared).toHaveLength(2);
    for (const {secret, salt} of shared) {
      const key = hkdfSync(
        'sha256',
        Buffer.from(secret, 'hex'),
        salt,
        'age-encryption.org/v1/X25519',
        32,
      );
      expect(holding(during, secret)).toEqual(WIPED);
      expect(holding(during, hexOf(new Uint8Array(key)))).toEqual(WIPED);
    }
  });
});

describe('HKDF', () => {
  it('wipes all that it makes of the secret but its result', () => {
    const [secret, salt] = [randomBytes(32), randomBytes(64)];
    const extracted = createHmac('sha256', salt).update(secret).digest();
    const made = watchBuffers();
    const key = hkdfSha256(secret, salt, 'a label');
    expect(holding(made, hexOf(key))).toEqual({first: true, now: 1});
    expect(holding(made, hexOf(extracted))).toEqual(WIPED);
    for (const pad of [0x36, 0x5c])
      expect(holding(made, hexOf(extracted.map((byte) => byte ^ pad))).now).toBe(0);
    expect(holding(made, hexOf(secret)).now).toBe(0);
  });
});
