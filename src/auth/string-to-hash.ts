import {OPERATION_BY_PATH, type Operation} from '../contract/operation.js';
import {sha256Hex} from '../platform/hash.js';

/** The parts of a request that are signed. */
export interface SignedRequest {
  readonly method: string;
  /** The request target as sent: path and query; the absolute form is cut to them. */
  readonly target: string;
  /** The bytes of the body as sent. */
  readonly body: Uint8Array;
}

/**
 * The string to hash of HMAC and RSA, one byte a character: verb, target, nonce, timestamp, an
 * empty line and the content hash, joined by U+000A (docs/interface.md#hmac).
 */
export function stringToHash(request: SignedRequest, nonce: string, timestamp: string): string {
  const {method, target, body} = request;
  return `${method} ${canonicalTarget(target)}\n${nonce}\n${timestamp}\n\n${contentHash(body)}`;
}

/** SHA-256 of the whole body, white space included, in lower-case hex. */
export function contentHash(body: Uint8Array): string {
  return sha256Hex(body);
}

/** A request target without scheme and authority (RFC 9112, 3.2.2). */
export function canonicalTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const scheme = target.indexOf('://');
  if (scheme < 0) return target;
  const path = target.slice(scheme + 3).search(/[/?]/);
  if (path < 0) return '/';
  const rest = target.slice(scheme + 3 + path);
  return rest.startsWith('?') ? `/${rest}` : rest;
}

/** The path of a request target as sent: percent encoding untouched, the query cut off. */
export function targetPath(target: string): string {
  return canonicalTarget(target).split('?', 1)[0] ?? '';
}

/** The operation that a request target asks for; undefined if its path is none of the interface. */
export function operationAt(target: string): Operation | undefined {
  return OPERATION_BY_PATH.get(targetPath(target));
}
