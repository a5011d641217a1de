import {constants, createHmac, createPrivateKey, sign} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {explainSignature} from '../../../src/auth/explain/explain-signature.js';
import {signatureHeader} from '../../../src/auth/methods/hmac.js';
import {contentHash} from '../../../src/auth/string-to-hash.js';
import {
  NOW,
  PARTNER_KEY,
  SHARED_KEY,
  secret,
  TARGET,
  testPartner,
  VECTORS,
} from '../auth-fixture.js';

const BODY = ' {"reference":"caf\u00e9/1","a":1}\r\n';

interface Mistaken {
  readonly body?: string;
  readonly target?: string;
  readonly nonce?: string;
  /** In the header. */
  readonly timestamp?: number;
  /** In the string to hash. */
  readonly signed?: string;
  readonly key?: string | Buffer;
  readonly join?: (method: string, lines: readonly string[]) => string;
}

// The signature that a caller sends who makes the given mistakes, and signs as node:crypto does.
function explain(mistaken: Mistaken = {}, target = TARGET, partner = testPartner()) {
  const {timestamp = NOW, signed = String(timestamp), key = SHARED_KEY, nonce = 'n-1'} = mistaken;
  const join = mistaken.join ?? ((method, lines) => `${method} ${lines.join('\n')}`);
  const hash = contentHash(Buffer.from(mistaken.body ?? BODY));
  const message = join('POST', [mistaken.target ?? target, nonce, signed, '', hash]);
  const response = createHmac('sha256', key).update(message, 'latin1').digest('hex');
  const authorization = signatureHeader(
    'Hmac',
    {partnerId: 'WATERFORD', nonce, timestamp},
    response,
  );
  const request = {
    method: 'POST',
    target,
    body: Buffer.from(BODY),
    authorization,
    host: 'host:8080',
  };
  return explainSignature(request, (id) => (id === 'WATERFORD' ? partner : undefined), NOW * 1000);
}

const QUERY = `${TARGET}?debug=1`;
const MISTAKES: readonly (readonly [string, Mistaken, string, string?])[] = [
  ['a trimmed body', {body: BODY.trim()}, 'the body was trimmed before it was hashed'],
  [
    'no last line end',
    {body: BODY.replace('\r\n', '')},
    'the body was hashed without its trailing newline',
  ],
  ['LF for CR LF', {body: BODY.replace('\r', '')}, 'the body was hashed with LF instead of CR LF'],
  ['a line feed more', {body: `${BODY}\n`}, 'a line feed was hashed after the body'],
  ['no body', {body: ''}, 'an empty body was hashed'],
  [
    'compact JSON',
    {body: '{"reference":"caf\u00e9/1","a":1}'},
    'the body was trimmed before it was hashed',
  ],
  [
    'JSON as Python writes it',
    {body: '{"reference": "caf\\u00e9/1", "a": 1}'},
    'the body was serialised again before it was hashed',
  ],
  [
    'JSON as PHP writes it',
    {body: '{"reference":"caf\u00e9\\/1","a":1}'},
    'the body was serialised again before it was hashed',
  ],
  [
    'pretty JSON',
    {body: '{\n  "reference": "caf\u00e9/1",\n  "a": 1\n}'},
    'the body was serialised again before it was hashed',
  ],
  [
    'JSON by four blanks',
    {body: '{\n    "reference": "caf\u00e9/1",\n    "a": 1\n}'},
    'the body was serialised again before it was hashed',
  ],
  [
    'sorted JSON',
    {body: '{"a":1,"reference":"caf\u00e9/1"}'},
    'the body was serialised again before it was hashed',
  ],
  ['no version', {target: '/api/decrypt/parser'}, 'the path was signed without its version'],
  ['a version', {target: TARGET}, 'the path was signed with a version', '/api/decrypt/parser'],
  ['no query', {target: TARGET}, 'the path was signed without its query', QUERY],
  [
    'the whole URL',
    {target: `http://host:8080${TARGET}`},
    'the path was signed with protocol or host before it',
  ],
  [
    'the host',
    {target: `host:8080${TARGET}`},
    'the path was signed with protocol or host before it',
  ],
  ['a slash at the end', {target: `${TARGET}/`}, 'the path was signed with a trailing slash'],
  [
    'no empty line',
    {join: (m, l) => `${m} ${l.filter(Boolean).join('\n')}`},
    'the empty line before the content hash is missing',
  ],
  ['CR LF', {join: (m, l) => `${m} ${l.join('\r\n')}`}, 'the lines were joined with CR LF'],
  [
    'a line feed at the end',
    {join: (m, l) => `${m} ${l.join('\n')}\n`},
    'a line feed was signed at the end',
  ],
  [
    'a backslash and n',
    {join: (m, l) => `${m} ${l.join('\\n')}`},
    'the lines were joined with the two characters \\n',
  ],
  [
    'the verb in lower case',
    {join: (m, l) => `${m.toLowerCase()} ${l.join('\n')}`},
    'the verb was signed in lower case',
  ],
  [
    'the content hash in upper case',
    {join: (m, l) => `${m} ${[...l.slice(0, -1), l.at(-1)?.toUpperCase()].join('\n')}`},
    'the content hash was signed in upper case',
  ],
  [
    'the key from hex',
    {key: Buffer.from(SHARED_KEY, 'hex')},
    'the shared key was decoded from hex',
  ],
  [
    'the key from base64',
    {key: Buffer.from(SHARED_KEY, 'base64')},
    'the shared key was decoded from base64',
  ],
  [
    'the partner key',
    {key: PARTNER_KEY},
    'the partnerKey was signed with instead of the shared key',
  ],
  [
    'the key with a line feed',
    {key: `${SHARED_KEY}\n`},
    'a line feed was included in the shared key',
  ],
  ['milliseconds', {signed: `${NOW}000`}, 'the timestamp was signed in milliseconds'],
];

