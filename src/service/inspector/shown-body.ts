import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {HIDDEN} from './shown-head.js';

interface Masks {
  /** Texts that are secret wherever they stand: keys of the partner. */
  readonly secrets: readonly string[];
  /** What stands in the place of a payload. */
  readonly payload: (value: string) => string;
}

/** Strings of JSON, what is between them, and a string that does not end. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*"|[^"]+|"[\s\S]*$/g;
const PRIMITIVE = /[^\s,:[\]{}]+/g;
const SECRET_MEMBER = /key(?!ed|ser)|passw|pwd|secret|token|credential|signature|^bdk$|^ik$/i;
/** Long hex in these is data, not a key. */
const DATA_MEMBER = /^(?:devicePayload|ksn|iv|reference)$/;
/** A secret that is shorter would be found in ordinary words. */
const SHORTEST_SECRET = 8;

/** A body as it was received; what is secret or a card number is hidden, the rest is unchanged. */
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
    const text = textOf(token);
    if (/^\s*:/.test(tokens[i + 1] ?? '')) {
      name = text;
      return redactKeys(token);
    }
    const value = shownString(token, text, name, payload);
    name = undefined;
    return value;
  });
  const known = secrets.filter(({length}) => length >= SHORTEST_SECRET);
  const hidden = known.reduce((text, secret) => text.replaceAll(secret, HIDDEN), shown.join(''));
  return redactCardNumbers(hidden);
}

function shownString(
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

/** Of `: 1234, ` the number; of `: [` nothing but what would follow it. */
function hidePrimitive(token: string): string {
  return token.replace(PRIMITIVE, HIDDEN);
}

function textOf(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1);
  }
}
