import {AUTH_METHODS, type AuthMethod} from '../../contract/auth-method.js';
import {
  type Credentials,
  isName,
  parseAuthorization,
  quoted,
  timestampText,
} from '../authorization-header.js';

/**
 * What is wrong with the form of an Hmac or Rsa header; undefined when the form is right. No value of the header is repeated.
 * `enabled`: the methods of the partner that it names, if it is known.
 */
export function headerFault(header: string, enabled?: ReadonlySet<AuthMethod>): string | undefined {
  const credentials = parseAuthorization(header);
  if (!credentials) return unreadable(header);
  const {scheme, parameters} = credentials;
  if (scheme !== 'hmac' && scheme !== 'rsa') return `scheme: expected ${schemesOf(enabled)}`;
  const unknown = [...parameters.keys()].find((name) => !SIGNATURE_PROPERTIES.includes(name));
  if (unknown !== undefined) {
    const found = PLAIN_NAME.test(unknown) ? unknown : 'an unknown property';
    return `expected only ${SIGNATURE_PROPERTIES.join(', ')}, found ${found}`;
  }
  const missing = SIGNATURE_PROPERTIES.find((name) => !parameters.has(name));
  if (missing !== undefined) return `${missing} is missing`;
  return valueFault(credentials);
}

/** The schemes of these methods; without any, those that every service offers in its challenges. */
function schemesOf(enabled?: ReadonlySet<AuthMethod>): string {
  const [, ...all] = AUTH_METHODS;
  const own = all.filter((method) => enabled?.has(method));
  const names = (own.length > 0 ? own : all).map((method) => method.replace('-preemptive', ''));
  const schemes = new Set(names.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1)));
  return [...schemes].join(', ').replace(/, (?=\w+$)/, ' or ');
}

/** Text that is not a word may be a key that was not written as a value. */
const PLAIN_NAME = /^[a-z]{1,12}(?:[-_][a-z]{1,12})?$/;

const SIGNATURE_PROPERTIES = ['username', 'nonce', 'timestamp', 'response'];

function unreadable(header: string): string {
  if (header.length > MAX_EXPLAINED_CHARS)
    return `expected at most ${MAX_EXPLAINED_CHARS} characters, found ${header.length}`;
  if ((header.match(/"/g) ?? []).length % 2 === 1) return 'unterminated double quote';
  return MALFORMED.find(([pattern]) => pattern.test(header))?.[1] ?? repeatedName(header) ?? FORM;
}

const MAX_EXPLAINED_CHARS = 4096;
const FORM = 'expected SCHEME name="value", name="value", ... with each name once';
/** As UTF-8 that Node hands over byte by byte, or as Windows-1252. */
const CURLY = /\u00e2\u0080[\u0098-\u009f]|[\u0091-\u0094\u201c-\u201f]/;
const MALFORMED: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'the header is empty'],
  [CURLY, 'expected straight double quotes, found typographic ones'],
  [/^[\w-]+$/, 'expected name="value" properties after the scheme, found none'],
  [/^[\w-]+\s*:/, 'unexpected colon after the scheme'],
  [/^[\w-]+\s*,/, 'unexpected comma after the scheme'],
  [/^[\w-]+\s*=/, 'the scheme is missing: expected Hmac, Rsa or Digest before the properties'],
  [/^(?:[\w-]+\s+)?\{/, 'expected name="value" properties, found JSON'],
  [/;/, 'expected commas between the properties, found a semicolon'],
  [/(?:^|,)\s*(?:,|$)/, 'expected a property after each comma, found none'],
  [/(?:"|=\s*[\w-]+)\s+[\w-]+\s*=/, 'expected commas between the properties'],
  [/[\w-]\s*:\s*"/, 'expected = between name and value, found a colon'],
  [/'[^']*'/, 'expected double quotes around values, found single ones'],
];

function repeatedName(header: string): string | undefined {
  const names = [...header.matchAll(/(?<![\w-])([\w-]+)\s*=/g)].map(([, name = '']) =>
    name.toLowerCase(),
  );
  const repeated = SIGNATURE_PROPERTIES.find(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
  return repeated === undefined ? undefined : `${repeated}: expected once, found twice`;
}

function valueFault({parameters}: Credentials): string | undefined {
  for (const name of ['username', 'nonce', 'response']) {
    if (quoted(parameters, name) === undefined) return `${name}: expected double quotes around it`;
  }
  for (const name of ['username', 'nonce']) {
    if (!isName(quoted(parameters, name) ?? ''))
      return `${name}: expected 1 to 128 printable ASCII characters`;
  }
  if (timestampText(parameters) === undefined)
    return 'timestamp: expected a Unix timestamp in seconds, digits only, without a leading zero';
  return quoted(parameters, 'response') === '' ? 'response: it is empty' : undefined;
}