const ROWS = MISTAKES.map(
  ([name, mistaken, mistake, target = TARGET]) => [name, mistaken, mistake, target] as const,
);

describe('a usual mistake is found:', () => {
  it.each(ROWS)('%s', (_, mistaken, mistake, target) => {
    expect(explain(mistaken, target)).toMatchObject({right: false, faults: [mistake]});
  });

  it('two at once', () => {
    const {faults} = explain({target: '/api/decrypt/parser', body: BODY.trim()});
    expect(faults).toEqual([
      'the body was trimmed before it was hashed',
      'the path was signed without its version',
    ]);
  });

  it('a key that is hex, taken as text', () => {
    const partner = testPartner({sharedKey: secret('00ff'), encoding: 'hex'});
    expect(explain({key: '00ff'}, TARGET, partner).faults).toEqual([
      'the shared key was used as text',
    ]);
  });

  it('RSA with PSS padding', () => {
    const key = createPrivateKey(VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '');
    const message = `POST ${TARGET}\nn\n${NOW}\n\n${contentHash(Buffer.from(BODY))}`;
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const response = sign('sha256', Buffer.from(message), {key, padding}).toString('hex');
    const authorization = signatureHeader(
      'Rsa',
      {partnerId: 'WATERFORD', nonce: 'n', timestamp: NOW},
      response,
    );
    const request = {method: 'POST', target: TARGET, body: Buffer.from(BODY), authorization};
    expect(explainSignature(request, () => testPartner(), NOW * 1000).faults).toEqual([
      'it was signed with PSS padding instead of PKCS #1 v1.5',
    ]);
  });
});

