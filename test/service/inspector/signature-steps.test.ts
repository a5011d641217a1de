import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {
  type Authentication,
  signatureSteps,
} from '../../../src/service/inspector/signature-steps.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';

const SIGNED = 'username="DEMO", nonce="n", timestamp=1000, response="00"';
const HMAC = `Hmac ${SIGNED}`;
const CHALLENGED =
  'Digest username="DEMO", realm="Users", nonce="n", uri="/x", qop=auth, nc=00000001, cnonce="c", response="00"';
const OWN_NONCE = 'Digest username="DEMO", realm="Users", nonce="n", uri="/x", response="00"';
const TRIMMED = 'the body was trimmed before it was hashed';
const IN_BODY = 'no Authorization header: credentials in the body';
const KEY_IN_BODY = 'partnerKey in the body, compared by its hash';

type Row = readonly [name: string, state: 'passed' | 'failed' | 'not reached', text?: string];
type Case = Partial<Omit<Authentication, 'body'>> & {
  readonly headers?: readonly string[];
  readonly body?: string;
};

function hashText(body: string, end: string): string {
  const hash = createHash('sha256').update(body).digest('hex');
  return `${hash.slice(0, 12)}…${hash.slice(60)} as received, ${end}`;
}

const passed = (name: string, text: string): Row => [name, 'passed', text];
const failed = (name: string, text: string): Row => [name, 'failed', text];
const notReached = (...names: readonly string[]) => names.map((name): Row => [name, 'not reached']);

const HEADER = passed('Header', 'Hmac, 4 parameters');
const PARTNER = passed('Partner', 'DEMO, hmac enabled');
const HASH = passed('Body hash', hashText('{}', '2 bytes, ends in 7D'));
const SIGNATURE = passed('Signature', 'of the string to sign');
const BODY = passed('Credentials in the body', 'none, or those of the header');
const TIME = passed('Time', '0 s apart, 900 s allowed');
const NEW = passed('Nonce', 'new, and used from now on');
const UNKNOWN = failed('Partner', 'no partner has this id');
const SIGNED_REST = ['Body hash', 'Signature', 'Credentials in the body', 'Time', 'Nonce'];
const DIGEST = [
  passed('Header', 'Digest, 8 parameters'),
  passed('Partner', 'DEMO, digest enabled'),
  passed('Response', 'of the string to sign'),
  BODY,
];

