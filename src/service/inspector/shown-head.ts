import {redactCardNumbers, redactInPlace} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys, starKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery, starQuery} from '../../contract/masks/redact-query.js';
import {headerPairs} from '../http/request-head.js';

/** Names of headers whose values are secret. */
const SECRET_HEADER = /auth|cookie|token|secret|key|passw|signature|session/i;
/** The headers of the interface's methods have one secret: the proof. */
const SIGNED = /^\s*(?:hmac|rsa|digest)\s/i;
const RESPONSE = /(\bresponse\s*=\s*)("(?:[^"\\]|\\.)*"?|[^\s,"]+)/gi;
const NOT_SECRET = /\b(?:nonce|timestamp)\s*=/i;
/** Longer values are cut. */
const MAX_VALUE_CHARS = 4096;

/** Headers in the order received; an asterisk for each character of secrets and card numbers. */
export function shownHead(rawHeaders: readonly string[]): [string, string][] {
  return headerPairs(rawHeaders).map(([name, value]) => [starText(name), shownValue(name, value)]);
}

function shownValue(name: string, value: string): string {
  if (!SECRET_HEADER.test(name)) return starText(value);
  if (name.toLowerCase() !== 'authorization' || !SIGNED.test(value)) return schemeOf(value);
  const shown = value.replace(
    RESPONSE,
    (_, head, proof) => head + proof.replace(/(?<=.)"(?=.)|[^"]/gs, '*'),
  );
  // A key where the response belongs, or a response under another name: fail closed.
  return shown === value || !NOT_SECRET.test(value) ? schemeOf(value) : starText(shown);
}

/** `Basic ***`: a scheme of the interface may be shown, anything else could be the secret. */
function schemeOf(value: string): string {
  const [scheme = ''] = /^\s*(?:basic|digest|hmac|rsa|bearer)\s/i.exec(value) ?? [];
  return scheme + '*'.repeat(value.length - scheme.length);
}

/** The same as `shownText` with an asterisk for each character, and not cut. */
export function starText(text: string): string {
  return starKeys(redactInPlace(starQuery(text)));
}

/** A text from outside without keys, card numbers and the secrets of a query, clipped. */
export function shownText(text: string): string {
  return redactKeys(redactCardNumbers(redactQuery(text))).slice(0, MAX_VALUE_CHARS);
}
