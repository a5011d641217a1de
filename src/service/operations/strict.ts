import {refuse} from '../../auth/verdict.js';
import {type Operation, pathOf} from '../../contract/operation.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {headerValues} from '../http/request-head.js';
import {strictHeaderFault} from './strict-header.js';

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

const COMMON = ['partnerId', 'partnerKey', 'reference'];
const MEMBERS: Readonly<Record<Operation, readonly string[]>> = {
  'validate-partner': COMMON,
  'validate-device': [...COMMON, 'serial', 'firmware', 'clientId'],
  'process-payload': [
    ...COMMON,
    'deviceType',
    'devicePayload',
    'deviceSerial',
    'ksn',
    'iv',
    'clientId',
  ],
};
/** Without strict, an empty string counts as missing. */
const OPTIONAL = ['partnerId', 'partnerKey', 'deviceSerial', 'ksn', 'iv', 'clientId'];

/** Throws 2005 for members that the interface does not have, and for optional ones without a value. */
export function assertStrictBody(operation: Operation, body: JsonObject): void {
  const unknown = Object.keys(body).find((name) => !MEMBERS[operation].includes(name));
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
