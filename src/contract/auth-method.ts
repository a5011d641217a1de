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

/** How the text of a shared key stands for its bytes; UTF-8 unless the partner's record says so. */
export const SHARED_KEY_ENCODINGS = ['utf8', 'hex', 'base64'] as const;

export type SharedKeyEncoding = (typeof SHARED_KEY_ENCODINGS)[number];
