import {constants, createPrivateKey, sign} from 'node:crypto';
import {beforeEach, describe, expect, it, vi} from 'vitest';
import {type AuthRequest, authenticate} from '../../src/auth/authenticate.js';
import {parseAuthorization} from '../../src/auth/authorization-header.js';
import {DigestNonces} from '../../src/auth/challenges.js';
import {signBasic} from '../../src/auth/methods/basic.js';
import {type DigestAnswer, signDigest} from '../../src/auth/methods/digest.js';
import {signDigestPreemptive} from '../../src/auth/methods/digest-preemptive.js';
import {signatureHeader, signHmac} from '../../src/auth/methods/hmac.js';
import {DigestKey} from '../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import type {ReplayStore} from '../../src/auth/replay-store.js';
import {contentHash, stringToHash} from '../../src/auth/string-to-hash.js';
import {AUTH_METHODS, type AuthMethod} from '../../src/contract/auth-method.js';
import {hexOf} from '../../src/platform/bytes.js';
import {
  NOW,
  PARTNER_KEY,
  SHARED_KEY,
  secret,
  TARGET,
  testPartner,
  testServer,
  VECTORS,
} from './auth-fixture.js';
import {rsaHeader} from './rsa-header.js';

const operations: string[] = [];

// Every cryptographic operation of node:crypto is counted.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  const counted = {...crypto} as Record<string, unknown>;
  for (const name of ['hash', 'verify', 'timingSafeEqual', 'createHmac', 'createHash'] as const) {
    counted[name] = (...args: unknown[]) => {
      operations.push(name === 'hash' ? `hash ${args[0]}` : name);
      return (crypto[name] as (...args: unknown[]) => unknown)(...args);
    };
  }
  return {...counted, default: counted};
});

const BODY = Buffer.from('{"reference":"r-1"}');
const KEY = new HmacKey(Buffer.from(SHARED_KEY));
const DIGEST_KEY = new DigestKey('WATERFORD', Buffer.from(PARTNER_KEY));
const PRIVATE_KEY = createPrivateKey(VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '');
const REQUEST = {method: 'POST', target: TARGET, body: BODY};

interface Signing {
  readonly partnerId?: string;
  readonly nonce?: string;
  readonly timestamp?: number;
  readonly body?: Uint8Array;
  readonly target?: string;
}

/** A request signed by HMAC, right as far as `signing` changes nothing. */
function hmacRequest(signing: Signing = {}, key = KEY): Partial<AuthRequest> {
  const {partnerId = 'WATERFORD', nonce = 'n-1', timestamp = NOW} = signing;
  const signed = {...REQUEST, body: signing.body ?? BODY, target: signing.target ?? TARGET};
  return {body: BODY, authorization: [signHmac(signed, {partnerId, nonce, timestamp}, key)]};
}

function digestRequest(
  nonce: string,
  answer: Partial<DigestAnswer> = {},
  edit: (header: string) => string = (header) => header,
): Partial<AuthRequest> {
  const whole = {
    username: 'WATERFORD',
    nonce,
    algorithm: 'SHA-256',
    cnonce: 'c',
    count: 1,
  } as const;
  return {
    body: BODY,
    authorization: [edit(signDigest(REQUEST, {...whole, ...answer}, DIGEST_KEY))],
  };
}

describe('who sent it', () => {
  const credentials = {partnerId: 'WATERFORD', partnerKey: PARTNER_KEY};
  const {context} = testServer();
  const requests: readonly (readonly [AuthMethod, Partial<AuthRequest>])[] = [
    ['transparent', {credentials}],
    ['basic', {authorization: [signBasic('WATERFORD', PARTNER_KEY)]}],
    ['digest', digestRequest(context.digestNonces.issue(NOW * 1000))],
    [
      'digest-preemptive',
      {
        authorization: [
          signDigestPreemptive(REQUEST, {partnerId: 'WATERFORD', nonce: 'p'}, DIGEST_KEY),
        ],
      },
    ],
    ['hmac', hmacRequest()],
    [
      'rsa',
      {
        authorization: [
          rsaHeader(REQUEST, {partnerId: 'WATERFORD', nonce: 'r', timestamp: NOW}, PRIVATE_KEY),
        ],
      },
    ],
  ];

  it.each(requests)('is found out by %s', async (method, request) => {
    const whole = {...REQUEST, authorization: [], ...request};
    expect(await authenticate(whole, context)).toEqual({partnerId: 'WATERFORD', method});
  });

  it.each(requests)('is not told when %s is not enabled', async (method, request) => {
    const methods = AUTH_METHODS.filter((name) => name !== method);
    const server = testServer([testPartner({methods})]);
    expect(await server.answer({body: BODY, ...request})).toBe('credentials');
  });

  it.each(requests)('is not told of a disabled partner by %s', async (_, request) => {
    const server = testServer([testPartner({methods: []})]);
    expect(await server.answer({body: BODY, ...request})).toBe('credentials');
  });
});

