import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {canonicalTarget} from '../auth/string-to-hash.js';
import {OPERATION_BY_PATH, type Operation} from '../contract/operation.js';
import type {PaylensError} from '../contract/paylens-error.js';
import {BodyRoom} from './http/body-room.js';
import type {ServedHosts} from './http/door/served-hosts.js';
import {HttpFront} from './http/http-front.js';
import {errorAnswer, type HttpAnswer} from './http/http-message.js';
import type {Timeouts} from './http/new-http-server.js';
import {headError, overloaded, type Refusal, thrown, unknownRoute} from './http/refusals.js';
import {Turn} from './http/turn.js';
import {type LoadLimits, loadLimits, Workload} from './http/workload.js';
import type {InformationHandler} from './information/information-routes.js';
import {SLICE} from './information/page.js';
import {
  answerRequest,
  type FinishedRequest,
  type RefusedRequest,
  type ServiceContext,
} from './operations/answer-request.js';
import {misbehave} from './operations/misbehave.js';
import {demandStrictHead} from './operations/strict.js';

/** What a server needs besides the service it offers. */
export interface ServerOptions {
  readonly context: ServiceContext;
  /** Called once per request, after the response was sent. */
  readonly report: (request: FinishedRequest) => void;
  /** Called for a request that was rejected before it reached an operation. */
  readonly reportRefused: (request: RefusedRequest) => void;
  /** Default: 10 s for the headers, 30 s for the whole request. */
  readonly timeouts?: Timeouts | undefined;
  /** What is left out: `loadLimits`. */
  readonly load?: Partial<LoadLimits> | undefined;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  /** The hosts that the service answers to. */
  readonly hosts: ServedHosts;
  /** PEM texts. */
  readonly tls?: {readonly cert: string; readonly key: string} | undefined;
  /** Demo and mock: milliseconds before every answer, and the share of requests that fail. */
  readonly latency?: number;
  readonly fails?: () => boolean;
}

/** The server and the switch that makes it refuse new requests before it closes. */
export interface PaylensServer {
  readonly app: FastifyInstance;
  /** Refuses new requests from now on (503) and waits until those in flight have their answers. */
  readonly drain: () => Promise<void>;
  readonly isDraining: () => boolean;
  /** Wraps a handler in the load limits of the service; beyond them the response is 503. */
  readonly limited: (handler: InformationHandler) => InformationHandler;
  /** Takes charge of a response that does not end by itself: it is cut when the service stops. */
  readonly holdOpen: (response: ServerResponse) => void;
}

/**
 * Makes the HTTP server: the three operations under both paths. Everything it sends is JSON with a
 * messageId, also where HTTP itself was wrong.
 */