const CASES: readonly (readonly [string, Case, readonly Row[]])[] = [
  ['a right Hmac', {}, [HEADER, PARTNER, HASH, SIGNATURE, BODY, TIME, NEW]],
  [
    'a right Rsa without a body',
    {headers: [`Rsa ${SIGNED}`], body: ''},
    [
      passed('Header', 'Rsa, 4 parameters'),
      passed('Partner', 'DEMO, rsa enabled'),
      passed('Body hash', hashText('', '0 bytes')),
      ...[SIGNATURE, BODY, TIME, NEW],
    ],
  ],
  [
    'the last second that is accepted',
    {time: 1_900_999},
    [HEADER, PARTNER, HASH, SIGNATURE, BODY, passed('Time', '900 s apart, 900 s allowed'), NEW],
  ],
  [
    'a time that is too old',
    {time: 1_901_000, reason: 'time'},
    [
      ...[HEADER, PARTNER, HASH, SIGNATURE, BODY],
      failed('Time', '901 s apart, 900 s allowed'),
      ...notReached('Nonce'),
    ],
  ],
  [
    'a time that is too far ahead',
    {time: 99_000, reason: 'time'},
    [
      ...[HEADER, PARTNER, HASH, SIGNATURE, BODY],
      failed('Time', '901 s apart, 900 s allowed'),
      ...notReached('Nonce'),
    ],
  ],
  [
    'a used nonce',
    {reason: 'replay'},
    [HEADER, PARTNER, HASH, SIGNATURE, BODY, TIME, failed('Nonce', 'was used before')],
  ],
  [
    'a time that another clock refuses',
    {reason: 'time'},
    [
      ...[HEADER, PARTNER, HASH, SIGNATURE, BODY],
      failed('Time', '0 s apart, 900 s allowed; refused by another clock'),
      ...notReached('Nonce'),
    ],
  ],
  [
    'a nonce that the store could not claim',
    {reason: 'store'},
    [HEADER, PARTNER, HASH, SIGNATURE, BODY, TIME, failed('Nonce', 'not claimed')],
  ],
  [
    'a request that the endpoint refused for what is not known here',
    {reason: 'endpoint'},
    [HEADER, PARTNER, HASH, SIGNATURE, BODY, TIME, ...notReached('Nonce')],
  ],
  [
    'a request without an answer',
    {reason: 'unanswered'},
    notReached('Header', 'Partner', ...SIGNED_REST),
  ],
  [
    'another body',
    {body: '{}\n', reason: 'credentials', faults: [TRIMMED]},
    [
      ...[HEADER, PARTNER],
      failed('Body hash', hashText('{}\n', '3 bytes, ends in 0A')),
      failed('Signature', TRIMMED),
      ...notReached('Credentials in the body', 'Time', 'Nonce'),
    ],
  ],
  [
    'two other mistakes',
    {reason: 'credentials', faults: ['one', 'two']},
    [
      ...[HEADER, PARTNER, HASH],
      failed('Signature', 'one; two'),
      ...notReached('Credentials in the body', 'Time', 'Nonce'),
    ],
  ],
  [
    'an unknown partner',
    {headers: [HMAC.replace('DEMO', 'NOBODY')], reason: 'credentials'},
    [HEADER, UNKNOWN, ...notReached(...SIGNED_REST)],
  ],
  [
    'a partner without the method',
    {headers: [HMAC.replace('DEMO', 'DEMO-UNSIGNED')], reason: 'credentials'},
    [HEADER, failed('Partner', 'DEMO-UNSIGNED, hmac not enabled'), ...notReached(...SIGNED_REST)],
  ],
  [
    'other credentials in the body',
    {reason: 'body'},
    [
      ...[HEADER, PARTNER, HASH, SIGNATURE],
      failed('Credentials in the body', 'none, or those of the header'),
      ...notReached('Time', 'Nonce'),
    ],
  ],
  [
    'a form that strict refuses',
    {reason: 'strict'},
    [failed('Header', 'Hmac, 4 parameters'), ...notReached('Partner', ...SIGNED_REST)],
  ],
  [
    'a malformed value',
    {reason: 'malformed'},
    [failed('Header', 'Hmac, 4 parameters'), ...notReached('Partner', ...SIGNED_REST)],
  ],
  [
    'two headers',
    {headers: [HMAC, HMAC], reason: 'malformed'},
    [failed('Header', '2 Authorization headers, not readable')],
  ],
  [
    'an unreadable header',
    {headers: ['Hmac'], reason: 'malformed'},
    [failed('Header', '1 Authorization header, not readable')],
  ],
  ['another scheme', {headers: ['Bearer abc'], reason: 'scheme'}, [failed('Header', 'Bearer')]],
  [
    'a right Basic',
    {headers: ['Basic REVNTzp4']},
    [
      passed('Header', 'Basic'),
      passed('Partner and key', 'partnerId and partnerKey of the header'),
      BODY,
    ],
  ],
  [
    'a wrong Basic',
    {headers: ['Basic REVNTzp4'], reason: 'credentials'},
    [
      passed('Header', 'Basic'),
      failed('Partner and key', 'partnerId and partnerKey of the header'),
      ...notReached('Credentials in the body'),
    ],
  ],
  ['a right Digest', {headers: [CHALLENGED]}, [...DIGEST, NEW]],
  [
    'a Digest with an old nonce',
    {headers: [CHALLENGED], reason: 'time'},
    [...DIGEST, failed('Nonce', 'too old, or not of this service')],
  ],
  [
    'a wrong Digest',
    {headers: [CHALLENGED], reason: 'credentials', faults: ['wrong']},
    [
      ...DIGEST.slice(0, 2),
      failed('Response', 'wrong'),
      ...notReached('Credentials in the body', 'Nonce'),
    ],
  ],
  [
    'a right pre-emptive Digest',
    {headers: [OWN_NONCE]},
    [
      passed('Header', 'Digest, 5 parameters'),
      passed('Partner', 'DEMO, digest-preemptive enabled'),
      ...DIGEST.slice(2),
      NEW,
    ],
  ],
  [
    'right credentials in the body',
    {headers: [], body: '{"partnerId":"DEMO","partnerKey":"x"}'},
    [
      passed('Header', IN_BODY),
      passed('Partner', 'DEMO, transparent enabled'),
      passed('Partner key', KEY_IN_BODY),
    ],
  ],
  [
    'a wrong key in the body',
    {headers: [], body: '{"partnerId":"DEMO","partnerKey":"x"}', reason: 'credentials'},
    [
      passed('Header', IN_BODY),
      passed('Partner', 'DEMO, transparent enabled'),
      failed('Partner key', KEY_IN_BODY),
    ],
  ],
  [
    'an unknown partner in the body',
    {headers: [], body: '{"partnerId":"X","partnerKey":"x"}', reason: 'credentials'},
    [passed('Header', IN_BODY), UNKNOWN, ...notReached('Partner key')],
  ],
  [
    'no credentials at all',
    {headers: [], reason: 'malformed'},
    [failed('Header', IN_BODY), ...notReached('Partner', 'Partner key')],
  ],
];

test.each(CASES)('%s', (_, {headers = [HMAC], body = '{}', ...about}, rows) => {
  const steps = signatureSteps({
    ...{target: '/x', partners: demoRegistry().partners, time: 1_000_000, faults: []},
    ...about,
    rawHeaders: headers.flatMap((header) => ['Authorization', header]),
    body: Buffer.from(body),
  });
  expect(steps).toEqual(rows.map(([name, state, text = 'not checked']) => ({name, state, text})));
});
