import {
  constants,
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  publicDecrypt,
  randomBytes,
  sign,
} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {HashName} from '../../src/platform/hash-name.js';
import * as neutral from '../../src/platform/neutral/platform.js';
import * as node from '../../src/platform/node/platform.js';
import {VECTORS} from '../auth/auth-fixture.js';

const bytes = fc.uint8Array({maxLength: 300});
const NAMES: Readonly<Record<HashName, true>> = {
  ...{md5: true, sha1: true, sha224: true, sha256: true, sha384: true, sha512: true},
  'sha3-256': true,
};
const HASHES = Object.keys(NAMES) as HashName[];

it('both versions give the same names', () => {
  expect(Object.keys(neutral).sort()).toEqual(Object.keys(node).sort());
});

describe('both versions agree on', () => {
  it('the hashes that stand alone', () => {
    fc.assert(
      fc.property(bytes, fc.string({unit: 'binary'}), (data, text) => {
        for (const one of [data, text]) {
          expect(neutral.sha1Hex(one)).toBe(createHash('sha1').update(one).digest('hex'));
          expect(neutral.sha256Hex(one)).toBe(createHash('sha256').update(one).digest('hex'));
          expect(node.sha1Hex(one)).toBe(neutral.sha1Hex(one));
          expect(node.sha256Hex(one)).toBe(neutral.sha256Hex(one));
        }
        const expected = new Uint8Array(createHmac('sha256', data).update(text).digest());
        const message = new TextEncoder().encode(text);
        expect(neutral.hmacSha256(data, message)).toEqual(expected);
        expect(node.hmacSha256(data, message)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['hex', neutral.hexOf, node.hexOf],
    ['latin1', neutral.latin1Of, node.latin1Of],
    ['base64', neutral.base64Of, node.base64Of],
  ])('%s', (_, ours, theirs) => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect(ours(data)).toBe(theirs(data));
      }),
    );
    const long = new Uint8Array(randomBytes(300_000));
    expect(ours(long) === theirs(long)).toBe(true);
  });

  it.each([
    ['hex', fc.string({unit: fc.constantFrom(...'0123456789abcdefABCDEF')})],
    [
      'hex with other characters',
      fc.string({unit: fc.constantFrom(...'0aF \u0130\u0661g\uff10-')}),
    ],
  ])('%s that is read', (_, texts) => {
    fc.assert(
      fc.property(texts, (hex) => {
        fc.pre(hex.length % 2 === 0);
        const [ours, theirs] = [0, 1].map(() => new Uint8Array(hex.length >> 1)) as [
          Uint8Array,
          Uint8Array,
        ];
        const read = neutral.readHex(hex, ours);
        expect(read).toBe(node.readHex(hex, theirs));
        if (read) expect(ours).toEqual(theirs);
      }),
    );
  });

  it('base64 that is read, however it was cut', () => {
    const text = fc.string({unit: fc.constantFrom(...'AZaz09+/-_ \n.')});
    fc.assert(
      fc.property(text, (base64) => {
        expect(neutral.looseBase64(base64)).toEqual(node.looseBase64(base64));
      }),
    );
    fc.assert(
      fc.property(bytes, (data) => {
        expect(neutral.looseBase64(node.base64Of(data))).toEqual(new Uint8Array(data));
      }),
    );
  });

  it.each(HASHES)('%s of bytes and of texts', (name) => {
    fc.assert(
      fc.property(fc.oneof(bytes, fc.string({unit: 'binary'})), (data) => {
        expect(neutral.hashHex(name, data)).toBe(node.hashHex(name, data));
        expect(neutral.hashLatin1(name, data)).toBe(node.hashLatin1(name, data));
      }),
    );
  });

  it.each(HASHES)('the HMAC of %s', (name) => {
    fc.assert(
      fc.property(bytes, bytes, (key, data) => {
        expect(neutral.hmac(name, key, data)).toEqual(node.hmac(name, key, data));
      }),
    );
  });

  it('what equals what', () => {
    fc.assert(
      fc.property(bytes, fc.nat(300), (data, at) => {
        const other = data.map((byte, i) => (i === at ? byte ^ 1 : byte));
        expect(neutral.equalBytes(data, data.slice())).toBe(true);
        expect(neutral.equalBytes(data, data.subarray(0, at))).toBe(at >= data.length);
        expect(neutral.equalBytes(data, other)).toBe(node.equalBytes(data, other));
      }),
    );
  });
});

describe.each([
  ['Node', node],
  ['neutral', neutral],
])('the %s version', (_, {randomBytes: draw, nextTurn}) => {
  it.each([0, 1, 32, 65_536, 200_000])('draws %i bytes, others each time', (length) => {
    const drawn = [draw(length), draw(length)];
    expect(drawn.map((each) => each.length)).toEqual([length, length]);
    if (length > 16) expect(drawn[0]).not.toEqual(drawn[1]);
    if (length > 65_536) expect(drawn[0]?.subarray(-1000).some((byte) => byte !== 0)).toBe(true);
  });

  it('lets events that wait have their turn', async () => {
    let answered = false;
    setImmediate(() => {
      answered = true;
    });
    for (let turn = 0; turn < 50 && !answered; turn++) await nextTurn();
    expect(answered).toBe(true);
  });
});

