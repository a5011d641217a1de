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
import type {Variant} from '../partner/signing-keys.js';

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

/** What a caller puts in the place of a part. */
interface Instead {
  readonly verb?: string;
  readonly nonce?: string;
  readonly hash?: string;
}

/** The ways to make the string to hash; the first is the right one, the likeliest follow. */
export const FORMS: readonly Form[] = [
  {value: (parts) => linesOf(parts).join('\n')},
  form('the empty line before the content hash is missing', (parts) =>
    linesOf(parts).filter(Boolean).join('\n'),
  ),
  form('the lines were joined with CR LF', (parts) => linesOf(parts).join('\r\n')),
  form('the lines were joined with the two characters \\n', (parts) => linesOf(parts).join('\\n')),
  form('the lines were joined without a separator', (parts) => linesOf(parts).join('')),
  form('the lines were joined with spaces', (parts) => linesOf(parts).join(' ')),
  form('a line feed was signed at the end', (parts) => `${linesOf(parts).join('\n')}\n`),
  form('the verb was signed in lower case', (parts) =>
    linesOf(parts, {verb: parts.method.toLowerCase()}).join('\n'),
  ),
  ...hashed([
    ['in upper case', (body) => body.digest().toUpperCase()],
    ['in base64', (body) => base64Of(body.bytes)],
    ['as bytes', (body) => latin1Of(body.bytes)],
  ]),
  form('the body itself was signed instead of its hash', (parts) =>
    linesOf(parts, {hash: parts.body.text}).join('\n'),
  ),
  form('the content hash was left out', (parts) => linesOf(parts, {hash: ''}).join('\n')),
  form('the content hash was left out', (parts) => linesOf(parts).slice(0, 3).join('\n')),
  form('the content hash was left out', (parts) => linesOf(parts).slice(0, 4).join('\n')),
  form("nonce and timestamp were signed in each other's place", ({nonce, timestamp, ...parts}) =>
    linesOf({...parts, nonce: timestamp, timestamp: nonce}).join('\n'),
  ),
  form('the verb was left out', (parts) => [parts.target, ...linesOf(parts).slice(1)].join('\n')),
  form('verb and path were joined with a line feed instead of a space', (parts) =>
    [parts.method, parts.target, ...linesOf(parts).slice(1)].join('\n'),
  ),
  ...['GET', 'PUT', 'Post'].map((verb) =>
    form(`the verb ${verb} was signed instead of POST`, (parts) =>
      linesOf(parts, {verb}).join('\n'),
    ),
  ),
  ...hashed([
    ['in base64', (body) => base64UrlOf(body.bytes)],
    ['as MD5', (body) => body.digest('md5')],
    ['as SHA-1', (body) => body.digest('sha1')],
    ['as SHA-512', (body) => body.digest('sha512')],
    ['as SHA-384', (body) => body.digest('sha384')],
    ['hashed twice', (body) => sha256Hex(body.digest())],
    ['hashed twice', (body) => sha256Hex(body.bytes)],
  ]),
  form('there are two empty lines before the content hash', (parts) =>
    linesOf(parts).join('\n').replace('\n\n', '\n\n\n'),
  ),
  form('CR LF was signed at the end', (parts) => `${linesOf(parts).join('\n')}\r\n`),
  form('a line feed was signed at the start', (parts) => `\n${linesOf(parts).join('\n')}`),
  form('the path was left out', (parts) => [parts.method, ...linesOf(parts).slice(1)].join('\n')),
  form('verb and path were joined without a space', (parts) =>
    [parts.method + parts.target, ...linesOf(parts).slice(1)].join('\n'),
  ),
  ...nonces([
    ['in quotes', (nonce) => `"${nonce}"`],
    ['in upper case', (nonce) => nonce.toUpperCase()],
    ['in lower case', (nonce) => nonce.toLowerCase()],
    ['without its hyphens', (nonce) => nonce.replaceAll('-', '')],
    ['in base64', (nonce) => base64Of(bytesFromLatin1(nonce))],
    ['decoded from base64', (nonce) => latin1Of(looseBase64(nonce))],
    ['in braces', (nonce) => `{${nonce}}`],
    ['empty', () => ''],
  ]),
  form('the nonce was left out', (parts) => without(parts, 1)),
  form('the timestamp was left out', (parts) => without(parts, 2)),
  form('the content hash was signed before nonce and timestamp', (parts) => {
    const [first = '', nonce = '', timestamp = '', , hash = ''] = linesOf(parts);
    return [first, hash, nonce, timestamp].join('\n');
  }),
  form('verb and path were joined with two spaces', (parts) =>
    linesOf({...parts, target: ` ${parts.target}`}).join('\n'),
  ),
  form('the version of HTTP was signed after the path', (parts) =>
    linesOf({...parts, target: `${parts.target} HTTP/1.1`}).join('\n'),
  ),
  form('an empty line was signed after every line', (parts) =>
    linesOf(parts).filter(Boolean).join('\n\n'),
  ),
  form('only the body was signed', ({body}) => body.text),
  form('only the content hash was signed', ({body}) => body.digest()),
  form('the string to hash was percent-encoded before it was signed', (parts) =>
    encodeURIComponent(linesOf(parts).join('\n')),
  ),
  form('the string to hash was signed in base64', (parts) =>
    base64Of(bytesFromLatin1(linesOf(parts).join('\n'))),
  ),
  ...withUsername(),
  ...otherOrders(),
  ...joined([
    ['the lines were joined with CR LF', '\r\n'],
    ['the lines were joined with the two characters \\n', '\\n'],
    ['the lines were joined with the four characters \\r\\n', '\\r\\n'],
    ['the lines were joined with spaces', ' '],
    ['the lines were joined with CR', '\r'],
    ['the lines were joined with tabs', '\t'],
    ...[',', '|', ':', ';', '&', '+', '.', '-'].map(
      (mark) => [`the lines were joined with "${mark}"`, mark] as const,
    ),
  ]),
];

