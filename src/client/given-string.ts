import {createHmac} from 'node:crypto';
import {parseAuthorization} from '../auth/authorization-header.js';
import {quoted} from '../auth/header-fields.js';
import {decodeHex} from '../auth/partner/shared-key.js';
import {equalBytes} from '../platform/hash.js';
import {type ComparedLine, compareStrings} from './compare-strings.js';
import {partnerOf, type SenderCredentials} from './credentials.js';

/** What the string that a caller hashed says of a wrong response. */
export interface GivenString {
  readonly lines: readonly ComparedLine[];
  readonly isSame: boolean;
  /** Whether the response was made from the string, and with which key; undefined for RSA. */
  readonly signed?: {readonly right: boolean; readonly mistake?: string};
}

/**
 * Compares the string that a caller hashed with that of a server, and says whether the response of
 * an Hmac header was made from it. A line feed at the end, which an editor adds, is ignored where
 * neither the response nor the string of the server has it.
 */
export function judgeGivenString(
  server: string,
  text: string,
  authorization: string,
  credentials: SenderCredentials,
): GivenString {
  const response = hmacResponse(authorization);
  const candidates = [text, text.replace(/\r?\n$/, '')];
  for (const given of candidates) {
    const signed = response && signedWith(given, response, credentials);
    if (signed) return {...compared(server, given), signed};
  }
  const given = candidates[1] ?? text;
  return {...compared(server, given), ...(response && {signed: {right: false}})};
}

function compared(server: string, given: string): Pick<GivenString, 'lines' | 'isSame'> {
  return {lines: compareStrings(server, given), isSame: server === given};
}

function hmacResponse(authorization: string): Uint8Array | undefined {
  const credentials = parseAuthorization(authorization);
  if (credentials?.scheme !== 'hmac') return undefined;
  return decodeHex(quoted(credentials.parameters, 'response') ?? '');
}

function signedWith(given: string, response: Uint8Array, credentials: SenderCredentials) {
  const keys = partnerOf(credentials, 'hmac').signingKeys();
  const found = keys.find(({value}) =>
    equalBytes(createHmac('sha256', value).update(given, 'latin1').digest(), response),
  );
  if (!found) return undefined;
  return {right: true, ...(found.mistake !== undefined && {mistake: found.mistake})};
}
