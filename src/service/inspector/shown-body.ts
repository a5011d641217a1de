import {redactInPlace} from '../../contract/masks/redact-card-numbers.js';
import {starKeys} from '../../contract/masks/redact-keys.js';

/** Names of members whose values are secret. */
const SECRET_MEMBER = /key(?!ed|ser)|passw|pwd|secret|token|credential|signature|^bdk$|^ik$/i;
/** Long hex in these is data, not a key. */
const DATA_MEMBER = /^(?:devicePayload|ksn|iv|reference)$/;
/** Shorter secrets could be part of ordinary words. */
const MIN_SECRET_CHARS = 8;
/** Strings of JSON, what is between them, and a string that does not end. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*"|[^"]+|"[\s\S]*/g;
const PRIMITIVE = /[^\s,:[\]{}]+/g;
/** What writes one character of a string. */
const UNITS = /\\u[\da-f]{4}|\\[\s\S]|[^\\]/gi;

interface Masks {
  /** Secrets that are hidden everywhere: the keys of the partner. */
  readonly secrets: readonly string[];
  /** Masks the value of a member without changing its length; undefined for members of no card data. */
  readonly value: (member: string, text: string) => string | undefined;
  /** How the text is encoded. */
  readonly encoding: 'utf8' | 'latin1';
}

/** A body with an asterisk for each byte that is hidden. */
export interface ShownBody {
  readonly text: string;
  /** Asterisks for card data: the index of the first, their number, and what they stand for. */
  readonly hidden: readonly (readonly [at: number, stars: number, text: string])[];
}

/** A body of JSON, whole or not, with secrets and card data hidden in place. */
export function shownBody(body: string, masks: Masks): ShownBody {
  const stars = (text: string) => '*'.repeat(Buffer.byteLength(text, masks.encoding));
  const cards: {readonly at: number; readonly token: string; readonly masked: string}[] = [];
  let name: string | undefined;
  let clear = '';
  const tokens = body.match(TOKENS) ?? [];
  for (const [i, token] of tokens.entries()) {
    const isValue = name !== undefined && (token.startsWith('"') || /[^\s:]/.test(token));
    const isSecret = isValue && SECRET_MEMBER.test(name ?? '');
    if (token.startsWith('"') && /^\s*:/.test(tokens[i + 1] ?? '')) {
      name = stringContent(token);
      clear += starKeys(token);
      continue;
    }
    const masked = isValue && !isSecret ? maskedToken(token, name ?? '', masks) : undefined;
    if (masked !== undefined) cards.push({at: clear.length, token, masked});
    if (isSecret) clear += hiddenToken(token, stars);
    else
      clear +=
        masked !== undefined || (isValue && DATA_MEMBER.test(name ?? '')) ? token : starKeys(token);
    if (isValue) name = undefined;
  }
  for (const secret of masks.secrets)
    if (secret.length >= MIN_SECRET_CHARS) clear = clear.replaceAll(secret, stars(secret));
  return compared(clear, maskedWhole(clear, cards), stars);
}

/** Card numbers outside of the values whose masks are known. */
function maskedWhole(
  clear: string,
  cards: readonly {readonly at: number; readonly token: string; readonly masked: string}[],
): string {
  let end = 0;
  let whole = '';
  for (const {at, token, masked} of cards) {
    // A secret of the partner within the value is hidden already.
    const isAsSent = clear.startsWith(token, at);
    whole += redactInPlace(clear.slice(end, at));
    whole += isAsSent ? masked : starLetters(clear.slice(at, at + token.length));
    end = at + token.length;
  }
  return whole + redactInPlace(clear.slice(end));
}

/** What differs becomes an asterisk for each byte. */
function compared(clear: string, masked: string, stars: (text: string) => string): ShownBody {
  const hidden: [number, number, string][] = [];
  let text = '';
  for (let at = 0; at < clear.length; ) {
    const start = at;
    while (at < clear.length && clear[at] !== masked[at]) at++;
    if (at > start) {
      const run = clear.slice(start, at);
      hidden.push([text.length, stars(run).length, run]);
      text += stars(run);
    }
    const same = at;
    while (at < clear.length && clear[at] === masked[at]) at++;
    text += clear.slice(same, at);
  }
  return {text, hidden};
}

/** A string whose member may hold card data; undefined for any other token. */
function maskedToken(token: string, name: string, {value}: Masks): string | undefined {
  if (!token.startsWith('"')) return undefined;
  const text = stringContent(token);
  const masked = value(name, text);
  if (masked === undefined) return undefined;
  const end = token.length > 1 && token.endsWith('"') ? token.length - 1 : token.length;
  const units = token.slice(1, end).match(UNITS) ?? [];
  if (units.length !== text.length || masked.length !== text.length) return starLetters(token);
  const shown = units.map((unit, i) => (masked[i] === text[i] ? unit : '*'.repeat(unit.length)));
  return `"${shown.join('')}${token.slice(end)}`;
}

/** Hides letters and digits: what is left says nothing. */
export function starLetters(text: string): string {
  return text.replace(/[\p{L}\p{N}]/gu, (character) => '*'.repeat(character.length));
}

/** Hides a string, or the number in `: 1234, `. */
function hiddenToken(token: string, stars: (text: string) => string): string {
  return token.startsWith('"')
    ? token.replace(/^"(.*?)("?)$/s, (_, inner, quote) => `"${stars(inner)}${quote}`)
    : token.replace(PRIMITIVE, stars);
}

function stringContent(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1);
  }
}
