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

/** A name, what divides it from its value in any notation, and the quotes before that. */
const NAMED =
  /(?<![\w-])([a-z][\w-]*)(?:\\{0,8}["'])?\s{0,8}(?:=>|[:=>]|%3d|(?:\r?\n){2})\s{0,8}(\\{0,8}["'])?/gi;
/** The same at the end of what is before a string, and what divides a string from the next. */
const NAME_BEFORE = /(?<![\w-])([a-z][\w-]*)'?\s{0,8}(?:=>|[:=])\s{0,8}$/i;
const DIVIDER = /^\s{0,8}=/;
/** The end of a value without quotes. */
const VALUE_END = /[&<\s,;}\]]|$/;
/** A longer value ends where the text does. */
const MAX_NAMED_CHARS = 4096;

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

/**
 * A body with secrets and card data hidden in place: of JSON, whole or not, or of anything else, in
 * which a secret is known by the name before it.
 */
export function shownBody(body: string, masks: Masks): ShownBody {
  const stars = (text: string) => '*'.repeat(Buffer.byteLength(text, masks.encoding));
  const cards: {readonly at: number; readonly token: string; readonly masked: string}[] = [];
  let name: string | undefined;
  let clear = '';
  const isJson = /^\s*["[{]/.test(body);
  const tokens = (isJson ? body : starNamed(body, stars)).match(TOKENS) ?? [];
  for (const [i, token] of tokens.entries()) {
    const isValue = name !== undefined && (token.startsWith('"') || /[^\s:=>]/.test(token));
    const isSecret = isValue && SECRET_MEMBER.test(name ?? '');
    if (token.startsWith('"') && isName(token, tokens[i + 1] ?? '', name)) {
      name = stringContent(token);
      clear += starKeys(token);
      continue;
    }
    const isOther = name === undefined;
    const masked = isValue && !isSecret ? maskedToken(token, name ?? '', masks) : undefined;
    if (masked !== undefined) cards.push({at: clear.length, token, masked});
    if (isSecret) clear += hiddenToken(token, stars);
    else
      clear +=
        masked !== undefined || (isValue && DATA_MEMBER.test(name ?? ''))
          ? token
          : starKeys(isOther ? starNamed(token, stars) : token);
    if (isValue) name = undefined;
    if (isOther && !token.startsWith('"')) name = NAME_BEFORE.exec(token)?.[1];
  }
  for (const secret of masks.secrets)
    if (secret.length >= MIN_SECRET_CHARS) clear = clear.replaceAll(secret, stars(secret));
  return compared(clear, maskedWhole(clear, cards), stars);
}

/** Whether a string is the name of what follows; one of a secret is without a colon as well. */
function isName(token: string, next: string, before: string | undefined): boolean {
  if (/^\s*:/.test(next)) return true;
  return before === undefined && DIVIDER.test(next) && SECRET_MEMBER.test(stringContent(token));
}

/** Hides what stands behind the name of a secret: up to its closing quote, or to a mark. */
function starNamed(text: string, stars: (text: string) => string): string {
  let shown = '';
  let end = 0;
  for (const {0: whole, 1: name = '', 2: quote, index} of text.matchAll(NAMED)) {
    const start = index + whole.length;
    if (start < end || !SECRET_MEMBER.test(name)) continue;
    const rest = text.slice(start, start + MAX_NAMED_CHARS);
    const closing = quote === undefined ? -1 : rest.indexOf(quote);
    const length = closing < 0 ? rest.search(VALUE_END) : closing;
    const last = start + (length < MAX_NAMED_CHARS ? length : text.length);
    shown += text.slice(end, start) + stars(text.slice(start, last));
    end = last;
  }
  return shown + text.slice(end);
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
