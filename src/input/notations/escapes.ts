const ESCAPE =
  /\\(?:u([\da-f]{4})|u\{([\da-f]{1,2})\}|x([\da-f]{2})|([0-3][0-7]{2})|([abefnrtv0"'`\\/$])|\r?\n)/gi;

const LETTERS: Readonly<Record<string, string>> = {
  ...{a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0'},
};

/** The characters of a string literal of C, Java, JSON, Python and their kin. */
export function unescapeString(text: string): string | undefined {
  if (!text.includes('\\')) return undefined;
  return text.replaceAll(ESCAPE, (_, wide, braced, hex, octal, letter) => {
    const digits = wide ?? braced ?? hex;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return letter === undefined ? '' : (LETTERS[letter] ?? letter);
  });
}

/** Track 1 begins with a percent sign and a letter, which may be a hex digit. */
const TRACK_1 = /%[A-Z]\*?\d{6}/;
const MIN_ESCAPES = 2;
/** A single one of these is an escape: a blank, a sign of a track, padding of base64. */
const USUAL_ESCAPE = /%(2[025BF]|3[ABDF]|5E|7[BC])/i;
const USUAL_ESCAPES = new RegExp(USUAL_ESCAPE, 'gi');

/** RFC 3986, and `+` for a blank as forms send it; some programs leave the `%` of a track as it is. */
export function fromPercent(text: string): string | undefined {
  if (TRACK_1.test(text))
    return text.replaceAll(USUAL_ESCAPES, (_, digits: string) => characterOf(digits));
  const escapes = text.match(/%[\da-f]{2}/gi) ?? [];
  const signs = text.match(/%/g) ?? [];
  const isMeant = escapes.length >= MIN_ESCAPES || USUAL_ESCAPE.test(text);
  if (!isMeant || escapes.length < signs.length) return undefined;
  return text
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => characterOf(digits));
}

/** RFC 2045, 6.7: `=` at the end of a line joins it with the next. */
export function fromQuotedPrintable(text: string): string | undefined {
  const escapes = text.match(/=(?:[\dA-F]{2}|\r?\n)/g) ?? [];
  const signs = text.match(/=(?!$)/g) ?? [];
  const isMeant = escapes.length >= MIN_ESCAPES || hasSoftBreak(text);
  if (!isMeant || escapes.length < signs.length) return undefined;
  return text
    .replaceAll(/=\r?\n|=$/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, digits: string) => characterOf(digits));
}

/** True if a full line ends as those of quoted-printable, of at most 76 characters. */
export function hasSoftBreak(text: string): boolean {
  return /^[^\n]{50,75}=\r?\n/m.test(text);
}

function characterOf(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

const ENTITY = /&(?:#(\d{1,5})|#x([\da-f]{1,4})|(amp|lt|gt|quot|apos));/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Numeric entities, and the five names of XML. */
export function fromEntities(text: string): string | undefined {
  return text.replaceAll(ENTITY, (all, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return hex === undefined ? (ENTITIES[name.toLowerCase()] ?? all) : characterOf(hex);
  });
}
