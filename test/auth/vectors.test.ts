import {createHash, createPrivateKey, createPublicKey} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {parseAuthorization} from '../../src/auth/authorization-header.js';
import {readPair, signBasic} from '../../src/auth/methods/basic.js';
import {digestHa2, digestResponse} from '../../src/auth/methods/digest.js';
import {
  preemptiveResponse,
  signDigestPreemptive,
} from '../../src/auth/methods/digest-preemptive.js';
import {readSignature, signHmac} from '../../src/auth/methods/hmac.js';
import {signRsa} from '../../src/auth/methods/rsa.js';
import {DigestKey} from '../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import {decodeSharedKey} from '../../src/auth/partner/shared-key.js';
import {contentHash, stringToHash} from '../../src/auth/string-to-hash.js';
import {hexOf} from '../../src/platform/bytes.js';
import {bodyOf, NOW, SHARED_KEY, secret, testPartner, testServer, VECTORS} from './auth-fixture.js';

const named = <T extends {name: string}>(vectors: readonly T[]) =>
  vectors.map((vector) => [vector.name, vector] as const);

describe('HMAC-SHA256', () => {
  it.each(named(VECTORS.hmacPrimitive))('of %s is as published', (_, vector) => {
    const key = new HmacKey(Buffer.from(vector.keyHex, 'hex'));
    const message = Buffer.from(vector.messageHex, 'hex').toString('latin1');
    expect(hexOf(key.sign(message))).toBe(vector.hmac);
  });
});

describe('HMAC vectors', () => {
  it.each(named(VECTORS.hmac))('%s: the content hash is that of the raw body', (_, vector) => {
    expect(contentHash(bodyOf(vector))).toBe(vector.contentHash);
  });

  it.each(named(VECTORS.hmac))('%s: the string to hash agrees', (_, vector) => {
    const request = {method: 'POST', target: vector.target, body: bodyOf(vector)};
    expect(stringToHash(request, vector.nonce, String(vector.timestamp))).toBe(vector.stringToHash);
  });

  it.each(named(VECTORS.hmac))('%s: our signer gives the same response', (_, vector) => {
    const key = decodeSharedKey(Buffer.from(vector.sharedKey), vector.encoding);
    const header = signHmac(
      {method: 'POST', target: vector.target, body: bodyOf(vector)},
      {partnerId: vector.username, nonce: vector.nonce, timestamp: vector.timestamp},
      new HmacKey(key ?? Buffer.alloc(0)),
    );
    const parsed = parseAuthorization(header);
    expect(parsed && readSignature(parsed)?.response).toBe(vector.response.toLowerCase());
  });

  // One vector is for servers with a limit of 300 s ahead; ours is fixed at 900 s.
  it.each(named(VECTORS.hmac.filter(({furthestAhead}) => furthestAhead === undefined)))(
    '%s is answered as marked',
    async (_, vector) => {
      const partner = testPartner({
        partnerId: vector.username,
        sharedKey: secret(vector.sharedKey),
        encoding: vector.encoding,
      });
      const {answer} = testServer([partner], {now: vector.now});
      const {target, authorization, accepted} = vector;
      const found = await answer({target, body: bodyOf(vector), authorization: [authorization]});
      expect(found).toBe(accepted ? 'accepted' : 'time');
    },
  );

  it('our header is the canonical form', () => {
    const vector = VECTORS.hmac[0];
    const request = {method: 'POST', target: vector?.target ?? '', body: bodyOf(vector ?? {})};
    const signer = {partnerId: 'WATERFORD', nonce: vector?.nonce ?? '', timestamp: NOW};
    expect(signHmac(request, signer, new HmacKey(Buffer.from(SHARED_KEY)))).toBe(
      vector?.authorization,
    );
  });
});

describe('RSA vectors', () => {
  it.each(named(VECTORS.rsa))('%s is accepted', async (_, vector) => {
    const rsaPublicKey = VECTORS.rsaKeys[vector.rsaKey]?.publicKey;
    const {answer} = testServer([testPartner({rsaPublicKey})]);
    const {target, authorization} = vector;
    expect(await answer({target, body: bodyOf(vector), authorization: [authorization]})).toBe(
      'accepted',
    );
  });

  it.each(named(VECTORS.rsa))('%s: our signer gives the same signature', async (_, vector) => {
    const key = createPrivateKey(VECTORS.rsaKeys[vector.rsaKey]?.privateKey ?? '');
    const signer = {partnerId: vector.username, nonce: vector.nonce, timestamp: vector.timestamp};
    const request = {method: 'POST', target: vector.target, body: bodyOf(vector)};
    const parsed = parseAuthorization(await signRsa(request, signer, key));
    const hex = /^[0-9a-f]+$/i.test(vector.response);
    const expected = Buffer.from(vector.response, hex ? 'hex' : 'base64').toString('hex');
    expect(parsed && readSignature(parsed)?.response).toBe(expected);
  });

  it('the public keys belong to the private ones', () => {
    for (const {privateKey, publicKey} of Object.values(VECTORS.rsaKeys)) {
      const pem = createPublicKey(privateKey).export({type: 'spki', format: 'pem'});
      expect(pem).toBe(publicKey);
    }
  });
});