describe('refusals', () => {
  it('are error 1003 without a word on the cause', async () => {
    const {context} = testServer();
    const request = {...REQUEST, authorization: ['Hmac']};
    await expect(authenticate(request, context)).rejects.toMatchObject({
      code: 1003,
      message: 'Authentication required',
    });
  });

  it.each([
    [{}],
    [{partnerId: 'WATERFORD'}],
    [{partnerKey: PARTNER_KEY}],
    [{partnerId: '', partnerKey: ''}],
  ])('without a header and with %j in the body', async (credentials) => {
    expect(await testServer().answer({credentials})).toBe('malformed');
  });

  it.each(['nobody', '__proto__', 'constructor', 'waterford'])(
    'of the unknown partner %s',
    async (partnerId) => {
      const {answer} = testServer();
      expect(await answer(hmacRequest({partnerId}))).toBe('credentials');
    },
  );

  it.each([
    ['another partner', {partnerId: 'OTHER'}],
    ['a wrong key', {partnerKey: 'wrong'}],
    ['a wrong key for the right partner', {partnerId: 'WATERFORD', partnerKey: 'wrong'}],
  ])('of a right header with credentials of %s in the body', async (_, credentials) => {
    const {answer} = testServer();
    expect(await answer({...hmacRequest(), credentials})).toBe('body');
  });

  it('do not spend the nonce when the credentials in the body are wrong', async () => {
    const {answer} = testServer();
    await answer({...hmacRequest(), credentials: {partnerId: 'OTHER'}});
    expect(await answer(hmacRequest())).toBe('accepted');
  });

  it('never of the same credentials in the body', async () => {
    const {answer} = testServer();
    const credentials = {partnerId: 'WATERFORD', partnerKey: PARTNER_KEY};
    expect(await answer({...hmacRequest(), credentials})).toBe('accepted');
  });
});

describe('the signature', () => {
  it.each([
    ['one blank more at the end', `${BODY} `],
    ['a line feed at the end', `${BODY}\n`],
    ['other blanks', '{ "reference": "r-1" }'],
    ['an escape for the same text', '{"reference":"\\u0072-1"}'],
    ['nothing', ''],
  ])('does not cover a body with %s', async (_, body) => {
    const {answer} = testServer();
    expect(await answer({...hmacRequest(), body: Buffer.from(body)})).toBe('credentials');
  });

  it('tells NFD from NFC', async () => {
    const {answer} = testServer();
    const nfd = Buffer.from('{"reference":"re\u0301f"}');
    const nfc = Buffer.from('{"reference":"r\u00e9f"}');
    expect(await answer({...hmacRequest({body: nfd}), body: nfc})).toBe('credentials');
  });

  it.each([
    '/api/v1/decrypt/parser?x=1',
    '/api/v1/decrypt/parser/',
    '/api/v1/Decrypt/parser',
    '/api/v1/decrypt/%70arser',
  ])('does not cover the target %s', async (target) => {
    const {answer} = testServer();
    expect(await answer({...hmacRequest(), target})).toBe('credentials');
  });

  it.each(['http://host:8080', 'https://host', 'HTTP://[::1]:1'])(
    'is over path and query of the absolute form %s/...',
    async (origin) => {
      const {answer} = testServer();
      const request = hmacRequest({target: `${TARGET}?a=b`});
      expect(await answer({...request, target: `${origin}${TARGET}?a=b`})).toBe('accepted');
    },
  );

  const lines = (separator: string, method = 'POST', target = TARGET, hash = contentHash(BODY)) =>
    [`${method} ${target}`, 'n-1', String(NOW), '', hash].join(separator);

  it.each([
    ['CRLF', lines('\r\n')],
    ['a line feed at the end', `${lines('\n')}\n`],
    ['one line feed missing', lines('\n').replace('\n\n', '\n')],
    ['the verb in lower case', lines('\n', 'post')],
    ['the absolute URL', lines('\n', 'POST', `http://host${TARGET}`)],
    [
      'the content hash in upper case',
      lines('\n', 'POST', TARGET, contentHash(BODY).toUpperCase()),
    ],
  ])('is wrong over a string with %s', async (_, message) => {
    const {answer} = testServer();
    const signer = {partnerId: 'WATERFORD', nonce: 'n-1', timestamp: NOW};
    const header = signatureHeader('Hmac', signer, hexOf(KEY.sign(message)));
    expect(await answer({body: BODY, authorization: [header]})).toBe('credentials');
  });

  it.each([
    ['partner key', PARTNER_KEY],
    ['PEM of the public key', VECTORS.rsaKeys['test-rsa-2048']?.publicKey ?? ''],
  ])('is wrong under the %s', async (_, key) => {
    const {answer} = testServer();
    const request = hmacRequest({}, new HmacKey(Buffer.from(key)));
    expect(await answer(request)).toBe('credentials');
  });
});