function form(mistake: string, value: (parts: HashParts) => string): Form {
  return {mistake, value};
}

function joined(separators: readonly (readonly [string, string])[]): readonly Form[] {
  return separators.flatMap(([mistake, separator]) => [
    form(mistake, (parts) => linesOf(parts).join(separator)),
    form(`${mistake}, without the empty line`, (parts) =>
      linesOf(parts).filter(Boolean).join(separator),
    ),
  ]);
}

function hashed(
  hashes: readonly (readonly [string, (body: BodyHashes) => string])[],
): readonly Form[] {
  return hashes.map(([how, hash]) =>
    form(`the content hash was signed ${how}`, (parts) =>
      linesOf(parts, {hash: hash(parts.body)}).join('\n'),
    ),
  );
}

function nonces(ways: readonly (readonly [string, (nonce: string) => string])[]): readonly Form[] {
  return ways.map(([how, way]) =>
    form(`the nonce was signed ${how}`, (parts) =>
      linesOf(parts, {nonce: way(parts.nonce)}).join('\n'),
    ),
  );
}

/** The username as a line of its own, at every place. */
function withUsername(): readonly Form[] {
  return [0, 1, 2, 3, 4, 5].map((at) =>
    form('the username was also signed', (parts) => {
      const lines = linesOf(parts);
      return [...lines.slice(0, at), parts.username, ...lines.slice(at)].join('\n');
    }),
  );
}

/** Every other order of the lines, with and without the empty one. */
function otherOrders(): readonly Form[] {
  return [
    [0, 1, 2, 3, 4],
    [0, 1, 2, 4],
  ].flatMap((places) =>
    ordersOf(places)
      .slice(1)
      .map((order) =>
        form('the lines were signed in another order', (parts) => {
          const lines = linesOf(parts);
          return order.map((place) => lines[place]).join('\n');
        }),
      ),
  );
}

/** Every order of a list, its own first. */
function ordersOf(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length === 0) return [[]];
  return list.flatMap((one) =>
    ordersOf(list.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}

function linesOf(parts: HashParts, instead: Instead = {}): readonly string[] {
  const {verb = parts.method, nonce = parts.nonce, hash = parts.body.digest()} = instead;
  return [`${verb} ${parts.target}`, nonce, parts.timestamp, '', hash];
}

function without(parts: HashParts, line: number): string {
  return linesOf(parts)
    .filter((_, index) => index !== line)
    .join('\n');
}
