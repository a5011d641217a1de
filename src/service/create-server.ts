import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {canonicalTarget} from '../auth/string-to-hash.js';
import {OPERATION_BY_PATH, type Operation} from '../contract/operation.js';
import {PaylensError} from '../contract/paylens-error.js';
import {answerClientError} from './client-error.js';
import type {Fault} from './faults.js';
import {framingError} from './framing.js';
import {errorAnswer, type HttpAnswer} from './http-message.js';
import {OpenResponses} from './open-responses.js';
import {answerRequest, type Outcome, type ServiceContext} from './partner-service.js';
import {
  headError,
  overloaded,
  type Refusal,
  stopping,
  thrown,
  unexpected,
  unknownRoute,
} from './refusals.js';
import {limitsOf, type Timeouts} from './timeouts.js';
import {Turn} from './turn.js';
import {LOAD_LIMITS, type LoadLimits, Workload} from './workload.js';

/** What a server needs besides the service it offers. */
export interface ServerOptions {
  readonly context: ServiceContext;
  /** Called once a request, after it was answered. */
  readonly report: (request: FinishedRequest) => void;
  /** Called for a request that no operation saw. */
  readonly reportRefused: (request: RefusedRequest) => void;
  /** Default: 10 s for the headers, 30 s for the whole request. */
  readonly timeouts?: Timeouts | undefined;
  /** Default: LOAD_LIMITS. */
  readonly load?: Partial<LoadLimits> | undefined;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  /** PEM texts. */
  readonly tls?: {readonly cert: string; readonly key: string} | undefined;
  /** Demo and mock: milliseconds before every answer, and the share of requests that fail. */
  readonly latency?: number;
  readonly fails?: () => boolean;
}

/** A request and what became of it. */
export interface FinishedRequest {
  /** Not spread into this object: that makes a hidden class, in old space, for every request. */
  readonly outcome: Outcome;
  readonly operation: Operation;
  readonly target: string;
  readonly bodyBytes: number;
  readonly milliseconds: number;
}

/** A request that was answered before an operation saw it. */
export interface RefusedRequest {
  readonly answer: HttpAnswer;
  readonly messageId: string;
  readonly error: PaylensError;
  /** The cause of an error that is a defect of ours. */
  readonly defect?: unknown;
}

const SLOW_ANSWER = 5_000;

/** The server and the switch that makes it refuse new requests before it closes. */
export interface PaylensServer {
  readonly app: FastifyInstance;
  /** Refuses new requests from now on (503) and waits until those in flight have their answers. */
  readonly drain: () => Promise<void>;
  readonly isDraining: () => boolean;
}

/**
 * Makes the HTTP server: the three operations under both paths. Everything it sends is JSON with a
 * messageId, also where HTTP itself was wrong.
 */
