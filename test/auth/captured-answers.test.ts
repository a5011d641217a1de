import {createHash, createPrivateKey} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {AuthRequest} from '../../src/auth/authenticate.js';
import {quote} from '../../src/auth/authorization-header.js';
import {DigestNonces} from '../../src/auth/challenges.js';
import {signBasic} from '../../src/auth/methods/basic.js';
import {signDigestPreemptive} from '../../src/auth/methods/digest-preemptive.js';
import {signatureHeader, signHmac} from '../../src/auth/methods/hmac.js';
import {DigestKey} from '../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import {NOW, PARTNER_KEY, SHARED_KEY, TARGET, testServer, VECTORS} from './auth-fixture.js';
import {rsaHeader} from './rsa-header.js';

const ID = 'WATERFORD';
const BODY = '{"reference":"r-1"}';
// A query lets the hash of the body stand in the target, where `auth-int` has it.
const URI = `${TARGET}?a=b`;
const ALGORITHMS = ['MD5', 'SHA-256', 'MD5-sess', 'SHA-256-sess', 'SHA-512-256'] as const;
const QOPS = ['auth', 'auth-int'] as const;

/** What an eavesdropper saw of one request: all that a header of another method could be made of. */
interface Captured {
  /** As `METHODS` are called, or another name where the server has no such method. */
  readonly method: string;
  readonly nonce: string;
  readonly nc?: string;
  readonly cnonce?: string;
  readonly qop?: string;
  readonly response: string;
  readonly authorization: string;
}

/** A header somebody could send in place of the captured one, with the request it goes with. */
type Attempt = Partial<AuthRequest>;

const server = testServer();
const OUR_NONCE = server.context.digestNonces.issue(NOW * 1000);
const OTHER_SERVER = new DigestNonces(Buffer.from('another'), (size) => Buffer.alloc(size, 7));
const FOREIGN_NONCES = [
  OTHER_SERVER.issue(NOW * 1000),
  'dcd98b7102dd2f0e8b11d0f600bfb0c093',
  '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  '723f57e1-e9c8-48cb-81d9-547ad2b76435',
  `${OUR_NONCE}:00000001:c:auth`,
];

const LOCAL = [...digestAnswers(OUR_NONCE), preemptive(), hmac(), rsa(), withoutQop(OUR_NONCE)];
// Without qop an answer to a plain nonce is the pre-emptive form itself (RFC 2069).
const FOREIGN = [
  ...FOREIGN_NONCES.flatMap((nonce) => digestAnswers(nonce)),
  withoutQop(OTHER_SERVER.issue(NOW * 1000)),
];

const METHODS: Readonly<Record<string, (captured: Captured) => readonly Attempt[]>> = {
  ...Object.fromEntries(
    ['MD5', 'SHA-256'].flatMap((algorithm) =>
      QOPS.map((qop) => [
        `${algorithm} ${qop}`,
        (captured: Captured) => asDigest(captured, algorithm, qop),
      ]),
    ),
  ),
  'digest-preemptive': asPreemptive,
  hmac: (captured) => asSignature('Hmac', captured),
  rsa: (captured) => asSignature('Rsa', captured),
  basic: ({response}) => [{authorization: [signBasic(ID, response)]}],
  transparent: ({response}) => [{credentials: {partnerId: ID, partnerKey: response}}],
};

describe('a captured answer', () => {
  it.each(LOCAL.filter(({method}) => method in METHODS))(
    'of $method is right as it is',
    async ({authorization}) => {
      expect(await testServer().answer(requestOf(authorization))).toBe('accepted');
    },
  );

  it.each(pairsOf(LOCAL))('of %s is none of %s', async (_, target, captured) => {
    await expectRefused(METHODS[target]?.(captured) ?? []);
  });

  it.each(pairsOf(FOREIGN))(
    'to another endpoint, of %s, is none of %s',
    async (_, target, captured) => {
      await expectRefused(METHODS[target]?.(captured) ?? []);
    },
  );

  it('is tried from every method, with every other one', () => {
    expect(pairsOf(LOCAL).length).toBeGreaterThan(100);
    expect(pairsOf(FOREIGN).length).toBeGreaterThan(400);
    for (const attempts of Object.values(METHODS)) {
      expect(LOCAL.map((captured) => attempts(captured).length)).not.toContain(0);
    }
  });
});

function pairsOf(captured: readonly Captured[]): [string, string, Captured][] {
  return captured.flatMap((one) =>
    Object.keys(METHODS)
      .filter((target) => target !== one.method)
      .map((target): [string, string, Captured] => [one.method, target, one]),
  );
}

async function expectRefused(attempts: readonly Attempt[]): Promise<void> {
  expect(attempts).not.toEqual([]);
  for (const attempt of attempts) {
    expect([attempt, await testServer().answer(attempt)]).not.toEqual([attempt, 'accepted']);
  }
}

/** Each place to cut `nonce:nc:cnonce:qop`, over this body and another, for uri and `uri:H(body)`. */
function asPreemptive({nonce, nc = '', cnonce = '', qop = '', response}: Captured): Attempt[] {
  const joined = [nonce, nc, cnonce, qop].filter(Boolean).join(':');
  const nonces = new Set([joined, ...partsOf(joined), ...joined.split(':')]);
  return [...nonces].flatMap((one) =>
    [response, response.slice(0, 32), response.slice(-32)].flatMap((shown) =>
      uris().flatMap((uri) => {
        const start = `Digest username="${ID}", realm="Users"`;
        const header = `${start}, nonce=${quote(one)}, uri="${uri}", response="${shown}"`;
        return bodies().map((body) => requestOf(header, uri, body));
      }),
    ),
  );
}

