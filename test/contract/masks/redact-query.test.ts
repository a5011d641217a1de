import {describe, expect, it} from 'vitest';
import {redactQuery} from '../../../src/contract/masks/redact-query.js';

const PATH = '/api/v1/partner/validate';
const HEX = '0123456789ABCDEFFEDCBA9876543210';

describe('redactQuery', () => {
  it.each([
    ...['partnerKey', 'sharedKey', 'key', 'api_key', 'passphrase', 'pwd', 'Password', 'secret'],
    ...['access_token', 'authorization', 'Auth', 'signature', 'sig', 'bdk', 'IK'],
    ...['partner%4bey', '%70ass', 'key%', 'a=b&key', 'a=b;key', 'x#key'],
  ])('hides the value of %s', (name) => {
    expect(redactQuery(`${PATH}?${name}=a%20secret,+too&a=b`)).toBe(`${PATH}?${name}=[hidden]&a=b`);
  });

  it.each(['ab;cd', 'ab;cd=ef', ';ab', 'ab#cd', 'ab?cd', 'ab;step=1;cd#ef=?'])(
    'hides the whole of %s, which a client did not encode',
    (value) => {
      expect(redactQuery(`${PATH}?a=b;token=${value}&c=d`)).toBe(`${PATH}?a=b;token=[hidden]&c=d`);
    },
  );

  it.each([
    ['?token%3D', '&c=d'],
    ['?%70ass%3d', ''],
    ['?next=%2F%3Ftoken%3D', '&c=d'],
    ['?next=%2Fa%3Fb%3Dc%26partner%4bey%3D', ''],
    ['?a=b%23key=', ' HTTP/1.1'],
  ])('hides the secret of a query that was encoded as a whole: %s', (before, after) => {
    expect(redactQuery(`${PATH}${before}a%20b%26c${after}`)).toBe(
      `${PATH}${before}[hidden]${after}`,
    );
  });

  it.each(['?', '%3F', '&', ';', '#', ';a=1', '?a'])(
    'takes linear time for %s over and over',
    (part) => {
      const text = PATH + part.repeat(500_000);
      expect(redactQuery(text)).toBe(text);
    },
  );

  it.each([HEX, HEX.toLowerCase(), HEX + HEX])('hides %s whatever its name is', (key) => {
    expect(redactQuery(`POST ${PATH}?a=${key}&b=c\nnonce`)).toBe(
      `POST ${PATH}?a=[hidden]&b=c\nnonce`,
    );
  });

  it.each([
    PATH,
    `${PATH}?`,
    `${PATH}?key`,
    `${PATH}?key=`,
    `${PATH}?key%3D`,
    `${PATH}?next=%2Fa%3Fb%3Dc%26d%3De`,
    `${PATH}?a=b&serial=53T900001&ksn=FFFF9876543210E00001&messageId=1201607010023571033712211`,
    `${PATH}?keySerialNumber=1234567890123456789012&keyed=1&reference=order-7`,
    `${PATH}?reference=8716c8ba-2423-4411-1005-5a77fc894659`,
    `POST ${PATH}?a=b\nn-1\n1700000000\n\n${HEX}${HEX}`,
  ])('leaves %s as it is', (text) => {
    expect(redactQuery(text)).toBe(text);
  });
});
