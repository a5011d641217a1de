import {describe, expect, it} from 'vitest';
import {
  chooseChallenge,
  noDigestChallenge,
  readChallenges,
} from '../../src/client/digest-challenge.js';
import {cpuMilliseconds} from '../cpu-time.js';

const digest = (algorithm: string, nonce: string) =>
  `Digest realm="Users", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}"`;
const SHA = digest('SHA-256', 'of-sha');
const MD5 = digest('MD5', 'of-md5');

describe('the Digest challenge', () => {
  it.each([
    ['in two headers', [MD5, SHA]],
    ['in one header', [`${MD5}, ${SHA}`]],
    ['in one header, without spaces', [`${MD5},${SHA}`]],
    ['after Basic', [`Basic realm="a, Digest b=\\"c\\"", charset="UTF-8", ${SHA}`]],
    ['between schemes without parameters', [`Negotiate, ${SHA}, Negotiate`]],
    ['after a token', [`Negotiate abc==, ${SHA}`]],
    ['with empty elements of the list', [`, Hmac ,, ${MD5.replaceAll(', q', ', , q')},, ${SHA},`]],
    ['with white space around equals signs', [`Newauth a = 1, ${SHA.replaceAll('=', ' = ')}`]],
    ['beside one that is malformed', [`Bearer realm="x", realm="y", ${SHA}`]],
    ['with scheme and names in other cases', [SHA.replace('Digest realm', 'DIGEST Realm')]],
  ])('is found %s', (_, values) => {
    expect(chooseChallenge(values)).toEqual({nonce: 'of-sha', algorithm: 'SHA-256'});
  });

  it.each([
    ['there is none', ['Basic realm="Users", Hmac']],
    ['its realm is another', [SHA.replace('Users', 'Staff')]],
    ['it does not offer auth', [SHA.replace('auth, ', '')]],
    ['it is only quoted', [`Basic realm="${SHA.replaceAll('"', '\\"')}"`]],
    ['its nonce belongs to another scheme', [`Digest realm="Users", qop="auth", Bearer nonce="n"`]],
  ])('is not found when %s', (_, values) => {
    expect(chooseChallenge(values)).toBeUndefined();
  });

  it('is missed by an error that names what is offered', () => {
    const values = ['Basic realm="Users", Hmac', 'Basic realm="x"'];
    expect(readChallenges(values).map(({scheme}) => scheme)).toEqual(['basic', 'hmac', 'basic']);
    expect(noDigestChallenge('http://x', 401, values)).toMatchObject({
      code: 9021,
      detail: expect.stringMatching(/^POST http:\/\/x: HTTP 401: .*, found basic, hmac$/),
    });
  });

  it('is looked for once behind a quote that is not closed', () => {
    const values = [`Hmac, Basic realm="${'\\"'.repeat(32_000)}`];
    const took = cpuMilliseconds(() => readChallenges(values));
    expect(took).toBeLessThan(500);
    expect(readChallenges(values).map(({scheme}) => scheme)).toContain('hmac');
  });
});
