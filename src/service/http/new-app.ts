import type {IncomingMessage, RequestListener} from 'node:http';
import type {Socket} from 'node:net';
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {canonicalTarget} from '../../auth/string-to-hash.js';
import {collectBody} from './collect-body.js';
import type {HttpFront} from './http-front.js';
import type {Limits} from './limits.js';
import {overloaded, refusalOfError, unknownRoute} from './refusals.js';

/** Answers a request of a route outside the interface. */
export type InformationHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/**
 * An HTTP application without routes: bodies of at most `maxBytes`, errors as the front answers
 * them; `pass` may take requests before it.
 */
export function newApp(
  front: HttpFront,
  limits: Limits,
  maxBytes: number,
  pass = (own: RequestListener) => own,
): FastifyInstance {
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply) =>
    front.refuse(reply, unknownRoute(app, request));
  const app = fastify({
    bodyLimit: maxBytes,
    genReqId: () => '',
    return503OnClosing: false,
    rewriteUrl: ({url = '/'}: IncomingMessage) => canonicalTarget(url),
    serverFactory: (listener: RequestListener) => front.newServer(pass(listener)),
    clientErrorHandler: (error: Error, socket: Socket) => front.answerClientError(error, socket),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      refuseUnknown(request, reply),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, stream, done) => {
    const resize = limits.bodyRoom(request.socket);
    collectBody(stream, {maxBytes, resize, limitsParts: true}, done);
  });
  app.setErrorHandler((error, request, reply) =>
    front.refuse(reply, refusalOfError(error, request.routeOptions.bodyLimit)),
  );
  app.setNotFoundHandler(refuseUnknown);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseUnknown(request, reply);
    else done();
  });
  return app;
}

/** Wraps a handler in load limits; beyond them the response is 503. */
export function limitedBy(front: HttpFront, limits: Limits) {
  return (handler: InformationHandler): InformationHandler =>
    async (request, reply) => {
      if (!limits.begin('page', performance.now())) return front.refuse(reply, overloaded());
      limits.holdBody(reply.raw, request.body);
      try {
        await handler(request, reply);
        limits.sent(reply.raw, Number(reply.getHeader('content-length') ?? 0));
        return reply;
      } finally {
        limits.end('page');
      }
    };
}
