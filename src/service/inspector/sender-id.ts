import {parseAuthorization} from '../../auth/authorization-header.js';
import {readPair} from '../../auth/methods/basic.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {headerValues} from '../http/request-head.js';
import type {RawRequest} from './captured-requests.js';

/** The partner that a request names, in its Authorization header or else in its body. */
export function senderIdOf({rawHeaders}: RawRequest, sent?: JsonObject): string | undefined {
  const [header] = headerValues(rawHeaders, 'authorization');
  const credentials = header === undefined ? undefined : parseAuthorization(header);
  const username = credentials?.parameters.get('username')?.value;
  if (username !== undefined) return username;
  if (credentials?.token68 !== undefined) return readPair(credentials.token68)?.[0];
  const named = sent && Object.hasOwn(sent, 'partnerId') ? sent.partnerId : undefined;
  return typeof named === 'string' ? named : undefined;
}
