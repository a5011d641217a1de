import type {IncomingMessage} from 'node:http';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import {canonicalTarget} from '../../auth/string-to-hash.js';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {OPERATION_BY_PATH} from '../../contract/operation.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {tooLarge} from './collect-body.js';
import type {HttpAnswer} from './http-message.js';
import {assertJson, headerValues} from './request-head.js';

/** Why a request is rejected before it reaches its operation. */
export interface Refusal {
  readonly error: PaylensError;
  /** HTTP status, if it differs from that of the error code. */
  readonly status?: number;
  readonly headers?: HttpAnswer['headers'];
  /** The cause of an internal error. */
  readonly defect?: unknown;
}

/** The rest of an unread body must not be parsed as the next request. */
export const CLOSE = {connection: 'close'} as const;

/** 405 with the allowed methods where the path is known, else 404. */
export function unknownRoute(app: FastifyInstance, request: FastifyRequest): Refusal {
  const path = requestPath(request.raw);
  const isHidden =
    LOOPBACK_ONLY.test(path) && !isLoopbackAddress(request.socket.remoteAddress ?? '');
  const url = path.replace(/^\/_answers\/[^/]+$/, '/_answers/:id');
  const allow = METHODS.filter((method) => !isHidden && app.hasRoute({method, url})).join(', ');
  if (allow === '') return {error: new PaylensError(2008, 'no such path')};
  return {error: new PaylensError(2008, `expected ${allow}`), status: 405, headers: {allow}};
}

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'] as const;
/** Hidden from callers on other machines. */
const LOOPBACK_ONLY = /^\/(?:_|$|explore$)/;

/** For requests that come while the service stops. */
export function stopping(): Refusal {
  return {error: new PaylensError(2, 'the service is shutting down'), headers: CLOSE};
}

/** For requests beyond the load limits; their bodies were read. */
export function overloaded(): Refusal {
  return {error: new PaylensError(2, 'overloaded')};
}

/** For a request with more headers than `limit`. */
export function tooManyHeaders(limit: number): Refusal {
  const error = new PaylensError(2009, `expected at most ${limit} headers`);
  return {error, status: 431, headers: CLOSE};
}

/** For an `Expect` other than 100-continue. */
export function unexpected(): Refusal {
  const error = new PaylensError(2009, 'unsupported Expect header');
  return {error, status: 417, headers: CLOSE};
}

/** The error of a POST before its body is read: path, then size, then media type. */
export function headError(request: FastifyRequest, bodyLimit: number): PaylensError | undefined {
  if (!OPERATION_BY_PATH.has(requestPath(request.raw))) return new PaylensError(2008);
  const {rawHeaders} = request.raw;
  if (Number(headerValues(rawHeaders, 'content-length')[0] ?? 0) > bodyLimit)
    return tooLarge(bodyLimit);
  try {
    assertJson(rawHeaders);
    return undefined;
  } catch (error) {
    return error as PaylensError;
  }
}

/** The refusal for an error of fastify or of a handler; internal errors show no details. */
export function refusalOfError(error: unknown, bodyLimit: number): Refusal {
  if (error instanceof PaylensError) return {error, headers: CLOSE};
  const {statusCode} = error as {statusCode?: number};
  if (statusCode === 413) return {error: tooLarge(bodyLimit), headers: CLOSE};
  if (statusCode === 415) return {error: new PaylensError(2007), headers: CLOSE};
  if (statusCode === 400) return {error: new PaylensError(2009), headers: CLOSE};
  // A path of the docs pages that leads out of their folder.
  if (statusCode === 403) return {error: new PaylensError(2008, 'no such path'), headers: CLOSE};
  return {error: new PaylensError(1), headers: CLOSE, defect: error};
}

/** The path as sent: percent encoding untouched, the query cut off. */
export function requestPath({url = ''}: IncomingMessage): string {
  const target = canonicalTarget(url);
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}