describe('an RSA signature', () => {
  const signer = {partnerId: 'WATERFORD', nonce: 'n-1', timestamp: NOW};
  const message = Buffer.from(stringToHash(REQUEST, 'n-1', String(NOW)));
  const answerTo = (response: string, scheme: 'Rsa' | 'Hmac' = 'Rsa') =>
    testServer().answer({body: BODY, authorization: [signatureHeader(scheme, signer, response)]});
  const good = /response="([^"]+)"/.exec(rsaHeader(REQUEST, signer, PRIVATE_KEY))?.[1] ?? '';

  it('with PSS padding is refused', async () => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const response = sign('sha256', message, {key: PRIVATE_KEY, padding}).toString('hex');
    expect(await answerTo(response)).toBe('credentials');
  });

  it('with SHA-1 or SHA-512 is refused', async () => {
    const answers = ['sha1', 'sha512'].map((hash) =>
      answerTo(sign(hash, message, PRIVATE_KEY).toString('hex')),
    );
    expect(await Promise.all(answers)).toEqual(['credentials', 'credentials']);
  });

  it.each([
    ['one byte short', good.slice(2), 'credentials'],
    ['one byte long', `${good}00`, 'credentials'],
    ['one zero byte in front', `00${good}`, 'credentials'],
    ['half a byte short', good.slice(1), 'malformed'],
    ['neither hex nor base64', `!${good.slice(1)}`, 'malformed'],
    [
      'base64 without padding',
      Buffer.from(good, 'hex').toString('base64').replace(/=+$/, ''),
      'malformed',
    ],
  ])('that is %s is refused', async (_, response, expected) => {
    expect(await answerTo(response)).toBe(expected);
  });

  it('sent as Hmac is refused', async () => {
    expect(await answerTo(good, 'Hmac')).toBe('malformed');
  });
});

describe('Basic', () => {
  const of = (bytes: string, encoding: BufferEncoding = 'utf8') =>
    `Basic ${Buffer.from(bytes, encoding).toString('base64')}`;
  const pair = `WATERFORD:${PARTNER_KEY}`;

  it.each([
    [
      'base64url',
      of('WATERFORD:\u00ff\u00ff?>', 'latin1').replaceAll('/', '_').replaceAll('+', '-'),
    ],
    ['missing padding', of(`${pair}1`).replace(/=+$/, '')],
    ['junk in the base64', of(pair).replace('V0', 'V0!')],
    ['a blank in the base64', of(pair).replace('V0', 'V0 ')],
    ['no colon', of('WATERFORD')],
    ['no id', of(`:${PARTNER_KEY}`)],
    ['latin1 bytes', of('WATERFORD:\u00e9', 'latin1')],
    ['a control character', of(`WATERFORD:${PARTNER_KEY}\u0000`)],
    ['a line feed', of(`${pair}\n`)],
    ['parameters', 'Basic realm="Users"'],
    ['nothing', 'Basic '],
  ])('with %s is malformed', async (_, header) => {
    expect(await testServer().answer({authorization: [header]})).toBe('malformed');
  });

  it('with a byte order mark in front of the id is another id', async () => {
    expect(await testServer().answer({authorization: [of(`\ufeff${pair}`)]})).toBe('credentials');
  });

  it('with an empty key is wrong', async () => {
    expect(await testServer().answer({authorization: [of('WATERFORD:')]})).toBe('credentials');
  });
});

