import {parseAuthorization} from '../auth/authorization-header.js';
import {REALM} from '../auth/partner/digest-key.js';
import type {DigestTerms} from './sign-request.js';

/**
 * The best Digest challenge among the values of WWW-Authenticate: SHA-256 before MD5, each value
 * one challenge. Undefined if there is none of this interface: realm `Users`, qop `auth`.
 */
export function chooseChallenge(values: readonly string[]): Omit<DigestTerms, 'count'> | undefined {
  const found = values.flatMap((value) => readChallenge(value) ?? []);
  return found.find(({algorithm}) => algorithm === 'SHA-256') ?? found[0];
}

/** Reads one challenge; undefined when it is not a Digest challenge of this interface. */
function readChallenge(value: string): Omit<DigestTerms, 'count'> | undefined {
  const challenge = parseAuthorization(value);
  const parameter = (name: string) => challenge?.parameters.get(name)?.value;
  const algorithm = (parameter('algorithm') ?? 'MD5').toUpperCase();
  const nonce = parameter('nonce');
  const offersAuth = (parameter('qop') ?? '').split(',').some((one) => one.trim() === 'auth');
  if (challenge?.scheme !== 'digest' || !nonce || !offersAuth) return undefined;
  if (parameter('realm') !== REALM) return undefined;
  return algorithm === 'SHA-256' || algorithm === 'MD5' ? {nonce, algorithm} : undefined;
}