/** Every way to read `nonce:nc:cnonce` out of what was captured. */
function asDigest(captured: Captured, algorithm: string, qop: string): Attempt[] {
  const {nonce, nc = '00000001', cnonce = 'c', response} = captured;
  const readings: [string, string, string][] = [[nonce, nc, cnonce]];
  for (const text of [nonce, `${nonce}:${nc}:${cnonce}`]) {
    const parts = text.split(':');
    parts.forEach((part, at) => {
      if (!/^[0-9a-f]{8}$/.test(part)) return;
      readings.push([parts.slice(0, at).join(':'), part, parts.slice(at + 1).join(':')]);
      readings.push([parts.slice(0, at).join(':'), part, parts[at + 1] ?? '']);
    });
  }
  const shown = algorithm === 'MD5' ? [response, response.slice(0, 32)] : [response];
  return readings.flatMap(([one, count, own]) =>
    shown.flatMap((text) =>
      uris().flatMap((uri) => {
        const parts = {nonce: one, nc: count, cnonce: own, qop};
        const header = digestHeader(algorithm, uri, parts, text);
        return bodies().map((body) => requestOf(header, uri, body));
      }),
    ),
  );
}

function asSignature(scheme: 'Hmac' | 'Rsa', {nonce, response}: Captured): Attempt[] {
  const signer = {partnerId: ID, nonce, timestamp: NOW};
  return [URI, TARGET].flatMap((target) =>
    bodies().map((body) => requestOf(signatureHeader(scheme, signer, response), target, body)),
  );
}

function requestOf(authorization: string, target = URI, body = BODY): Attempt {
  return {authorization: [authorization], target, body: Buffer.from(body)};
}

function uris(): string[] {
  return [URI, `${URI}:${hexOf('MD5', BODY)}`, `${URI}:${hexOf('SHA-256', BODY)}`];
}

function bodies(): string[] {
  return [BODY, '{"another":"body"}'];
}

/** What is left of a text behind and in front of each colon. */
function partsOf(text: string): string[] {
  return [...text.matchAll(/:/g)].flatMap(({index}) => [
    text.slice(0, index),
    text.slice(index + 1),
  ]);
}

/** Answers to the challenge with this nonce (RFC 7616, 3.4), by node:crypto. */
function digestAnswers(nonce: string): Captured[] {
  return ALGORITHMS.flatMap((algorithm) =>
    QOPS.map((qop) => {
      const parts = {nonce, nc: '00000001', cnonce: 'c', qop};
      const response = responseOf(algorithm, parts);
      const authorization = digestHeader(algorithm, URI, parts, response);
      return {method: `${algorithm} ${qop}`, ...parts, response, authorization};
    }),
  );
}

interface Parts {
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
  readonly qop: string;
}

function responseOf(algorithm: string, {nonce, nc, cnonce, qop}: Parts): string {
  const h = (text: string) => hexOf(algorithm, text);
  const key = h(`${ID}:Users:${PARTNER_KEY}`);
  const ha1 = algorithm.endsWith('-sess') ? h(`${key}:${nonce}:${cnonce}`) : key;
  const ha2 = qop === 'auth' ? h(`POST:${URI}`) : h(`POST:${URI}:${h(BODY)}`);
  return h(`${ha1}:${nonce}:${nc}:${cnonce}:${qop}:${ha2}`);
}

function digestHeader(
  algorithm: string,
  uri: string,
  {nonce, nc, cnonce, qop}: Parts,
  response: string,
): string {
  const start = `Digest username="${ID}", realm="Users", uri="${uri}", algorithm=${algorithm}`;
  return `${start}, nonce=${quote(nonce)}, nc=${nc}, cnonce=${quote(cnonce)}, qop=${qop}, response="${response}"`;
}

/** The answer of a client to a challenge from which somebody took the qop (RFC 2069). */
function withoutQop(nonce: string): Captured {
  const h = (text: string) => hexOf('MD5', text);
  const response = h(`${h(`${ID}:Users:${PARTNER_KEY}`)}:${nonce}:${h(`POST:${URI}`)}`);
  return {method: 'MD5 without qop', nonce, response, authorization: ''};
}

function hexOf(algorithm: string, text: string): string {
  const names: Record<string, string> = {MD5: 'md5', 'SHA-512-256': 'sha512-256'};
  const name = names[algorithm.replace('-sess', '')] ?? 'sha256';
  return createHash(name).update(text).digest('hex');
}

function preemptive(): Captured {
  const key = new DigestKey(ID, Buffer.from(PARTNER_KEY));
  const nonce = 'c5rcvu346qavqf3hnmsrnqj5up';
  const authorization = signDigestPreemptive(signed(), {partnerId: ID, nonce}, key);
  return {method: 'digest-preemptive', nonce, response: responseIn(authorization), authorization};
}

function hmac(): Captured {
  const signer = {partnerId: ID, nonce: 'h-1', timestamp: NOW};
  const authorization = signHmac(signed(), signer, new HmacKey(Buffer.from(SHARED_KEY)));
  return {method: 'hmac', nonce: 'h-1', response: responseIn(authorization), authorization};
}

function rsa(): Captured {
  const signer = {partnerId: ID, nonce: 'r-1', timestamp: NOW};
  const key = createPrivateKey(VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '');
  const authorization = rsaHeader(signed(), signer, key);
  return {method: 'rsa', nonce: 'r-1', response: responseIn(authorization), authorization};
}

function signed() {
  return {method: 'POST', target: URI, body: Buffer.from(BODY)};
}

function responseIn(header: string): string {
  return /response="([^"]+)"/.exec(header)?.[1] ?? '';
}
