import type {IncomingMessage} from 'node:http';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import {operationAt, targetPath} from '../../auth/string-to-hash.js';
import {isLoopbackAddress} from '../../contract/loopback.js';
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

/** Closes the connection: the rest of an unread body must not be parsed as the next request. */
export function closingRefusal(error: PaylensError, rest: Partial<Refusal> = {}): Refusal {
  return {error, headers: {connection: 'close'}, ...rest};
}

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

/** For requests beyond the load limits; their bodies were read. */
export function overloaded(): Refusal {
  return {error: new PaylensError(2, 'overloaded')};
}

/** Checks a POST before its body is read: path (2008), then size (2006), then media type (2007). */
export function assertHead(request: FastifyRequest, bodyLimit: number): void {
  if (!operationAt(request.raw.url ?? '')) throw new PaylensError(2008);
  const {rawHeaders} = request.raw;
  if (Number(headerValues(rawHeaders, 'content-length')[0] ?? 0) > bodyLimit)
    throw tooLarge(bodyLimit);
  assertJson(rawHeaders);
}

/** The refusal for an error of fastify or of a handler; internal errors show no details. */
export function refusalOfError(error: unknown, bodyLimit: number): Refusal {
  if (error instanceof PaylensError) return closingRefusal(error);
  const {statusCode} = error as {statusCode?: number};
  if (statusCode === 413) return closingRefusal(tooLarge(bodyLimit));
  if (statusCode === 415) return closingRefusal(new PaylensError(2007));
  if (statusCode === 400) return closingRefusal(new PaylensError(2009));
  // A path of the docs pages that leads out of their folder.
  if (statusCode === 403) return closingRefusal(new PaylensError(2008, 'no such path'));
  return closingRefusal(new PaylensError(1), {defect: error});
}

/** The path of a request, as sent. */
export function requestPath({url = ''}: IncomingMessage): string {
  return targetPath(url);
}