describe('Basic vectors', () => {
  it.each(named(VECTORS.basic))('%s is read as marked', (_, vector) => {
    const token = parseAuthorization(vector.authorization)?.token68 ?? '';
    expect(readPair(token)).toEqual(vector.wellFormed ? [vector.userId, vector.key] : undefined);
  });

  it.each(named(VECTORS.basic.filter(({wellFormed}) => wellFormed)))(
    '%s: our header is the same',
    (_, vector) => {
      expect(signBasic(vector.userId, vector.key)).toBe(vector.authorization);
    },
  );

  it.each(named(VECTORS.basic.filter(({key}) => key !== '')))(
    '%s is answered as marked',
    async (_, vector) => {
      const partner = testPartner({partnerId: vector.userId, partnerKey: secret(vector.key)});
      const {answer} = testServer([partner]);
      const found = await answer({authorization: [vector.authorization]});
      expect(found).toBe(vector.wellFormed ? 'accepted' : 'malformed');
    },
  );
});

describe('Digest vectors', () => {
  const HASHES: Readonly<Record<string, string>> = {
    MD5: 'md5',
    'SHA-256': 'sha256',
    'SHA-256-sess': 'sha256',
    'SHA-512-256': 'sha512-256',
  };

  it.each(named(VECTORS.digest.filter(({qop}) => qop !== '')))(
    '%s: the response agrees',
    (_, vector) => {
      const hash = (data: string | Uint8Array) =>
        createHash(HASHES[vector.algorithm] ?? '')
          .update(data)
          .digest('hex');
      const request = {method: vector.method, target: vector.uri, body: bodyOf(vector)};
      const ha2 = digestHa2(request, vector.uri, vector.qop, hash);
      expect([ha2, digestResponse(vector.ha1, vector, ha2, hash)]).toEqual([
        vector.ha2,
        vector.response,
      ]);
    },
  );

  it.each(
    named(VECTORS.digest.filter(({realm, algorithm}) => realm === 'Users' && algorithm === 'MD5')),
  )('%s: H(A1) agrees', (_, vector) => {
    expect(new DigestKey(vector.username, Buffer.from(vector.key)).ha1('MD5')).toBe(vector.ha1);
  });

  it.each(
    named(
      VECTORS.digest.filter(({realm, algorithm}) => realm === 'Users' && algorithm === 'SHA-256'),
    ),
  )('%s: H(A1) agrees', (_, vector) => {
    const key = new DigestKey(vector.username, Buffer.from(vector.key));
    expect(key.ha1('SHA-256')).toBe(vector.ha1);
  });

  it('the form without qop is that of RFC 2069', () => {
    const vector = VECTORS.digest.find(({source}) => source === 'rfc2069');
    const {ha1 = '', nonce = '', method = '', uri = '', response} = vector ?? {};
    expect(preemptiveResponse(ha1, nonce, method, uri)).toBe(response);
  });
});

describe('pre-emptive Digest vectors', () => {
  it.each(named(VECTORS.digestPreemptive))('%s is accepted', async (_, vector) => {
    const {answer} = testServer();
    const {uri, authorization} = vector;
    expect(await answer({target: uri, authorization: [authorization]})).toBe('accepted');
  });

  it.each(named(VECTORS.digestPreemptive))('%s: our header is the same', (_, vector) => {
    const request = {method: 'POST', target: vector.uri, body: Buffer.alloc(0)};
    const key = new DigestKey(vector.username, Buffer.from(vector.key));
    const signer = {partnerId: vector.username, nonce: vector.nonce};
    expect(signDigestPreemptive(request, signer, key)).toBe(vector.authorization);
  });
});

describe('vectors to be refused', () => {
  it.each(named(VECTORS.refused))('%s', async (_, vector) => {
    const {answer} = testServer([
      testPartner(),
      testPartner({partnerId: 'OTHER', sharedKey: secret('another shared key')}),
      testPartner({partnerId: 'BASICONLY', methods: ['basic']}),
    ]);
    const {target, authorization} = vector;
    const found = await answer({target, body: bodyOf(vector), authorization: [authorization]});
    expect(found).not.toBe('accepted');
  });
});