export function createServer(options: ServerOptions): PaylensServer {
  const {context} = options;
  let draining = false;
  // Requests that are never to be answered must not keep the server from closing.
  const unanswered = new Set<ServerResponse>();
  const turn = new Turn();
  const load = loadLimits(options.load ?? {}, options.tls !== undefined);
  const refuse = (refusal: Refusal, request?: IncomingMessage): HttpAnswer => {
    const {error, defect} = refusal;
    const messageId = context.messageId();
    const answer = errorAnswer(error, {messageId}, refusal);
    options.reportRefused({answer, messageId, error, request, defect});
    return answer;
  };
  const rules = {
    hosts: options.hosts,
    scheme: options.tls ? 'https' : 'http',
    isTest: context.mode !== 'real',
    isDraining: () => draining,
  } as const;
  const front = new HttpFront({rules, load, timeouts: options.timeouts, tls: options.tls, refuse});
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) =>
    front.send(reply, refuse(unknownRoute(app, request), request.raw));
  const app = fastify({
    bodyLimit: options.bodyLimit,
    genReqId: () => '',
    return503OnClosing: false,
    rewriteUrl: ({url = '/'}: IncomingMessage) => canonicalTarget(url),
    serverFactory: (listener: RequestListener) => front.newServer(listener),
    clientErrorHandler: (error: Error, socket: Socket) => front.answerClientError(error, socket),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnknown(request, reply),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance;

  app.removeAllContentTypeParsers();
  const each = options.bodyLimit;
  const bodies = new BodyRoom({each, together: Math.max(load.bodies, each)});
  app.addContentTypeParser('*', (_request, stream, done) => bodies.gather(stream, done));
  app.setErrorHandler((error, request, reply) =>
    front.send(reply, refuse(thrown(error, request.routeOptions.bodyLimit), request.raw)),
  );
  app.setNotFoundHandler(answerUnknown);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerUnknown(request, reply);
    else done();
  });
  const {isDraining} = rules;
  const workload = new Workload(load, turn);
  const handlerOptions = {...options, unanswered, turn, workload, refuse, front, isDraining};
  for (const [path, operation] of OPERATION_BY_PATH) {
    app.post(
      path,
      {onRequest: (request, _reply, done) => done(headErrorOf(request, operation, options))},
      (request, reply) => handle(request, reply, operation, handlerOptions),
    );
  }
  const drain = () => {
    draining = true;
    for (const response of unanswered) response.destroy();
    return front.finish();
  };
  const limited =
    (handler: InformationHandler) => async (request: FastifyRequest, reply: FastifyReply) => {
      if (!workload.beginPage(performance.now()))
        return front.send(reply, refuse(overloaded(), request.raw));
      try {
        await handler(request, reply);
        front.sent(reply.raw, pageBytes(reply));
        return reply;
      } finally {
        workload.endPage();
      }
    };
  const holdOpen = (response: ServerResponse) => {
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  };
  return {app, drain, isDraining, limited, holdOpen};
}

interface HandlerOptions extends ServerOptions {
  readonly unanswered: Set<ServerResponse>;
  readonly front: HttpFront;
  readonly isDraining: () => boolean;
  readonly turn: Turn;
  readonly workload: Workload;
  readonly refuse: (refusal: Refusal, request?: IncomingMessage) => HttpAnswer;
}

async function handle(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  options: HandlerOptions,
): Promise<FastifyReply | undefined> {
  const started = performance.now();
  if (!options.workload.begin(started))
    return options.front.send(reply, options.refuse(overloaded(), request.raw));
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const target = canonicalTarget(request.raw.url ?? '');
  const {rawHeaders} = request.raw;
  const outcome = await answerRequest({operation, target, rawHeaders, body}, options.context);
  options.workload.end();
  const latency = (options.latency ?? 0) + (outcome.latency ?? 0);
  if (latency > 0) await wait(latency, undefined, {ref: false});
  const fault = outcome.fault ?? (options.fails?.() ? '500' : undefined);
  const {unanswered} = options;
  const shown = fault ? await misbehave(fault, {outcome, reply, unanswered}) : outcome;
  if (shown) await options.turn.end();
  if (options.isDraining()) options.front.closeBehind(reply.raw);
  const milliseconds = performance.now() - started;
  // The answer is on its way before the books are kept.
  if (shown) options.front.send(reply, shown.answer);
  const finished = shown ?? outcome;
  const bodyBytes = body.length;
  options.report({outcome: finished, operation, target, bodyBytes, milliseconds, rawHeaders, body});
  return reply;
}

function headErrorOf(
  request: FastifyRequest,
  operation: Operation,
  {bodyLimit, context}: ServerOptions,
): Error | undefined {
  const error = headError(request, bodyLimit);
  if (error || !context.strict) return error;
  try {
    demandStrictHead(operation, request.originalUrl, request.raw.rawHeaders);
    return undefined;
  } catch (fault) {
    return fault as PaylensError;
  }
}

/**
 * Bytes of a page that are buffered at a time: it is sent in slices, unless it is queued after
 * other responses.
 */
function pageBytes(reply: FastifyReply): number {
  const bytes = Number(reply.getHeader('content-length') ?? 0);
  return reply.raw.socket ? Math.min(bytes, SLICE) : bytes;
}
