import type {Variant} from '../partner/signing-keys.js';

/**
 * What callers get wrong when they make the string to hash. Every list begins with the right way,
 * which has no name; a variant that does not differ from it is left out by the search.
 */

/** The parts of a string to hash; `hash` is the content hash in lower-case hex. */
export interface HashParts {
  readonly method: string;
  readonly target: string;
  readonly nonce: string;
  readonly timestamp: string;
  readonly hash: string;
}

/** The bodies that a caller may have hashed instead of the one that came in. */
export function bodyVariants(body: Uint8Array): readonly Variant<Uint8Array>[] {
  const text = Buffer.from(body).toString('utf8');
  const variant = (mistake: string, value: string | undefined): Variant<Uint8Array>[] =>
    value === undefined ? [] : [{mistake, value: Buffer.from(value)}];
  return [
    {value: body},
    ...variant('the body was trimmed before it was hashed', text.trim()),
    ...variant('the body was hashed without its trailing newline', text.replace(/\r?\n$/, '')),
    ...variant('a line feed was hashed after the body', `${text}\n`),
    ...variant('CR LF was hashed after the body', `${text}\r\n`),
    ...variant('the body was hashed with LF instead of CR LF', text.replaceAll('\r\n', '\n')),
    ...variant('the body was hashed with CR LF instead of LF', text.replace(/\r?\n/g, '\r\n')),
    ...variant('the body was hashed without its byte order mark', text.replace(/^\ufeff/, '')),
    ...variant('a byte order mark was hashed before the body', `\ufeff${text}`),
    ...variant('an empty body was hashed', ''),
    ...reserialised(text).flatMap((value) =>
      variant('the body was serialised again before it was hashed', value),
    ),
  ];
}

/** The targets that a caller may have signed; `host` is the Host header, if it is known. */
export function targetVariants(target: string, host = ''): readonly Variant<string>[] {
  const path = target.replace(/\?.*$/, '');
  const versioned = path.startsWith('/api/v1/');
  return [
    {value: target},
    versioned
      ? {mistake: 'the path was signed without its version', value: target.replace('/v1/', '/')}
      : {mistake: 'the path was signed with a version', value: target.replace('/api/', '/api/v1/')},
    {mistake: 'the path was signed without its query', value: path},
    {mistake: 'the path was signed with "?" and an empty query', value: `${path}?`},
    {mistake: 'the path was signed with a trailing slash', value: `${path}/`},
    {mistake: 'the path was signed without its first slash', value: target.slice(1)},
    {mistake: 'the path was signed in lower case', value: target.toLowerCase()},
    {mistake: 'the path was signed without /api', value: target.replace(/^\/api(?:\/v1)?/, '')},
    ...['http://', 'https://', ''].map((scheme) => ({
      mistake: 'the path was signed with protocol or host before it',
      value: `${scheme}${host}${target}`,
    })),
  ];
}

/** The timestamps that a caller may have signed. */
export function timestampVariants(timestamp: string): readonly Variant<string>[] {
  return [
    {value: timestamp},
    {mistake: 'the timestamp was signed in milliseconds', value: `${timestamp}000`},
    {
      mistake: 'the timestamp was signed in seconds, but sent in milliseconds',
      value: timestamp.slice(0, -3),
    },
    {mistake: 'the timestamp was signed in quotes', value: `"${timestamp}"`},
  ];
}

/** The ways to join the parts. */
export const FORMS: readonly Variant<(parts: HashParts) => string>[] = [
  {value: (parts) => linesOf(parts).join('\n')},
  {
    mistake: 'the empty line before the content hash is missing',
    value: (parts) => linesOf(parts).filter(Boolean).join('\n'),
  },
  {mistake: 'the lines were joined with CR LF', value: (parts) => linesOf(parts).join('\r\n')},
  {
    mistake: 'a line feed was signed at the end',
    value: (parts) => `${linesOf(parts).join('\n')}\n`,
  },
  {
    mistake: 'the lines were joined with the two characters \\n',
    value: (parts) => linesOf(parts).join('\\n'),
  },
  {mistake: 'the lines were joined without a separator', value: (parts) => linesOf(parts).join('')},
  {mistake: 'the lines were joined with spaces', value: (parts) => linesOf(parts).join(' ')},
  {
    mistake: 'the content hash was signed in upper case',
    value: (parts) => linesOf({...parts, hash: parts.hash.toUpperCase()}).join('\n'),
  },
  {
    mistake: 'the content hash was signed in base64',
    value: (parts) =>
      linesOf({...parts, hash: Buffer.from(parts.hash, 'hex').toString('base64')}).join('\n'),
  },
  {
    mistake: 'the content hash was left out',
    value: (parts) => linesOf({...parts, hash: ''}).join('\n'),
  },
  {
    mistake: 'the verb was signed in lower case',
    value: (parts) => linesOf({...parts, method: parts.method.toLowerCase()}).join('\n'),
  },
  {
    mistake: "nonce and timestamp were signed in each other's place",
    value: ({nonce, timestamp, ...parts}) =>
      linesOf({...parts, nonce: timestamp, timestamp: nonce}).join('\n'),
  },
];

function linesOf({method, target, nonce, timestamp, hash}: HashParts): readonly string[] {
  return [`${method} ${target}`, nonce, timestamp, '', hash];
}

// As the serialisers of common languages write the same value.
function reserialised(text: string): readonly string[] {
  const value = jsonOf(text);
  if (value === undefined) return [];
  const compact = JSON.stringify(value);
  const spaced = JSON.stringify(value, undefined, 1).replace(/\n */g, (_, at, whole) =>
    whole[at - 1] === ',' ? ' ' : '',
  );
  return [
    compact,
    spaced,
    JSON.stringify(value, undefined, 2),
    JSON.stringify(value, undefined, 4),
    JSON.stringify(sorted(value)),
    compact.replaceAll('/', '\\/'),
    escaped(compact),
    escaped(spaced),
  ];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function escaped(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