describe('an explanation', () => {
  it('says that a right signature is right', () => {
    expect(explain()).toMatchObject({right: true, faults: [], age: 0});
  });

  it('shows the string to hash and the content hash', () => {
    const hash = contentHash(Buffer.from(BODY));
    expect(explain()).toMatchObject({
      stringToHash: `POST ${TARGET}\nn-1\n${NOW}\n\n${hash}`,
      contentHash: hash,
    });
  });

  it('says when no usual mistake explains it', () => {
    expect(explain({key: 'another key'}).faults).toEqual([
      'the response is wrong, and no common mistake explains it',
    ]);
  });

  it.each<[Mistaken, object]>([
    [
      {timestamp: NOW - 901},
      {right: true, timeFault: 'the timestamp is 901 s old: at most 900 are accepted'},
    ],
    [
      {timestamp: NOW + 901},
      {
        right: true,
        timeFault: 'the timestamp is 901 s ahead of the clock: at most 900 are accepted',
      },
    ],
    [
      {timestamp: NOW * 1000},
      {right: false, faults: ['the timestamp is in milliseconds: seconds are expected']},
    ],
  ])('of a right signature at another time: %j', (mistaken, expected) => {
    expect(explain(mistaken)).toMatchObject(expected);
  });

  it('never holds the response that would be right', () => {
    const right = createHmac('sha256', SHARED_KEY)
      .update(`POST ${TARGET}\nn-1\n${NOW}\n\n${contentHash(Buffer.from(BODY))}`)
      .digest('hex');
    expect(JSON.stringify(explain({key: 'another key'}))).not.toContain(right);
  });

  const good = 'Hmac username="A", nonce="n", timestamp=1, response="'.concat('0'.repeat(64), '"');

  it.each([
    ['nobody', good, 'unknown username: paylens has no key of this partner'],
    ['a method not enabled', good.replace('"A"', '"BASIC"'), 'hmac is not enabled for it'],
    ['another scheme', 'Bearer YTpi', 'scheme: expected Basic, Digest, Hmac or Rsa'],
    [
      'another scheme of an unknown partner',
      good.replace('Hmac', 'Hmac2'),
      'scheme: expected Basic, Digest, Hmac or Rsa',
    ],
    [
      'another scheme of a partner with Basic',
      good.replace('Hmac', 'Hmac2').replace('"A"', '"BASIC"'),
      'scheme: expected Basic',
    ],
    [
      'semicolons',
      good.replaceAll(',', ';'),
      'expected commas between the properties, found a semicolon',
    ],
    ['single quotes', good.replaceAll('"', "'"), 'username: expected double quotes around it'],
    ['an open quote', good.slice(0, -1), 'unterminated double quote'],
    ['a missing property', good.replace('nonce="n", ', ''), 'nonce is missing'],
    [
      'a strange property',
      `${good}, x=y`,
      'expected only username, nonce, timestamp, response, found x',
    ],
    ...[
      '0123456789ABCDEFFEDCBA9876543210',
      'demo-shared-key-1',
      'c2VjcmV0LXRva2Vu',
      SHARED_KEY,
    ].map((key) => [
      `the key ${key} for a name`,
      `${good}, ${key}="y"`,
      'expected only username, nonce, timestamp, response, found an unknown property',
    ]),
    ['no quotes', good.replace('"A"', 'A'), 'username: expected double quotes around it'],
    [
      'an empty nonce',
      good.replace('"n"', '""'),
      'nonce: expected 1 to 128 printable ASCII characters',
    ],
    [
      'a timestamp with a fraction',
      good.replace('=1,', '=1.5,'),
      'timestamp: expected a Unix timestamp in seconds, digits only, without a leading zero',
    ],
    [
      'a short response',
      good.replace('00"', '"'),
      'response: expected 64 hex digits, found 62 hex digits',
    ],
    [
      'base64',
      good.replace(/0{64}/, `${'x'.repeat(43)}=`),
      'response: expected 64 hex digits, found 44 characters, not all hex',
    ],
    ['a repeated property', `${good}, nonce="n"`, 'nonce: expected once, found twice'],
    ['too much', `${good}${' '.repeat(4096)}`, 'expected at most 4096 characters, found 4214'],
  ])('says what is wrong with %s', (_, authorization, fault) => {
    const partners = new Map([['BASIC', testPartner({partnerId: 'BASIC', methods: ['basic']})]]);
    const request = {method: 'POST', target: TARGET, body: Buffer.alloc(0), authorization};
    const {faults} = explainSignature(request, (id) => partners.get(id), NOW * 1000);
    expect(faults).toEqual([fault]);
  });
});