export function createServer(options: ServerOptions): PaylensServer {
  const {context} = options;
  let draining = false;
  const open = new OpenResponses();
  // Requests that are never to be answered must not keep the server from closing.
  const unanswered = new Set<ServerResponse>();
  const turn = new Turn();
  const load = {...LOAD_LIMITS, ...options.load};
  const refuse = (refusal: Refusal): HttpAnswer => {
    const {error, defect} = refusal;
    const messageId = context.messageId();
    const answer = errorAnswer(error, {messageId}, refusal);
    options.reportRefused({answer, messageId, error, defect});
    return answer;
  };
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) =>
    send(reply, refuse(unknownRoute(app, request)));
  const limits = limitsOf(options.timeouts);
  const app = fastify({
    bodyLimit: options.bodyLimit,
    genReqId: () => '',
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 10_000,
    http: limits,
    ...(options.tls ? {https: {...limits, ...options.tls}} : {}),
    return503OnClosing: false,
    rewriteUrl: ({url = '/'}: IncomingMessage) => canonicalTarget(url),
    clientErrorHandler: (error: Error, socket: Socket) => answerClientError(error, socket, refuse),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnknown(request, reply),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance;

  app.server.maxConnections = load.connections;
  // Else Node drops those beyond 1000 unsaid, a second Authorization too; their size is limited.
  app.server.maxHeadersCount = 0;
  // A client may close its side behind its request: the answer still goes out.
  Object.assign(app.server, {httpAllowHalfOpen: true});
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const {headers, body} = refuse(unexpected());
    response.writeHead(417, {...headers, 'content-length': Buffer.byteLength(body)}).end(body);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) =>
    send(reply, refuse(thrown(error, request.routeOptions.bodyLimit))),
  );
  app.setNotFoundHandler(answerUnknown);
  app.addHook('onRequest', (request, reply, done) => {
    open.add(reply.raw);
    // The information routes say themselves that the service is not ready.
    if (draining && request.method !== 'GET') send(reply, refuse(stopping()));
    else if (request.is404) answerUnknown(request, reply);
    else done(framingError(request.raw));
  });
  const isDraining = () => draining;
  // Closing behind an answer would lose the answers that wait behind it on its connection.
  const closesBehind = (response: ServerResponse) => draining && open.isLast(response);
  const workload = new Workload(load, turn);
  const handlerOptions = {...options, unanswered, turn, workload, refuse, closesBehind};
  for (const [path, operation] of OPERATION_BY_PATH) {
    app.post(
      path,
      {onRequest: (request, _reply, done) => done(headError(request, options.bodyLimit))},
      (request, reply) => handle(request, reply, operation, handlerOptions),
    );
  }
  const drain = () => {
    draining = true;
    for (const response of unanswered) response.destroy();
    return open.finish();
  };
  return {app, drain, isDraining};
}

interface HandlerOptions extends ServerOptions {
  readonly unanswered: Set<ServerResponse>;
  readonly closesBehind: (response: ServerResponse) => boolean;
  readonly turn: Turn;
  readonly workload: Workload;
  readonly refuse: (refusal: Refusal) => HttpAnswer;
}

async function handle(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  options: HandlerOptions,
): Promise<FastifyReply | undefined> {
  const started = performance.now();
  if (!options.workload.begin(started)) return send(reply, options.refuse(overloaded()));
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const target = canonicalTarget(request.raw.url ?? '');
  const {rawHeaders} = request.raw;
  const outcome = await answerRequest({operation, target, rawHeaders, body}, options.context);
  options.workload.end();
  if (options.latency) await wait(options.latency, undefined, {ref: false});
  const fault = outcome.fault ?? (options.fails?.() ? '500' : undefined);
  const shown = fault ? await misbehave(fault, outcome, reply, options.unanswered) : outcome;
  if (!shown) return reply;
  await options.turn.end();
  if (options.closesBehind(reply.raw)) reply.header('connection', 'close');
  const milliseconds = performance.now() - started;
  // The answer is on its way before the books are kept.
  const sent = send(reply, shown.answer);
  options.report({outcome: shown, operation, target, bodyBytes: body.length, milliseconds});
  return sent;
}

/** Undefined: there is no answer at all. */
async function misbehave(
  fault: Fault,
  outcome: Outcome,
  reply: FastifyReply,
  unanswered: Set<ServerResponse>,
) {
  if (fault === 'slow') {
    await wait(SLOW_ANSWER, undefined, {ref: false});
    return outcome;
  }
  if (fault === '500') {
    const {messageId, reference} = outcome;
    const error = new PaylensError(1, 'as asked');
    return {...outcome, error, answer: errorAnswer(error, {messageId, reference})};
  }
  reply.hijack();
  if (fault === 'drop') reply.raw.destroy();
  else {
    unanswered.add(reply.raw);
    reply.raw.once('close', () => unanswered.delete(reply.raw));
  }
  return undefined;
}

function send(reply: FastifyReply, answer: HttpAnswer): FastifyReply {
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}