describe('Digest', () => {
  const issue = (server: ReturnType<typeof testServer>, seconds = NOW) =>
    server.context.digestNonces.issue(seconds * 1000);

  it.each(['SHA-256', 'MD5'] as const)('with %s is accepted', async (algorithm) => {
    const server = testServer();
    expect(await server.answer(digestRequest(issue(server), {algorithm}))).toBe('accepted');
  });

  it.each<[string, (header: string) => string, string]>([
    ['algorithm in quotes', (header) => header.replace('SHA-256', '"SHA-256"'), 'accepted'],
    ['qop in quotes', (header) => header.replace('qop=auth', 'qop="auth"'), 'accepted'],
    ['an opaque of its own', (header) => `${header}, opaque="x"`, 'accepted'],
    ['userhash=false', (header) => `${header}, userhash=false`, 'accepted'],
    ['userhash=true', (header) => `${header}, userhash=true`, 'malformed'],
    ['nc in another form', (header) => header.replace('nc=00000001', 'nc=1'), 'malformed'],
    ['nc 0', (header) => header.replace('nc=00000001', 'nc=00000000'), 'malformed'],
    ['nc not in hex', (header) => header.replace('nc=00000001', 'nc=0000000g'), 'malformed'],
    ['no qop', (header) => header.replace(', qop=auth', ''), 'malformed'],
    ['no cnonce', (header) => header.replace(', cnonce="c"', ''), 'malformed'],
    ['an empty cnonce', (header) => header.replace('cnonce="c"', 'cnonce=""'), 'malformed'],
    [
      'qop auth-int of another body',
      (header) => header.replace('qop=auth', 'qop=auth-int'),
      'credentials',
    ],
    ['another uri', (header) => header.replace(TARGET, '/api/v1/device/validate'), 'malformed'],
    ['the realm in another case', (header) => header.replace('"Users"', '"users"'), 'malformed'],
    ['an algorithm not offered', (header) => header.replace('SHA-256', 'SHA-512-256'), 'malformed'],
    ['a session algorithm', (header) => header.replace('SHA-256', 'SHA-256-sess'), 'malformed'],
    ['the other algorithm', (header) => header.replace('SHA-256', 'MD5'), 'malformed'],
    [
      'no algorithm, which means MD5',
      (header) => header.replace(' algorithm=SHA-256,', ''),
      'malformed',
    ],
    ['a wrong response', (header) => header.replace(/.{8}"$/, '00000000"'), 'credentials'],
    [
      'another nc than was hashed',
      (header) => header.replace('nc=00000001', 'nc=00000002'),
      'credentials',
    ],
    ['username*', (header) => header.replace('username="', 'username*="'), 'malformed'],
    ['an unknown parameter', (header) => `${header}, foo=bar`, 'malformed'],
  ])('with %s', async (_, edit, expected) => {
    const server = testServer();
    expect(await server.answer(digestRequest(issue(server), {}, edit))).toBe(expected);
  });

  it('without an algorithm is MD5', async () => {
    const server = testServer();
    const edit = (header: string) => header.replace(' algorithm=MD5,', '');
    expect(await server.answer(digestRequest(issue(server), {algorithm: 'MD5'}, edit))).toBe(
      'accepted',
    );
  });

  it('accepts each count of a nonce once, in any order', async () => {
    const server = testServer();
    const nonce = issue(server);
    const answers: string[] = [];
    for (const count of [3, 1, 2, 1, 3, 0x0a]) {
      answers.push(await server.answer(digestRequest(nonce, {count})));
    }
    const [once, again] = ['accepted', 'replay'];
    expect(answers).toEqual([once, once, once, again, again, once]);
  });

  it('takes a count in the other case for the same', async () => {
    const server = testServer();
    const nonce = issue(server);
    await server.answer(digestRequest(nonce, {count: 10}));
    const edit = (header: string) => header.replace('0000000a', '0000000A');
    expect(await server.answer(digestRequest(nonce, {count: 10}, edit))).not.toBe('accepted');
  });

  it('gives two callers of the same moment two nonces', () => {
    const server = testServer();
    expect(issue(server)).not.toBe(issue(server));
  });

  it.each([
    [900, 'accepted'],
    [901, 'stale'],
  ])('a nonce %i s old: %s', async (age, expected) => {
    const server = testServer();
    const nonce = issue(server);
    server.setTime(NOW + age);
    expect(await server.answer(digestRequest(nonce))).toBe(expected);
  });

  it('is stale only when the response is right', async () => {
    const server = testServer();
    const nonce = issue(server);
    server.setTime(NOW + 901);
    const edit = (header: string) => header.replace(/.{8}"$/, '00000000"');
    expect(await server.answer(digestRequest(nonce, {}, edit))).toBe('credentials');
  });

  it('knows a nonce of another secret by its signature', async () => {
    const nonces = new DigestNonces(Buffer.from('another'), (size) => Buffer.alloc(size));
    expect(await testServer().answer(digestRequest(nonces.issue(NOW * 1000)))).toBe('stale');
  });

  it.each([(nonce: string) => `${nonce.slice(0, -1)}A`, (nonce: string) => `${nonce}=`, () => 'c'])(
    'knows a nonce that was changed',
    async (change) => {
      const server = testServer();
      expect(await server.answer(digestRequest(change(issue(server))))).toBe('stale');
    },
  );
});

describe('pre-emptive Digest', () => {
  const header = signDigestPreemptive(REQUEST, {partnerId: 'WATERFORD', nonce: 'p-1'}, DIGEST_KEY);

  it('is accepted once', async () => {
    const {answer} = testServer();
    const answers = [
      await answer({authorization: [header]}),
      await answer({authorization: [header]}),
    ];
    expect(answers).toEqual(['accepted', 'replay']);
  });

  it.each<[string, string]>([
    ['another uri', header.replace(TARGET, '/api/v1/device/validate')],
    ['another realm', header.replace('"Users"', '"users"')],
    ['a short response', header.replace(/..."$/, '"')],
  ])('with %s is malformed', async (_, changed) => {
    expect(await testServer().answer({authorization: [changed]})).toBe('malformed');
  });

  it('is no way to use a challenge without qop', async () => {
    const server = testServer();
    const nonce = server.context.digestNonces.issue(NOW * 1000);
    const downgraded = signDigestPreemptive(REQUEST, {partnerId: 'WATERFORD', nonce}, DIGEST_KEY);
    expect(await server.answer({authorization: [downgraded]})).toBe('malformed');
  });

  it.each(['a,b=c; d', '"\\', '+/=', '~', 'x'.repeat(128)])('takes the nonce %s', async (nonce) => {
    const header = signDigestPreemptive(REQUEST, {partnerId: 'WATERFORD', nonce}, DIGEST_KEY);
    expect(await testServer().answer({authorization: [header]})).toBe('accepted');
  });

  it.each([':', 'a:b', 'x'.repeat(129), ''])('refuses the nonce %s', async (nonce) => {
    const header = signDigestPreemptive(REQUEST, {partnerId: 'WATERFORD', nonce}, DIGEST_KEY);
    expect(await testServer().answer({authorization: [header]})).toBe('malformed');
  });
});

describe('time and replay', () => {
  it.each([
    [900, 'accepted'],
    [900.999, 'accepted'],
    [901, 'time'],
    [-900, 'accepted'],
    [-901, 'time'],
  ])('a request of %d s ago is %s', async (age, expected) => {
    const {answer} = testServer(undefined, {now: NOW + age});
    expect(await answer(hmacRequest())).toBe(expected);
  });

  it('a timestamp in milliseconds is far ahead', async () => {
    expect(await testServer().answer(hmacRequest({timestamp: NOW * 1000}))).toBe('time');
  });

  it.each([0, 2 ** 31, 2 ** 32])('works at %d s since 1970', async (now) => {
    const {answer} = testServer(undefined, {now});
    expect(await answer(hmacRequest({timestamp: now}))).toBe('accepted');
  });

  it.each<[string, Signing, string]>([
    ['the same request', {}, 'replay'],
    ['the same nonce with another time', {timestamp: NOW + 1}, 'replay'],
    ['another nonce', {nonce: 'n-2'}, 'accepted'],
  ])('the second time, %s is %s', async (_, second, expected) => {
    const {answer} = testServer();
    await answer(hmacRequest());
    expect(await answer(hmacRequest(second))).toBe(expected);
  });

  it('the same nonce with another body is a replay', async () => {
    const {answer} = testServer();
    await answer(hmacRequest());
    const body = Buffer.from('{}');
    expect(await answer({...hmacRequest({body}), body})).toBe('replay');
  });

  it('one nonce space is shared by all methods', async () => {
    const {answer} = testServer();
    await answer(hmacRequest());
    const header = rsaHeader(
      REQUEST,
      {partnerId: 'WATERFORD', nonce: 'n-1', timestamp: NOW},
      PRIVATE_KEY,
    );
    expect(await answer({body: BODY, authorization: [header]})).toBe('replay');
  });

  it('another partner may use the same nonce', async () => {
    const {answer} = testServer([testPartner(), testPartner({partnerId: 'OTHER'})]);
    await answer(hmacRequest());
    expect(await answer(hmacRequest({partnerId: 'OTHER'}))).toBe('accepted');
  });

  it('partner A with nonce b:c is not partner A:b with nonce c', async () => {
    const {answer} = testServer([testPartner({partnerId: 'A'}), testPartner({partnerId: 'A:b'})]);
    await answer(hmacRequest({partnerId: 'A', nonce: 'b:c'}));
    expect(await answer(hmacRequest({partnerId: 'A:b', nonce: 'c'}))).toBe('accepted');
  });

  it('a wrong signature does not spend the nonce', async () => {
    const {answer} = testServer();
    await answer(hmacRequest({}, new HmacKey(Buffer.from('wrong'))));
    expect(await answer(hmacRequest())).toBe('accepted');
  });

  it('of 200 copies at once exactly one is accepted', async () => {
    const {answer} = testServer();
    const answers = await Promise.all(Array.from({length: 200}, () => answer(hmacRequest())));
    expect(answers.filter((found) => found === 'accepted')).toHaveLength(1);
  });

  it.each([899.9, 900, 900.9])('%d s later the same request is a replay', async (age) => {
    const server = testServer();
    await server.answer(hmacRequest());
    server.setTime(NOW + age);
    expect(await server.answer(hmacRequest())).toBe('replay');
  });

  it('901 s later it is too old', async () => {
    const server = testServer();
    await server.answer(hmacRequest());
    server.setTime(NOW + 901);
    expect(await server.answer(hmacRequest())).toBe('time');
  });

  it.each([901, 1000, 1800])('a request dated 900 s ahead is a replay %i s later', async (age) => {
    const server = testServer();
    await server.answer(hmacRequest({timestamp: NOW + 900}));
    server.setTime(NOW + age);
    expect(await server.answer(hmacRequest({timestamp: NOW + 900}))).toBe('replay');
  });

  it('no setting of the clock makes a request work twice', async () => {
    const server = testServer();
    await server.answer(hmacRequest());
    const answers: string[] = [];
    for (const offset of [600, 0, -600, 899, 1000, 300, 1900, 0, 5000, 10, 900]) {
      server.setTime(NOW + offset);
      answers.push(await server.answer(hmacRequest()));
    }
    expect(answers).not.toContain('accepted');
  });

  it('a clock set back 10 minutes does not turn good requests away', async () => {
    const server = testServer();
    await server.answer(hmacRequest());
    server.setTime(NOW - 600);
    expect(await server.answer(hmacRequest({nonce: 'n-2', timestamp: NOW - 600}))).toBe('accepted');
  });
});

describe('the replay store', () => {
  it('when it is full gives error 2, and nothing is accepted unchecked', async () => {
    const {answer} = testServer(undefined, {capacity: 2});
    await answer(hmacRequest());
    await expect(answer(hmacRequest({nonce: 'n-2'}))).rejects.toMatchObject({code: 2});
  });

  it('when it cannot be reached gives error 2', async () => {
    const replay: ReplayStore = {claim: () => Promise.reject(new Error('gone'))};
    const {answer} = testServer(undefined, {replay});
    await expect(answer(hmacRequest())).rejects.toMatchObject({
      code: 2,
      message: 'Service temporarily unavailable',
    });
  });

  it('is asked last, and only for right requests', async () => {
    const claim = vi.fn(async () => 'fresh' as const);
    const {answer} = testServer(undefined, {replay: {claim}});
    await answer(hmacRequest({timestamp: NOW - 901}));
    await answer(hmacRequest({}, new HmacKey(Buffer.from('wrong'))));
    await answer({...hmacRequest(), credentials: {partnerId: 'OTHER'}});
    expect(claim).not.toHaveBeenCalled();
  });
});

describe('the work of a refusal', () => {
  const partners = [testPartner(), testPartner({partnerId: 'DISABLED', methods: []})];
  const server = testServer(partners);
  const nonce = server.context.digestNonces.issue(NOW * 1000);
  const other = (partnerId: string) => new DigestKey(partnerId, Buffer.from('wrong'));
  const wrong: Readonly<Record<AuthMethod, (partnerId: string) => Partial<AuthRequest>>> = {
    transparent: (partnerId) => ({credentials: {partnerId, partnerKey: 'wrong'}}),
    basic: (partnerId) => ({authorization: [signBasic(partnerId, 'wrong')]}),
    digest: (username) => ({
      authorization: [
        signDigest(
          REQUEST,
          {username, nonce, algorithm: 'SHA-256', cnonce: 'c', count: 1},
          other(username),
        ),
      ],
    }),
    'digest-preemptive': (partnerId) => ({
      authorization: [signDigestPreemptive(REQUEST, {partnerId, nonce: 'n'}, other(partnerId))],
    }),
    hmac: (partnerId) => hmacRequest({partnerId}, new HmacKey(Buffer.from('wrong'))),
    rsa: (partnerId) => ({
      authorization: [
        rsaHeader({...REQUEST, target: '/'}, {partnerId, nonce: 'n', timestamp: NOW}, PRIVATE_KEY),
      ],
    }),
  };

  const workOf = async (request: Partial<AuthRequest>) => {
    operations.length = 0;
    await server.answer({body: BODY, ...request});
    return [...operations];
  };

  beforeEach(async () => {
    await workOf(wrong.hmac('nobody'));
  });

  it.each(AUTH_METHODS)('of %s is some', async (method) => {
    expect(await workOf(wrong[method]('WATERFORD'))).not.toEqual([]);
  });

  it.each(AUTH_METHODS)(
    'of %s is the same for a wrong key, an unknown partner and a method not enabled',
    async (method) => {
      const work = await workOf(wrong[method]('WATERFORD'));
      const others = [
        await workOf(wrong[method]('nobody')),
        await workOf(wrong[method]('DISABLED')),
      ];
      expect(others).toEqual([work, work]);
    },
  );

  it('of an RSA signature does not depend on its length', async () => {
    const [header = ''] = wrong.rsa('WATERFORD').authorization ?? [];
    const short = header.replace(/response="../, 'response="');
    expect(await workOf({authorization: [short]})).toEqual(await workOf(wrong.rsa('nobody')));
  });
});

it('shared keys stand for the bytes that the record says', async () => {
  const keys = [
    ['hex', Buffer.from('00ff10', 'hex'), '00FF10'],
    ['base64', Buffer.from('00ff10', 'hex'), 'AP8Q'],
    ['utf8', Buffer.from('00FF10'), '00FF10'],
  ] as const;
  for (const [encoding, bytes, text] of keys) {
    const {answer} = testServer([testPartner({sharedKey: secret(text), encoding})]);
    expect(await answer(hmacRequest({}, new HmacKey(bytes)))).toBe('accepted');
  }
});

it('quotes in a partnerId and a nonce are escaped and read back', async () => {
  const partnerId = 'A "B" \\C';
  const {answer} = testServer([testPartner({partnerId})]);
  const request = hmacRequest({partnerId, nonce: '"\\'});
  expect(parseAuthorization(request.authorization?.[0] ?? '')?.parameters.get('nonce')?.value).toBe(
    '"\\',
  );
  expect(await answer(request)).toBe('accepted');
});
