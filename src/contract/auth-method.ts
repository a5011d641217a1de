/**
 * The authentication methods, by the names that partner records use
 * (docs/contract.md#authentication).
 */
export const AUTH_METHODS = [
  'transparent',
  'basic',
  'digest',
  'digest-preemptive',
  'hmac',
  'rsa',
] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Whether `name` is the name of an authentication method. */
export function isAuthMethod(name: string): name is AuthMethod {
  return (AUTH_METHODS as readonly string[]).includes(name);
}

/** Encodings of a shared key; UTF-8 unless the record of the partner names another. */
export const SHARED_KEY_ENCODINGS = ['utf8', 'hex', 'base64'] as const;

export type SharedKeyEncoding = (typeof SHARED_KEY_ENCODINGS)[number];
