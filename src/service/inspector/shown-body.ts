import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {HIDDEN} from './shown-head.js';

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
