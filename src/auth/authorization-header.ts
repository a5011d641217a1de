/** A parameter of credentials: its value with quoted-pairs undone, and how it was written. */
export interface HeaderParameter {
  readonly value: string;
  readonly quoted: boolean;
}

/** An Authorization header, read but not judged: `scheme` and parameter names in lower case. */
export interface Credentials {
  readonly scheme: string;
  /** The one value of a scheme like Basic. */
  readonly token68?: string;
  readonly parameters: ReadonlyMap<string, HeaderParameter>;
}

/** Longer than any credentials of the interface: an RSA signature of 8192 bits is 2 KiB of hex. */
const MAX_HEADER_CHARS = 4096;

/**
 * Reads the value of an Authorization header, as the latin1 text that Node hands over, in one pass.
 * Undefined when it is longer than 4 KiB or malformed; an empty list element and a repeated
 * parameter count as malformed too. Source: RFC 9110, sections 5.6 and 11.4.
 */
export function parseAuthorization(header: string): Credentials | undefined {
  if (header.length > MAX_HEADER_CHARS) return undefined;
  const end = endOfToken(header, 0);
  if (end === 0) return undefined;
  const scheme = header.slice(0, end).toLowerCase();
  const start = skip(header, end, (code) => code === BLANK);
  if (start === end) return undefined;
  return parseToken68(scheme, header, start) ?? parseParameters(scheme, header, start);
}

/** Writes `value` as a quoted-string (RFC 9110, 5.6.4). */
export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Reads a list of parameters from `start` to the end of the text; undefined when malformed. */
function parseParameters(scheme: string, text: string, start: number): Credentials | undefined {
  const parameters = new Map<string, HeaderParameter>();
  let position = start;
  for (;;) {
    const nameEnd = endOfToken(text, position);
    const equals = skip(text, nameEnd, isWhiteSpace);
    if (nameEnd === position || text.charCodeAt(equals) !== EQUALS) return undefined;
    const name = text.slice(position, nameEnd).toLowerCase();
    const value = readValue(text, skip(text, equals + 1, isWhiteSpace));
    if (!value || parameters.has(name)) return undefined;
    parameters.set(name, value);
    if (value.end === text.length) return {scheme, parameters};
    const comma = skip(text, value.end, isWhiteSpace);
    if (text.charCodeAt(comma) !== COMMA) return undefined;
    position = skip(text, comma + 1, isWhiteSpace);
  }
}

const TAB = 0x09;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;
const TOKEN = characters(
  "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
);
const TOKEN68 = characters('-._~+/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');

interface ReadValue extends HeaderParameter {
  readonly end: number;
}

function characters(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of text) table[character.charCodeAt(0)] = 1;
  return table;
}

// Only a token68 runs to the end of the header without a second "=" part.
function parseToken68(scheme: string, header: string, start: number): Credentials | undefined {
  const end = skip(header, start, (code) => TOKEN68[code] === 1);
  const padded = skip(header, end, (code) => code === EQUALS);
  if (end === start || padded !== header.length) return undefined;
  return {scheme, token68: header.slice(start), parameters: new Map()};
}

function readValue(text: string, start: number): ReadValue | undefined {
  if (text.charCodeAt(start) === QUOTE) return readQuoted(text, start + 1);
  const end = endOfToken(text, start);
  return end === start ? undefined : {value: text.slice(start, end), quoted: false, end};
}

function readQuoted(text: string, start: number): ReadValue | undefined {
  let unescaped = '';
  let from = start;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return {value: unescaped + text.slice(from, i), quoted: true, end: i + 1};
    if (!isTextCode(code)) return undefined;
    if (code !== BACKSLASH) continue;
    unescaped += text.slice(from, i);
    from = i + 1;
    i += 1;
    if (!isTextCode(text.charCodeAt(i))) return undefined;
  }
  return undefined;
}

function endOfToken(text: string, start: number): number {
  return skip(text, start, (code) => TOKEN[code] === 1);
}

function skip(text: string, start: number, matches: (code: number) => boolean): number {
  let end = start;
  while (end < text.length && matches(text.charCodeAt(end))) end += 1;
  return end;
}

function isWhiteSpace(code: number): boolean {
  return code === BLANK || code === TAB;
}

// HTAB, SP, VCHAR or obs-text; Node has one character for each byte.
function isTextCode(code: number): boolean {
  return code === TAB || (code >= BLANK && code !== DELETE && code <= 0xff);
}

type Parameters = ReadonlyMap<string, HeaderParameter>;

/** Whether every parameter has one of `names`. */
export function hasOnly(parameters: Parameters, names: ReadonlySet<string>): boolean {
  for (const name of parameters.keys()) {
    if (!names.has(name)) return false;
  }
  return true;
}

/** The value of a quoted parameter; undefined if it is missing or not quoted. */
export function quoted(parameters: Parameters, name: string): string | undefined {
  const parameter = parameters.get(name);
  return parameter?.quoted ? parameter.value : undefined;
}

/** A username, nonce or cnonce in quotes: 1 to 128 printable ASCII characters, else undefined. */
export function quotedName(parameters: Parameters, name: string): string | undefined {
  const value = quoted(parameters, name);
  return value !== undefined && isName(value) ? value : undefined;
}

/** Whether `text` is 1 to 128 printable ASCII characters (docs/contract.md#authentication). */
export function isName(text: string): boolean {
  return /^[\x20-\x7e]{1,128}$/.test(text);
}

/**
 * A timestamp, bare or in quotes, as the text that is signed: digits without a leading zero, as
 * many as a number holds exactly. Undefined for anything else.
 */
export function timestampText(parameters: Parameters): string | undefined {
  const value = parameters.get('timestamp')?.value;
  return value !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(value) ? value : undefined;
}
