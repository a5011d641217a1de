import {createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes} from 'node:crypto';
import {beforeEach, describe, expect, it, vi} from 'vitest';
import {signBasic} from '../../../src/auth/methods/basic.js';
import {signDigest} from '../../../src/auth/methods/digest.js';
import {signDigestPreemptive} from '../../../src/auth/methods/digest-preemptive.js';
import {signatureHeader, signHmac} from '../../../src/auth/methods/hmac.js';
import {DigestKey} from '../../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../../src/auth/partner/hmac-key.js';
import {rsaSubjectOf, subjectOf} from '../../../src/auth/partner/timing-decoy.js';
import {AUTH_METHODS, type AuthMethod} from '../../../src/contract/auth-method.js';
import {hexOf} from '../../../src/platform/bytes.js';
import {NOW, TARGET, testPartner, testServer, VECTORS} from '../auth-fixture.js';
import {rsaHeader} from '../rsa-header.js';

const LENGTHS = [256, 384, 512] as const;
const PAIRS = new Map(
  LENGTHS.map((bytes) => [bytes, generateKeyPairSync('rsa', {modulusLength: 8 * bytes})]),
);
const DECOY_KEY = 'the key of the decoy, 32 letters';
const NOBODY = () => undefined;

interface Verified {
  /** Bytes of the modulus, and of the number that was raised to a power. */
  readonly key: number;
  readonly signature: number;
  /** OpenSSL does no work for the others. */
  readonly below: boolean;
}

const {verified, drawn} = vi.hoisted(() => ({
  verified: [] as Verified[],
  /** What is drawn in place of so many random bytes. */
  drawn: new Map<number, Buffer>(),
}));

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  const mocked = {
    ...crypto,
    randomBytes: (size: number) => Buffer.from(drawn.get(size) ?? crypto.randomBytes(size)),
    verify: (...[hash, data, key, signature]: Parameters<typeof crypto.verify>) => {
      const bytes = signature as Buffer;
      const modulus = modulusOf((key as unknown as {key: KeyObject}).key);
      const below = bytes.length === modulus.length && Buffer.compare(bytes, modulus) < 0;
      verified.push({key: modulus.length, signature: bytes.length, below});
      return crypto.verify(hash, data, key, signature);
    },
  };
  return {...mocked, default: mocked};
});

const BODY = Buffer.from('{"reference":"r-1"}');
const REQUEST = {method: 'POST', target: TARGET, body: BODY};

describe("a request signed with the decoy's own key", () => {
  // Modules that draw anew draw what is known here.
  beforeEach(() => {
    vi.resetModules();
    drawn.set(32, Buffer.from(DECOY_KEY));
    for (const bytes of LENGTHS) drawn.set(bytes, modulusOf(keyOf(bytes).publicKey));
    return () => drawn.clear();
  });

  const nonce = testServer().context.digestNonces.issue(NOW * 1000);
  const digestKey = new DigestKey('', Buffer.from(DECOY_KEY));
  const terms = {nonce, cnonce: 'c', count: 1};
  const signedBy: Readonly<Record<AuthMethod, (id: string) => readonly string[]>> = {
    transparent: () => [],
    basic: (id) => [signBasic(id, DECOY_KEY)],
    digest: (username) =>
      (['MD5', 'SHA-256'] as const).map((algorithm) =>
        signDigest(REQUEST, {...terms, username, algorithm}, digestKey),
      ),
    'digest-preemptive': (partnerId) => [
      signDigestPreemptive(REQUEST, {partnerId, nonce: 'n'}, digestKey),
    ],
    hmac: (partnerId) => [
      signHmac(
        REQUEST,
        {partnerId, nonce: 'n', timestamp: NOW},
        new HmacKey(Buffer.from(DECOY_KEY)),
      ),
    ],
    rsa: (partnerId) =>
      LENGTHS.map((bytes) =>
        rsaHeader(REQUEST, {partnerId, nonce: 'n', timestamp: NOW}, keyOf(bytes).privateKey),
      ),
  };

  /** Authenticates with modules that drew the decoys of this test. */
  async function codesOf(method: AuthMethod, partnerId: string): Promise<unknown[]> {
    const {authenticate} = await import('../../../src/auth/authenticate.js');
    const {context} = testServer([testPartner(), testPartner({partnerId: 'OFF', methods: []})]);
    const credentials = {partnerId, partnerKey: DECOY_KEY};
    const requests =
      method === 'transparent'
        ? [{...REQUEST, authorization: [], credentials}]
        : signedBy[method](partnerId).map((header) => ({...REQUEST, authorization: [header]}));
    const outcomes = requests.map((request) => authenticate(request, context));
    return (await Promise.allSettled(outcomes)).map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : 'accepted',
    );
  }

  it.each(AUTH_METHODS)('by %s is refused with 1003', async (method) => {
    for (const partnerId of ['NOBODY', 'OFF', 'WATERFORD', 'decoy', '']) {
      const codes = await codesOf(method, partnerId);
      expect(new Set(codes)).toEqual(new Set([1003]));
    }
  });

  it('is really one: the decoy has these keys', async () => {
    const decoy = await import('../../../src/auth/partner/timing-decoy.js');
    const {sha256} = await import('../../../src/platform/hash.js');
    expect(decoy.subjectOf(NOBODY, 'A', 'basic', 'keyHash').key).toEqual(sha256(DECOY_KEY));
    const {key: hmac} = decoy.subjectOf(NOBODY, 'A', 'hmac', 'hmacKey');
    expect(hmac.sign('m')).toEqual(new HmacKey(Buffer.from(DECOY_KEY)).sign('m'));
    const {key: digest} = decoy.subjectOf(NOBODY, 'A', 'digest', 'digestKey');
    expect(digest.ha1('SHA-256')).toBe(digestKey.ha1('SHA-256'));
    for (const bytes of LENGTHS) {
      const {key} = decoy.rsaSubjectOf(NOBODY, 'A', bytes);
      expect(key.key.equals(keyOf(bytes).publicKey)).toBe(true);
    }
  });
});

