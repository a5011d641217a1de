import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';

/** Replaces a secret. */
export const HIDDEN = '••••';

/** Names of headers whose values are secret. */
const SECRET_HEADER = /auth|cookie|token|secret|key|passw|signature|session/i;
/** The headers of the interface's methods have one secret: the proof. */
const SIGNED = /^\s*(?:hmac|rsa|digest)\s/i;
const RESPONSE = /(\bresponse\s*=\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s,"]+)/gi;
const NOT_SECRET = /\b(?:nonce|timestamp)\s*=/i;
/** Longer values are cut. */
const MAX_VALUE_CHARS = 4096;

/** Headers in the order received; secrets and card numbers are hidden. */
export function shownHead(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    headers.push([shownText(name), shownValue(name, rawHeaders[i + 1] ?? '')]);
  }
  return headers;
}

function shownValue(name: string, value: string): string {
  if (!SECRET_HEADER.test(name)) return shownText(value);
  if (name.toLowerCase() !== 'authorization' || !SIGNED.test(value)) return schemeOf(value);
  const shown = value.replace(RESPONSE, `$1"${HIDDEN}"`);
  // A key where the response belongs, or a response under another name: fail closed.
  return shown === value || !NOT_SECRET.test(value) ? schemeOf(value) : shownText(shown);
}

/** `Basic ••••`: a scheme of the interface may be shown, anything else could be the secret. */
function schemeOf(value: string): string {
  const [, scheme] = /^\s*(basic|digest|hmac|rsa|bearer)\s/i.exec(value) ?? [];
  return scheme === undefined ? HIDDEN : `${scheme} ${HIDDEN}`;
}

/** A text from outside without keys, card numbers and the secrets of a query, clipped. */
export function shownText(text: string): string {
  return redactKeys(redactCardNumbers(redactQuery(text))).slice(0, MAX_VALUE_CHARS);
}
