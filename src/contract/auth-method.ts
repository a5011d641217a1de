import {frozen} from './frozen.js';

/**
 * The authentication methods, by the names that partner records use
 * (docs/contract.md#authentication).
 */
export const AUTH_METHODS = frozen([
  'transparent',
  'basic',
  'digest',
  'digest-preemptive',
  'hmac',
  'rsa',
] as const);

export type AuthMethod = (typeof AUTH_METHODS)[number];

/** The methods that have an Authorization header. */
export type HeaderMethod = Exclude<AuthMethod, 'transparent'>;

/** The keys of a partner that sends requests. */
export type SenderKey = 'partnerKey' | 'sharedKey' | 'privateKey';

/** The key that a sender needs for each method. */
export const KEY_OF_METHOD: Readonly<Record<AuthMethod, SenderKey>> = {
  transparent: 'partnerKey',
  basic: 'partnerKey',
  digest: 'partnerKey',
  'digest-preemptive': 'partnerKey',
  hmac: 'sharedKey',
  rsa: 'privateKey',
};

/** Whether `name` is the name of an authentication method. */
export function isAuthMethod(name: string): name is AuthMethod {
  return (AUTH_METHODS as readonly string[]).includes(name);
}

/** Encodings of a shared key; UTF-8 unless the record of the partner names another. */
export const SHARED_KEY_ENCODINGS = ['utf8', 'hex', 'base64'] as const;

export type SharedKeyEncoding = (typeof SHARED_KEY_ENCODINGS)[number];