describe('the keys of decoys', () => {
  /** All of them, as one text each. */
  async function drawnAnew(): Promise<string[]> {
    vi.resetModules();
    const decoy = await import('../../../src/auth/partner/timing-decoy.js');
    return [
      Buffer.from(decoy.subjectOf(NOBODY, 'A', 'basic', 'keyHash').key).toString('hex'),
      decoy.subjectOf(NOBODY, 'A', 'digest', 'digestKey').key.ha1('MD5'),
      decoy.subjectOf(NOBODY, 'A', 'digest', 'digestKey').key.ha1('SHA-256'),
      hexOf(decoy.subjectOf(NOBODY, 'A', 'hmac', 'hmacKey').key.sign('m')),
      ...LENGTHS.map((bytes) =>
        Buffer.from(decoy.rsaSubjectOf(NOBODY, 'A', bytes).key.modulus).toString('hex'),
      ),
    ];
  }

  it('are others in every process', async () => {
    const both = [...(await drawnAnew()), ...(await drawnAnew())];
    expect(new Set(both).size).toBe(2 * (4 + LENGTHS.length));
  });

  it('stay the same in one', () => {
    const hmacs = [0, 0].map(() => subjectOf(NOBODY, 'A', 'hmac', 'hmacKey').key);
    expect(hmacs[0]).toBe(hmacs[1]);
    const rsas = [0, 0].map(() => rsaSubjectOf(NOBODY, 'A', 384).key);
    expect(rsas[0]).toBe(rsas[1]);
  });

  it.each([0x00, 0xff])('of RSA have a full length and are odd, when %i is drawn', async (byte) => {
    drawn.set(256, Buffer.alloc(256, byte));
    vi.resetModules();
    const decoy = await import('../../../src/auth/partner/timing-decoy.js');
    const {modulus} = decoy.rsaSubjectOf(NOBODY, 'A', 256).key;
    drawn.clear();
    expect([modulus.length, modulus[0], modulus[1], modulus.at(-1)]).toEqual([
      256,
      byte | 0x80,
      byte,
      byte | 0x01,
    ]);
  });
});

