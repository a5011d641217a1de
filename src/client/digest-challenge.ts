import {type Credentials, parseAuthorization} from '../auth/authorization-header.js';
import {REALM} from '../auth/partner/digest-key.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {DigestTerms} from './sign-request.js';

/**
 * The best Digest challenge among the values of WWW-Authenticate: SHA-256 before MD5. Undefined if
 * there is none of this interface: realm `Users`, qop `auth`.
 */
export function chooseChallenge(values: readonly string[]): Omit<DigestTerms, 'count'> | undefined {
  const found = readChallenges(values).flatMap((challenge) => digestTerms(challenge) ?? []);
  return found.find(({algorithm}) => algorithm === 'SHA-256') ?? found[0];
}

/**
 * The challenges in the values of WWW-Authenticate, each of which may contain several; one that is
 * malformed is left out. Source: RFC 9110, section 11.6.1.
 */
export function readChallenges(values: readonly string[]): readonly Credentials[] {
  const challenges: string[] = [];
  for (const value of values)
    for (const element of elementsOf(value)) {
      const last = challenges.length - 1;
      if (BEGINS_CHALLENGE.test(element)) challenges.push(element.trim());
      else if (last >= 0 && element.trim() !== '') challenges[last] += `, ${element.trim()}`;
    }
  return challenges.flatMap((challenge) => {
    const isBare = /^[^\s,="]+$/.test(challenge);
    if (isBare) return {scheme: challenge.toLowerCase(), parameters: new Map()};
    return parseAuthorization(challenge) ?? [];
  });
}

/** The 9021 for a response without a usable Digest challenge; names the schemes that it offers. */
export function noDigestChallenge(
  url: string,
  status: number,
  values: readonly string[],
): PaylensError {
  const schemes = new Set(readChallenges(values).map(({scheme}) => scheme));
  const found = [...schemes].join(', ') || 'none';
  const expected = 'expected a Digest challenge with realm "Users" and qop "auth"';
  return new PaylensError(9021, `POST ${url}: HTTP ${status}: ${expected}, found ${found}`);
}

/** What stands between the commas of a list; a comma in a quoted string is not one of them. */
function elementsOf(value: string): string[] {
  const [closed = ''] = CLOSED.exec(value) ?? [];
  // Behind a quote that none closes, each quote would be looked for to the end.
  const rest = value.slice(closed.length);
  return [...(closed.match(LIST_ELEMENT) ?? []), ...(rest.match(/[^,"]+/g) ?? [])];
}

const CLOSED = /^(?:[^"]|"(?:[^"\\]|\\.)*")*/s;
const LIST_ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/gs;

/** A scheme alone, or one that is followed by something other than the `=` of a parameter. */
const BEGINS_CHALLENGE = /^\s*[^\s,="]+(?: +[^\s=]|\s*$)/;

/** The terms of a Digest challenge of this interface; undefined for any other challenge. */
function digestTerms({scheme, parameters}: Credentials): Omit<DigestTerms, 'count'> | undefined {
  const parameter = (name: string) => parameters.get(name)?.value;
  const algorithm = (parameter('algorithm') ?? 'MD5').toUpperCase();
  const nonce = parameter('nonce');
  const offersAuth = (parameter('qop') ?? '').split(',').some((one) => one.trim() === 'auth');
  if (scheme !== 'digest' || !nonce || !offersAuth) return undefined;
  if (parameter('realm') !== REALM) return undefined;
  return algorithm === 'SHA-256' || algorithm === 'MD5' ? {nonce, algorithm} : undefined;
}
