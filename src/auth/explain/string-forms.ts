import {
  base64Of,
  base64UrlOf,
  bytesFromLatin1,
  bytesOfHex,
  latin1Of,
  looseBase64,
} from '../../platform/bytes.js';
import {hashHex, sha256Hex} from '../../platform/hash.js';
import type {HashName} from '../../platform/hash-name.js';
import type {Variant} from '../partner/variant.js';

/** The parts of a string to hash, one byte a character. */
export interface HashParts {
  readonly username: string;
  readonly method: string;
  readonly target: string;
  readonly nonce: string;
  readonly timestamp: string;
  readonly body: BodyHashes;
}

/** The body as callers put it into the string to hash, each form made once. */
export class BodyHashes {
  readonly #body: Uint8Array;
  readonly #made = new Map<string, string>();

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  get text(): string {
    return latin1Of(this.#body);
  }

  /** The digest of the body in lower-case hex. */
  digest(algorithm: HashName = 'sha256'): string {
    const made = this.#made.get(algorithm) ?? hashHex(algorithm, this.#body);
    this.#made.set(algorithm, made);
    return made;
  }

  /** The SHA-256 of the body. */
  get bytes(): Uint8Array {
    return bytesOfHex(this.digest());
  }
}

type Form = Variant<(parts: HashParts) => string>;
/** Verb with path, nonce, timestamp, an empty line, and the content hash. */
type Lines = readonly string[];

/** The ways to make the string to hash; the first is the right one, the likeliest follow. */
export const FORMS: readonly Form[] = [
  {value: (parts) => usualLines(parts).join('\n')},
  form('the empty line before the content hash is missing', withoutEmpty),
  separated('with CR LF', '\r\n'),
  separated('with the two characters \\n', '\\n'),
  separated('without a separator', ''),
  separated('with spaces', ' '),
  form('a line feed was signed at the end', (lines) => [...lines, '']),
  withVerb('the verb was signed in lower case', (verb) => verb.toLowerCase()),
  withHash('signed in upper case', (body) => body.digest().toUpperCase()),
  withHash('signed in base64', (body) => base64Of(body.bytes)),
  withHash('signed as bytes', (body) => latin1Of(body.bytes)),
  form('the body itself was signed instead of its hash', (lines, {body}) => [
    ...lines.slice(0, 4),
    body.text,
  ]),
  withHash('left out', () => ''),
  form('the content hash was left out', (lines) => lines.slice(0, 3)),
  form('the content hash was left out', (lines) => lines.slice(0, 4)),
  form("nonce and timestamp were signed in each other's place", (lines) =>
    inOrder(lines, [0, 2, 1, 3, 4]),
  ),
  withStart('the verb was left out', ({target}) => [target]),
  withStart('verb and path were joined with a line feed instead of a space', (parts) => [
    parts.method,
    parts.target,
  ]),
  ...['GET', 'PUT', 'Post'].map((verb) =>
    withVerb(`the verb ${verb} was signed instead of POST`, () => verb),
  ),
  withHash('signed in base64', (body) => base64UrlOf(body.bytes)),
  withHash('signed as MD5', (body) => body.digest('md5')),
  withHash('signed as SHA-1', (body) => body.digest('sha1')),
  withHash('signed as SHA-512', (body) => body.digest('sha512')),
  withHash('signed as SHA-384', (body) => body.digest('sha384')),
  withHash('signed hashed twice', (body) => sha256Hex(body.digest())),
  withHash('signed hashed twice', (body) => sha256Hex(body.bytes)),
  form('there are two empty lines before the content hash', (lines) => lines.toSpliced(3, 0, '')),
  whole('CR LF was signed at the end', (text) => `${text}\r\n`),
  form('a line feed was signed at the start', (lines) => ['', ...lines]),
  withStart('the path was left out', ({method}) => [method]),
  withStart('verb and path were joined without a space', ({method, target}) => [method + target]),
  withNonce('signed in quotes', (nonce) => `"${nonce}"`),
  withNonce('signed in upper case', (nonce) => nonce.toUpperCase()),
  withNonce('signed in lower case', (nonce) => nonce.toLowerCase()),
  withNonce('signed without its hyphens', (nonce) => nonce.replaceAll('-', '')),
  withNonce('signed in base64', (nonce) => base64Of(bytesFromLatin1(nonce))),
  withNonce('signed decoded from base64', (nonce) => latin1Of(looseBase64(nonce))),
  withNonce('signed in braces', (nonce) => `{${nonce}}`),
  withNonce('signed empty', () => ''),
  form('the nonce was left out', (lines) => inOrder(lines, [0, 2, 3, 4])),
  form('the timestamp was left out', (lines) => inOrder(lines, [0, 1, 3, 4])),
  form('the content hash was signed before nonce and timestamp', (lines) =>
    inOrder(lines, [0, 4, 1, 2]),
  ),
  withStart('verb and path were joined with two spaces', ({method, target}) => [
    `${method}  ${target}`,
  ]),
  withStart('the version of HTTP was signed after the path', ({method, target}) => [
    `${method} ${target} HTTP/1.1`,
  ]),
  form('an empty line was signed after every line', (lines) => withoutEmpty(lines), '\n\n'),
  form('only the body was signed', (_, {body}) => [body.text]),
  form('only the content hash was signed', (lines) => lines.slice(4)),
  whole('the string to hash was percent-encoded before it was signed', encodeURIComponent),
  whole('the string to hash was signed in base64', (text) => base64Of(bytesFromLatin1(text))),
  ...[0, 1, 2, 3, 4, 5].map((at) =>
    form('the username was also signed', (lines, {username}) => lines.toSpliced(at, 0, username)),
  ),
  ...[...ordersOf([0, 1, 2, 3, 4]).slice(1), ...ordersOf([0, 1, 2, 4]).slice(1)].map((order) =>
    form('the lines were signed in another order', (lines) => inOrder(lines, order)),
  ),
  ...(
    [
      ['with CR LF', '\r\n'],
      ['with the two characters \\n', '\\n'],
      ['with the four characters \\r\\n', '\\r\\n'],
      ['with spaces', ' '],
      ['with CR', '\r'],
      ['with tabs', '\t'],
      ...[',', '|', ':', ';', '&', '+', '.', '-'].map((mark) => [`with "${mark}"`, mark] as const),
    ] as const
  ).flatMap(([how, separator]) => [
    separated(how, separator),
    form(`the lines were joined ${how}, without the empty line`, withoutEmpty, separator),
  ]),
];

/** A form by its lines, joined with a separator. */
function form(
  mistake: string,
  change: (lines: Lines, parts: HashParts) => Lines,
  separator = '\n',
): Form {
  return {mistake, value: (parts) => change(usualLines(parts), parts).join(separator)};
}

function separated(how: string, separator: string): Form {
  return form(`the lines were joined ${how}`, (lines) => lines, separator);
}

/** The usual string, changed as a whole. */
function whole(mistake: string, change: (text: string) => string): Form {
  return form(mistake, (lines) => [change(lines.join('\n'))]);
}

/** Other lines in place of the first, which has verb and path. */
function withStart(mistake: string, start: (parts: HashParts) => Lines): Form {
  return form(mistake, (lines, parts) => [...start(parts), ...lines.slice(1)]);
}

function withVerb(mistake: string, change: (verb: string) => string): Form {
  return withStart(mistake, ({method, target}) => [`${change(method)} ${target}`]);
}

function withNonce(how: string, change: (nonce: string) => string): Form {
  return form(`the nonce was ${how}`, (lines, {nonce}) => lines.with(1, change(nonce)));
}

function withHash(how: string, hash: (body: BodyHashes) => string): Form {
  return form(`the content hash was ${how}`, (lines, {body}) => lines.with(4, hash(body)));
}

function withoutEmpty(lines: Lines): Lines {
  return lines.filter(Boolean);
}

function inOrder(lines: Lines, order: readonly number[]): Lines {
  return order.map((place) => lines[place] ?? '');
}

/** Every order of a list, its own first. */
function ordersOf(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length === 0) return [[]];
  return list.flatMap((one) =>
    ordersOf(list.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}

function usualLines({method, target, nonce, timestamp, body}: HashParts): Lines {
  return [`${method} ${target}`, nonce, timestamp, '', body.digest()];
}
