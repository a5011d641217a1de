import {refuse} from '../../auth/verdict.js';
import {REQUEST_MEMBERS} from '../../contract/check-request.js';
import {type Operation, pathOf} from '../../contract/operation.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {headerValues} from '../http/request-head.js';

/** Throws 2008 and 2007 for a target and headers that the interface does not promise. */
export function assertStrictHead(
  operation: Operation,
  target: string,
  rawHeaders: readonly string[],
): void {
  if (!target.startsWith('/'))
    throw new PaylensError(2008, 'strict: expected a path, found a whole URL');
  if (target.includes('?')) throw new PaylensError(2008, 'strict: unexpected query');
  if (target !== pathOf(operation))
    throw new PaylensError(2008, `strict: expected ${pathOf(operation)}, with its version`);
  const [type = ''] = headerValues(rawHeaders, 'content-type');
  if (type.toLowerCase() !== 'application/json')
    throw new PaylensError(2007, 'strict: unexpected parameters after the type');
  if (headerValues(rawHeaders, 'content-encoding').length > 0)
    throw new PaylensError(2007, 'strict: unexpected Content-Encoding');
}

/** Throws 1003 for an Authorization header that the interface does not promise; the detail has the reason. */
export function assertStrictCredentials(rawHeaders: readonly string[]): void {
  const [header] = headerValues(rawHeaders, 'authorization');
  const fault = header === undefined ? undefined : strictHeaderFault(header);
  if (fault !== undefined)
    throw new PaylensError(1003, `strict: ${fault}`, {cause: refuse('strict')});
}

/** Without strict, an empty string counts as missing. */
const OPTIONAL = [
  ...['partnerId', 'partnerKey', 'reference', 'deviceSerial', 'ksn', 'iv', 'clientId'],
];

/** Throws 2005 for members that the interface does not have, and for optional ones without a value. */
export function assertStrictBody(operation: Operation, body: JsonObject): void {
  const unknown = Object.keys(body).find((name) => !REQUEST_MEMBERS[operation].includes(name));
  if (unknown !== undefined)
    throw new PaylensError(2005, `strict: unknown member${printable(unknown)}`);
  const empty = OPTIONAL.find((name) => Object.hasOwn(body, name) && body[name] === '');
  if (empty !== undefined)
    throw new PaylensError(2005, `strict: ${empty}: expected a value, found an empty string`);
}

/** Other names could be anything, even card data. */
function printable(name: string): string {
  return /^[a-z_]{1,31}$/i.test(name) ? ` ${name}` : '';
}

/** A property as written, with the text before it. */
interface HeaderProperty {
  readonly before: string;
  readonly name: string;
  readonly equals: string;
  /** With its quotes. */
  readonly value: string;
}

/**
 * The first deviation from the interface in an Authorization header that the service would otherwise
 * accept; undefined if there is none. Values are not repeated.
 */
export function strictHeaderFault(header: string): string | undefined {
  const [, scheme = '', space = '', rest = ''] = /^(\S+)(\s+)(\S.*)?$/s.exec(header) ?? [];
  const written = SCHEMES.find((name) => name.toLowerCase() === scheme.toLowerCase());
  if (written === undefined) return undefined;
  if (written !== scheme) return `scheme: expected ${written}, found it in another case`;
  if (space !== ' ') return 'expected one space after the scheme';
  if (written === 'Basic') return undefined;
  const properties = propertiesOf(rest);
  const fault = written === 'Digest' ? digestFault : signatureFault;
  return properties && (spacingFault(properties) ?? fault(properties));
}

const SCHEMES = ['Hmac', 'Rsa', 'Digest', 'Basic'] as const;
const PROPERTY = /(\s*(?:,\s*)?)([^\s=",]+)(\s*=\s*)("(?:[^"\\]|\\.)*"|[^\s",]*)/gy;

/** Undefined for a malformed list, which is refused anyway. */
function propertiesOf(list: string): readonly HeaderProperty[] | undefined {
  const found = [...list.matchAll(PROPERTY)];
  const length = found.reduce((sum, [whole]) => sum + whole.length, 0);
  if (length !== list.length) return undefined;
  return found.map(([, before = '', name = '', equals = '', value = '']) => {
    return {before, name, equals, value};
  });
}

function spacingFault(properties: readonly HeaderProperty[]): string | undefined {
  for (const [index, {before, name, equals, value}] of properties.entries()) {
    const lower = name.toLowerCase();
    if (name !== lower) return `${knownName(lower)}: expected its name in lower case`;
    if (equals !== '=') return `${knownName(name)}: unexpected space beside =`;
    if (index > 0 && before !== ', ' && before !== ',')
      return `${knownName(name)}: expected a comma and at most one space before it`;
    if (value.includes('\\')) return `${knownName(name)}: unexpected backslash`;
  }
  return undefined;
}

const SIGNATURE = ['username', 'nonce', 'timestamp', 'response'];
const DIGEST = ['realm', 'uri', 'qop', 'nc', 'cnonce', 'algorithm', 'opaque', 'userhash'];

/** Other names could be anything. */
function knownName(name: string): string {
  return [...SIGNATURE, ...DIGEST].includes(name) ? name : 'a property';
}

function signatureFault(properties: readonly HeaderProperty[]): string | undefined {
  const names = properties.map(({name}) => name);
  const isComplete = SIGNATURE.every((name) => names.includes(name));
  if (isComplete && names.join() !== SIGNATURE.join())
    return `expected ${SIGNATURE.join(', ')} in this order`;
  if (propertyValue(properties, 'timestamp').startsWith('"'))
    return 'timestamp: expected an unquoted integer, found quotes';
  const response = propertyValue(properties, 'response').slice(1, -1);
  if (/^(?:[\da-f]*|[\dA-F]*)$/.test(response)) return undefined;
  return 'response: expected hex digits in one case';
}

const UNQUOTED = ['algorithm', 'qop', 'nc'];
const NEVER_GIVEN = ['opaque', 'userhash'];

function digestFault(properties: readonly HeaderProperty[]): string | undefined {
  const quoted = UNQUOTED.find((name) => propertyValue(properties, name).startsWith('"'));
  if (quoted !== undefined) return `${quoted}: expected no quotes around it`;
  const extra = NEVER_GIVEN.find((name) => propertyValue(properties, name) !== '');
  if (extra !== undefined) return `${extra}: the challenge has none`;
  if (propertyValue(properties, 'qop') === 'auth-int')
    return 'qop: expected auth, as in the challenge';
  if (/[A-F]/.test(propertyValue(properties, 'nc'))) return 'nc: expected hex digits in lower case';
  if (propertyValue(properties, 'uri').startsWith('"/')) return undefined;
  return propertyValue(properties, 'uri') === '' ? undefined : 'uri: expected a path';
}

function propertyValue(properties: readonly HeaderProperty[], name: string): string {
  return properties.find((property) => property.name === name)?.value ?? '';
}