describe('the work of an RSA refusal', () => {
  const server = testServer([
    ...LENGTHS.map((bytes) =>
      testPartner({partnerId: `RSA-${bytes}`, rsaPublicKey: pemOf(bytes), methods: ['rsa']}),
    ),
    testPartner({partnerId: 'OFF', methods: ['hmac']}),
    testPartner({partnerId: 'WITHOUT', rsaPublicKey: undefined, methods: ['hmac']}),
  ]);
  const PARTNERS = ['RSA-256', 'RSA-384', 'RSA-512', 'OFF', 'WITHOUT', 'NOBODY', 'EITHER'];

  const workOf = async (partnerId: string, response: Buffer) => {
    verified.length = 0;
    const signer = {partnerId, nonce: 'n', timestamp: NOW};
    const encoding = response.length > 1024 ? 'base64' : 'hex';
    const authorization = [signatureHeader('Rsa', signer, response.toString(encoding))];
    expect(await server.answer({body: BODY, authorization})).toBe('credentials');
    return [...verified];
  };

  it.each(LENGTHS)(
    'of %i bytes is one verification of that length, whoever it is',
    async (bytes) => {
      const modulus = modulusOf(keyOf(bytes).publicKey);
      const {key: decoy} = rsaSubjectOf(NOBODY, 'A', bytes);
      const signatures = [
        ...[modulus, Buffer.from(decoy.modulus)].flatMap((n) => [plus(n, -1n), n, plus(n, 1n)]),
        ...[0x00, 0x01, 0x7f, 0x80, 0xff].map((byte) => Buffer.alloc(bytes, byte)),
        ...Array.from({length: 20}, () => randomBytes(bytes)),
      ];
      expect(signatures).toHaveLength(31);
      for (const signature of signatures) {
        for (const partnerId of PARTNERS) {
          const work = await workOf(partnerId, signature);
          expect([partnerId, ...work]).toEqual([
            partnerId,
            {key: bytes, signature: bytes, below: true},
          ]);
        }
      }
    },
  );

  it.each([
    [1, 256],
    [255, 256],
    [257, 257],
    [320, 320],
    [1023, 1023],
    [1024, 1024],
    [1025, 1024],
    [2048, 1024],
  ])('of %i bytes is one verification by %i, whoever it is', async (bytes, key) => {
    for (const signature of [Buffer.alloc(bytes, 0xff), randomBytes(bytes)]) {
      for (const partnerId of PARTNERS) {
        const work = await workOf(partnerId, signature);
        expect([partnerId, ...work]).toEqual([partnerId, {key, signature: key, below: true}]);
      }
    }
  });
});

describe('of the numbers above the modulus', () => {
  const privateKey = createPrivateKey(VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '');
  const modulus = BigInt(`0x${modulusOf(privateKey).toString('hex')}`);

  /** Right signatures of this shape, each sent as `change` makes it, then as it is. */
  async function answersTo(
    count: number,
    wanted: (signature: Buffer) => boolean,
    change: (signature: Buffer) => Buffer,
  ): Promise<string[][]> {
    const server = testServer();
    const answers: string[][] = [];
    for (let nonce = 0; answers.length < count; nonce++) {
      const signer = {partnerId: 'WATERFORD', nonce: `${nonce}`, timestamp: NOW};
      const header = rsaHeader(REQUEST, signer, privateKey);
      const signature = Buffer.from(/response="(\w+)"/.exec(header)?.[1] ?? '', 'hex');
      if (!wanted(signature)) continue;
      const changed = signatureHeader('Rsa', signer, change(signature).toString('hex'));
      const send = (authorization: string) =>
        server.answer({body: BODY, authorization: [authorization]});
      answers.push([await send(changed), await send(header)]);
    }
    return answers;
  }

  it('none is right that is a right one plus the modulus', async () => {
    const sum = (signature: Buffer) => plus(signature, modulus);
    const answers = await answersTo(5, (one) => sum(one).length === one.length, sum);
    expect(answers).toEqual(Array(5).fill(['credentials', 'accepted']));
  });

  it('none is right that is a right one with another first byte', async () => {
    const change = (signature: Buffer) => Buffer.concat([Buffer.of(0xff), signature.subarray(1)]);
    const answers = await answersTo(1, (one) => one[0] === 0, change);
    expect(answers).toEqual([['credentials', 'accepted']]);
  });
});

function keyOf(bytes: (typeof LENGTHS)[number]) {
  const pair = PAIRS.get(bytes);
  if (!pair) throw new Error(`no key of ${bytes} bytes`);
  return pair;
}

function pemOf(bytes: (typeof LENGTHS)[number]): string {
  return keyOf(bytes).publicKey.export({type: 'spki', format: 'pem'}).toString();
}

function modulusOf(key: KeyObject): Buffer {
  return Buffer.from(key.export({format: 'jwk'}).n ?? '', 'base64url');
}

function plus(number: Buffer, addend: bigint): Buffer {
  const sum = BigInt(`0x${number.toString('hex')}`) + addend;
  const hex = sum.toString(16).padStart(2 * number.length, '0');
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
