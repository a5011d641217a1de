import type {AuthMethod} from '../../contract/auth-method.js';
import type {Authentication} from '../scenario.js';
import {type ContractCase, UNAUTHORIZED} from './contract-case.js';
import {refused, success} from './expectations.js';

const SIGNED_BODY = '{"reference":"signed"}';

/** What our contract says of authentication (docs/contract.md#authentication). */
export const AUTHENTICATION_CASES: readonly ContractCase[] = [
  ...(['basic', 'digest', 'hmac', 'rsa'] as const).map((method) =>
    authCase(`auth-${method}`, `${method} authenticates`, method, {}, true),
  ),
  authCase(
    'auth-digest-preemptive',
    'Pre-emptive Digest authenticates where it is enabled',
    'digest-preemptive',
    {},
    true,
  ),
  authCase(
    'auth-basic-wrong',
    'A wrong key in Basic is rejected',
    'basic',
    {wrongKey: true},
    false,
  ),
  authCase(
    'auth-digest-wrong',
    'A wrong key in Digest is rejected',
    'digest',
    {wrongKey: true},
    false,
  ),
  authCase(
    'auth-rsa-tampered',
    'RSA detects a changed body',
    'rsa',
    {signedBody: (body) => `${body} `},
    false,
  ),
  authCase(
    'auth-rsa-stale',
    'RSA rejects timestamps more than 15 minutes old',
    'rsa',
    {timeShift: -960},
    false,
  ),
  authCase(
    'auth-hmac-ahead',
    'A timestamp 14 minutes ahead is accepted',
    'hmac',
    {timeShift: 840},
    true,
  ),
  authCase(
    'auth-hmac-far-ahead',
    'A timestamp 16 minutes ahead is rejected',
    'hmac',
    {timeShift: 960},
    false,
  ),
  authCase(
    'auth-scheme-case',
    'The scheme is case-insensitive',
    'hmac',
    {change: (h) => h.replace('Hmac', 'HMAC')},
    true,
  ),
  authCase(
    'auth-quoted-timestamp',
    'A quoted timestamp is accepted',
    'hmac',
    {change: (h) => h.replace(/timestamp=(\d+)/, 'timestamp="$1"')},
    true,
  ),
  authCase(
    'auth-white-space',
    'White space around commas is accepted',
    'hmac',
    {change: (h) => h.replaceAll(', ', ' ,\t')},
    true,
  ),
  authCase(
    'auth-unknown-property',
    'An unknown property is rejected',
    'hmac',
    {change: (h) => `${h}, extra="1"`},
    false,
  ),
  authCase(
    'auth-repeated-property',
    'A repeated property is rejected',
    'hmac',
    {change: (h) => `${h}, nonce="1"`},
    false,
  ),
  authCase(
    'auth-unquoted',
    'An unquoted username is rejected',
    'hmac',
    {change: (h) => h.replace(/username="(\w*)"/, 'username=$1')},
    false,
  ),
  authCase(
    'auth-unknown-scheme',
    'An unknown scheme is rejected',
    'hmac',
    {change: (h) => h.replace('Hmac', 'Bearer')},
    false,
  ),
];

function authCase(
  id: string,
  title: string,
  method: AuthMethod,
  change: Omit<Authentication, 'method'>,
  taken: boolean,
): ContractCase {
  const expect = taken ? success({status: 200}) : refused(UNAUTHORIZED);
  return {
    id,
    title,
    clause: 'docs/contract.md#authentication',
    needs: [method],
    step: {authentication: {method, ...change}, body: SIGNED_BODY, expect},
  };
}