describe('RSA of the neutral version', () => {
  const data = Buffer.from('message');
  const keys = Object.entries(VECTORS.rsaKeys);
  const read = (pem: string) => {
    const key = neutral.readRsaPublicKey(pem);
    if (!key) throw new Error('not read');
    return key;
  };

  it.each(keys)('reads %s as Node does', (_, {publicKey, privateKey}) => {
    const {modulus, exponent} = node.readRsaPublicKey(publicKey) ?? {};
    expect(read(publicKey)).toEqual({modulus: new Uint8Array(modulus ?? []), exponent});
    const key = neutral.readRsaPrivateKey(Buffer.from(privateKey));
    const pem = createPublicKey(privateKey).export({type: 'spki', format: 'pem'});
    expect(key && neutral.publicPemOf(key)).toBe(pem);
  });

  it.each(keys)('signs by %s what Node signs', async (_, {privateKey}) => {
    const key = neutral.readRsaPrivateKey(Buffer.from(privateKey));
    if (!key) throw new Error('not read');
    const signature = await neutral.signRsaSha256(key, data);
    expect(Buffer.from(signature)).toEqual(sign('sha256', data, privateKey));
  });

  it.each([2048, 2049, 2050, 2055, 3072])('verifies and reads keys of %i bits', (modulusLength) => {
    const {publicKey, privateKey} = generateKeyPairSync('rsa', {modulusLength});
    const pem = publicKey.export({type: 'spki', format: 'pem'}).toString();
    const key = read(pem);
    expect(key.modulus).toEqual(node.readRsaPublicKey(pem)?.modulus);
    for (const type of ['pkcs1', 'pkcs8'] as const) {
      const own = Buffer.from(privateKey.export({type, format: 'pem'}));
      const held = neutral.readRsaPrivateKey(own);
      expect(held && neutral.publicPemOf(held)).toBe(pem);
    }
    const signature = sign('sha256', data, privateKey);
    expect(neutral.isRsaSignature(key, data, signature)).toBe(true);
    expect(neutral.isRsaSignature(key, Buffer.from('massage'), signature)).toBe(false);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    for (const other of [
      sign('sha1', data, privateKey),
      sign('sha256', data, {key: privateKey, padding}),
    ]) {
      expect(neutral.isRsaSignature(key, data, other)).toBe(false);
      const block = publicDecrypt({key: publicKey, padding: constants.RSA_NO_PADDING}, other);
      expect(neutral.openRsaSignature(key, other)).toEqual(new Uint8Array(block));
    }
  });

  it('refuses what Node refuses, bit by bit', () => {
    const [, {publicKey = '', privateKey = ''} = {}] = keys[0] ?? [];
    const [ours, theirs] = [read(publicKey), node.readRsaPublicKey(publicKey)];
    const right = sign('sha256', data, privateKey);
    for (let bit = 0; bit < 8 * right.length; bit += 61) {
      const wrong = Buffer.from(right);
      wrong[bit >> 3] = (wrong[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(neutral.isRsaSignature(ours, data, wrong)).toBe(false);
      expect(theirs && node.isRsaSignature(theirs, data, wrong)).toBe(false);
    }
    for (const length of [0, 1, 255, 257]) {
      const cut = Buffer.alloc(length, right);
      expect(neutral.isRsaSignature(ours, data, cut)).toBe(false);
      expect(neutral.openRsaSignature(ours, cut)).toBeUndefined();
      expect(theirs && node.openRsaSignature(theirs, cut)).toBeUndefined();
    }
  });

  it('reads no key that is not of RSA, is cut, or is private in the place of a public one', () => {
    const ec = generateKeyPairSync('ec', {namedCurve: 'P-256'});
    const pss = generateKeyPairSync('rsa-pss', {modulusLength: 2048});
    const [, {publicKey = '', privateKey = ''} = {}] = keys[0] ?? [];
    const others = [
      ...[ec, pss].map((pair) => pair.publicKey.export({type: 'spki', format: 'pem'}).toString()),
      privateKey,
      '',
      publicKey.slice(0, 200),
      publicKey.replace('-----END', '----END'),
      publicKey.replace(/\n[^-].{20}/, '\n'),
    ];
    for (const pem of others) {
      expect([neutral.readRsaPublicKey(pem), node.readRsaPublicKey(pem)]).toEqual([
        undefined,
        undefined,
      ]);
    }
    const secrets = [ec, pss].map((pair) => pair.privateKey.export({type: 'pkcs8', format: 'pem'}));
    for (const pem of [...secrets, publicKey, privateKey.slice(0, 300)]) {
      expect(neutral.readRsaPrivateKey(Buffer.from(pem))).toBeUndefined();
      expect(node.readRsaPrivateKey(Buffer.from(pem))).toBeUndefined();
    }
  });
});
