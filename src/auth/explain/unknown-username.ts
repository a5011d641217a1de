import {looseBase64, utf8Of} from '../../platform/bytes.js';
import type {PartnerLookup} from '../partner/partner.js';

/**
 * Explains an unknown username: how it differs from a partner's id that is only written in another
 * way, else that its key is missing here: an endpoint behind may know it. Neither is repeated.
 */
export function unknownUsername(username: string, partners: PartnerLookup): string {
  const found = WAYS.find(([, rewrite]) => {
    const other = rewrite(username);
    return other !== username && partners(other) !== undefined;
  });
  const why = found ? `the partnerId is ${found[0]}` : 'paylens has no key of this partner';
  return `unknown username: ${why}`;
}

/** A name, and what it may stand for. */
export function waysToWrite(username: string): readonly string[] {
  return [username, ...WAYS.map(([, rewrite]) => rewrite(username))];
}

const WAYS: readonly (readonly [string, (username: string) => string])[] = [
  ['without the spaces around it', (username) => username.trim()],
  ['in upper case', (username) => username.toUpperCase()],
  ['in lower case', (username) => username.toLowerCase()],
  ['not percent-encoded', percentDecoded],
  ['not in base64', (username) => utf8Of(looseBase64(username))],
];

/** A text without its percent escapes; unchanged if one is malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
