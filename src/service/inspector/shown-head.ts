import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';

/** Replaces a secret. */
const HIDDEN = '••••';

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

interface Masks {
  /** Secrets that are hidden everywhere: the keys of the partner. */
  readonly secrets: readonly string[];
  /** Replaces a payload. */
  readonly payload: (value: string) => string;
}

/** Strings of JSON, what is between them, and a string that does not end. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*"|[^"]+|"[\s\S]*/g;
const PRIMITIVE = /[^\s,:[\]{}]+/g;
const SECRET_MEMBER = /key(?!ed|ser)|passw|pwd|secret|token|credential|signature|^bdk$|^ik$/i;
/** Long hex in these is data, not a key. */
const DATA_MEMBER = /^(?:devicePayload|ksn|iv|reference)$/;
/** Shorter secrets could be part of ordinary words. */
const MIN_SECRET_CHARS = 8;

/** A body as it was received, with secrets and card numbers hidden. */
export function shownBody(body: Uint8Array, {secrets, payload}: Masks): string {
  let name: string | undefined;
  const tokens = Buffer.from(body).toString('utf8').match(TOKENS) ?? [];
  const shown = tokens.map((token, i) => {
    if (!token.startsWith('"')) {
      if (name === undefined || !/[^\s:]/.test(token)) return redactKeys(token);
      const hidden = SECRET_MEMBER.test(name) ? hidePrimitive(token) : redactKeys(token);
      name = undefined;
      return hidden;
    }
    const text = stringContent(token);
    if (/^\s*:/.test(tokens[i + 1] ?? '')) {
      name = text;
      return redactKeys(token);
    }
    const value = shownStringToken(token, text, name, payload);
    name = undefined;
    return value;
  });
  const known = secrets.filter(({length}) => length >= MIN_SECRET_CHARS);
  const hidden = known.reduce((text, secret) => text.replaceAll(secret, HIDDEN), shown.join(''));
  return redactCardNumbers(hidden);
}

function shownStringToken(
  token: string,
  text: string,
  name: string | undefined,
  payload: Masks['payload'],
): string {
  if (name !== undefined && SECRET_MEMBER.test(name)) return `"${HIDDEN}"`;
  if (name === 'devicePayload')
    return payload(text) === text ? token : JSON.stringify(payload(text));
  return name !== undefined && DATA_MEMBER.test(name) ? token : redactKeys(token);
}

/** Hides the number in `: 1234, `. */
function hidePrimitive(token: string): string {
  return token.replace(PRIMITIVE, HIDDEN);
}

function stringContent(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1);
  }
}
