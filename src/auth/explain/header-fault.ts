import {type Credentials, parseAuthorization} from '../authorization-header.js';
import {isName, quoted, timestampText} from '../header-fields.js';

/**
 * What is wrong with the form of an Hmac or Rsa header, for the person who wrote it; undefined when
 * the form is right. No value of the header is repeated.
 */
export function headerFault(header: string): string | undefined {
  const credentials = parseAuthorization(header);
  if (!credentials) return unreadable(header);
  const {scheme, parameters} = credentials;
  if (scheme !== 'hmac' && scheme !== 'rsa') return 'scheme: expected Hmac or Rsa';
  const unknown = [...parameters.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    const found = PLAIN_NAME.test(unknown) ? unknown : 'an unknown property';
    return `expected only ${NAMES.join(', ')}, found ${found}`;
  }
  const missing = NAMES.find((name) => !parameters.has(name));
  if (missing !== undefined) return `${missing} is missing`;
  return valueFault(credentials);
}

/** Text that is not a word may be a key that was not written as a value. */
const PLAIN_NAME = /^[a-z]{1,12}(?:[-_][a-z]{1,12})?$/;

const NAMES = ['username', 'nonce', 'timestamp', 'response'];

function unreadable(header: string): string {
  if (header.length > 4096) return `expected at most 4096 characters, found ${header.length}`;
  if (header.includes(';')) return 'expected commas between the properties, found a semicolon';
  if ((header.match(/"/g) ?? []).length % 2 === 1) return 'unterminated double quote';
  return 'expected SCHEME name="value", name="value", ... with each name once';
}

function valueFault({scheme, parameters}: Credentials): string | undefined {
  for (const name of ['username', 'nonce', 'response']) {
    if (quoted(parameters, name) === undefined) return `${name}: expected double quotes around it`;
  }
  for (const name of ['username', 'nonce']) {
    if (!isName(quoted(parameters, name) ?? ''))
      return `${name}: expected 1 to 128 printable ASCII characters`;
  }
  if (timestampText(parameters) === undefined)
    return 'timestamp: expected a Unix timestamp in seconds, digits only, without a leading zero';
  return responseFault(scheme, quoted(parameters, 'response') ?? '');
}

function responseFault(scheme: string, response: string): string | undefined {
  const hex = /^[0-9a-f]*$/i.test(response);
  if (scheme === 'rsa') return undefined;
  if (hex && response.length === 64) return undefined;
  const found = hex
    ? `${response.length} hex digits`
    : `${response.length} characters, not all hex`;
  return `response: expected 64 hex digits, found ${found}`;
}
