import {createPublicKey, generateKeyPairSync, type KeyObject} from 'node:crypto';
import {inspect} from 'node:util';
import {describe, expect, it} from 'vitest';
import type {PartnerRecord} from '../../../src/auth/partner/partner.js';
import {PARTNER_KEY, SHARED_KEY, secret, testPartner, VECTORS} from '../auth-fixture.js';

const pem = ({publicKey}: {publicKey: KeyObject}) =>
  publicKey.export({type: 'spki', format: 'pem'}).toString();

const UNUSABLE: readonly (readonly [string, Partial<PartnerRecord>, string])[] = [
  ['an empty id', {partnerId: ''}, 'partnerId: expected 1 to 128 printable characters'],
  ['an id with a line feed', {partnerId: 'A\nB'}, 'partnerId: expected 1 to 128 printable'],
  ['an unknown method', {methods: ['oauth']}, 'methods: expected transparent, basic'],
  [
    'hmac without a shared key',
    {sharedKey: undefined},
    'hmac is enabled, but sharedKey is missing',
  ],
  ...['transparent', 'basic', 'digest', 'digest-preemptive'].map(
    (method): (typeof UNUSABLE)[number] => [
      `${method} without a partner key`,
      {partnerKey: undefined, methods: [method]},
      `${method} is enabled, but partnerKey is missing`,
    ],
  ),
  [
    'rsa without a public key',
    {rsaPublicKey: undefined, methods: ['rsa']},
    'rsa is enabled, but rsaPublicKey is missing',
  ],
  ['an empty shared key', {sharedKey: secret('')}, 'sharedKey: expected utf8'],
  ['hex of odd length', {sharedKey: secret('abc'), encoding: 'hex'}, 'sharedKey: expected hex'],
  ['broken base64', {sharedKey: secret('ab=c'), encoding: 'base64'}, 'sharedKey: expected base64'],
  [
    'an RSA key of 1024 bits',
    {rsaPublicKey: pem(generateKeyPairSync('rsa', {modulusLength: 1024}))},
    'rsaPublicKey: expected 2048 bits or more, found 1024',
  ],
  [
    'an RSA key of 8200 bits',
    {rsaPublicKey: pem({publicKey: rsaKeyOf(Buffer.alloc(1025, 0xff))})},
    'rsaPublicKey: expected at most 8192 bits, found 8200',
  ],
  [
    'an RSA key with exponent 3',
    {
      rsaPublicKey: pem(generateKeyPairSync('rsa', {modulusLength: 2048, publicExponent: 3})),
    },
    'rsaPublicKey: expected exponent 65537, found 3',
  ],
  [
    'an RSA-PSS key',
    {
      rsaPublicKey: pem(generateKeyPairSync('rsa-pss', {modulusLength: 2048})),
    },
    'rsaPublicKey: expected an RSA public key',
  ],
  [
    'an EC key',
    {rsaPublicKey: pem(generateKeyPairSync('ec', {namedCurve: 'P-256'}))},
    'rsaPublicKey: expected an RSA public key',
  ],
  [
    'a private key',
    {rsaPublicKey: VECTORS.rsaKeys['test-rsa-2048']?.privateKey},
    'rsaPublicKey: expected an RSA public key',
  ],
  ['no PEM at all', {rsaPublicKey: 'abc'}, 'rsaPublicKey: expected an RSA public key'],
];

describe('createPartner', () => {
  it.each(UNUSABLE)('refuses %s', (_, record, message) => {
    expect(() => testPartner(record)).toThrow(
      expect.objectContaining({code: 9015, detail: expect.stringContaining(message)}),
    );
  });

  it('shows no key when it is printed', () => {
    const shown =
      inspect(testPartner(), {depth: 10, showHidden: true}) + JSON.stringify(testPartner());
    expect(shown).not.toMatch(new RegExp(`${PARTNER_KEY}|${SHARED_KEY}`));
  });
});

it('takes an RSA key of 8192 bits', () => {
  const rsaPublicKey = pem({publicKey: rsaKeyOf(Buffer.alloc(1024, 0xff))});
  expect(testPartner({rsaPublicKey}).rsaKey?.modulus).toEqual(new Uint8Array(1024).fill(0xff));
});

/** A key that nobody could make in the time of a test. */
function rsaKeyOf(modulus: Buffer): KeyObject {
  const n = modulus.toString('base64url');
  return createPublicKey({key: {kty: 'RSA', n, e: 'AQAB'}, format: 'jwk'});
}
