import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {canonicalTarget} from '../auth/string-to-hash.js';
import {OPERATION_BY_PATH, type Operation} from '../contract/operation.js';
import type {PaylensError} from '../contract/paylens-error.js';
import {HttpFront} from './http/http-front.js';
import {errorAnswer, type HttpAnswer} from './http/http-message.js';
import {Limits, type LoadLimits} from './http/limits.js';
import type {Timeouts} from './http/new-http-server.js';
import {
  headError,
  overloaded,
  type Refusal,
  refusalOfError,
  unknownRoute,
} from './http/refusals.js';
import type {ServedHosts} from './http/served-hosts.js';
import type {InformationHandler} from './information/information-routes.js';
import {SLICE_BYTES} from './information/page.js';
import {
  answerRequest,
  type FinishedRequest,
  type RefusedRequest,
  type ServiceContext,
} from './operations/answer-request.js';
import {injectFault} from './operations/inject-fault.js';
import {assertStrictHead} from './operations/strict.js';

/** What a server needs besides the service it offers. */
export interface ServerOptions {
  readonly context: ServiceContext;
  /** Called once per request, after the response was sent. */
  readonly report: (request: FinishedRequest) => void;
  /** Called for a request that was rejected before it reached an operation. */
  readonly reportRefused: (request: RefusedRequest) => void;
  /** Default: 10 s for the headers, 30 s for the whole request. */
  readonly timeouts?: Timeouts | undefined;
  /** Default: `LOAD_LIMITS`. */
  readonly load?: Partial<LoadLimits> | undefined;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  /** The hosts that the service answers to. */
  readonly hosts: ServedHosts;
  /** PEM texts. */
  readonly tls?: {readonly cert: string; readonly key: string} | undefined;
  /** Demo and mock: milliseconds before every answer, and the share of requests that fail. */
  readonly latency?: number | undefined;
  readonly fails?: (() => boolean) | undefined;
}

/** The HTTP server: the three operations, each under two paths, and the limits of all routes. */
export class PaylensServer {
  readonly app: FastifyInstance;
  readonly #options: ServerOptions;
  readonly #limits: Limits;
  readonly #front: HttpFront;
  /** Responses that do not end by themselves: they must not keep the server from closing. */
  readonly #heldOpen = new Set<ServerResponse>();
  #isDraining = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const {hosts, tls, timeouts, context} = options;
    this.#limits = new Limits(options.load, tls !== undefined);
    const rules = {
      hosts,
      scheme: tls ? 'https' : 'http',
      isTest: context.mode !== 'real',
      isDraining: () => this.#isDraining,
    } as const;
    const refuse = (refusal: Refusal, request?: IncomingMessage) => this.#refuse(refusal, request);
    this.#front = new HttpFront({rules, limits: this.#limits, timeouts, tls, refuse});
    this.app = this.#newApp();
    for (const [path, operation] of OPERATION_BY_PATH) this.#addOperation(path, operation);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Refuses new requests from now on (503) and waits until accepted ones are answered. */
  drain(): Promise<void> {
    this.#isDraining = true;
    for (const response of this.#heldOpen) response.destroy();
    return this.#front.finish();
  }

  /** Wraps a handler in the load limits of the service; beyond them the response is 503. */
  readonly limited =
    (handler: InformationHandler): InformationHandler =>
    async (request, reply) => {
      if (!this.#limits.begin('page', performance.now()))
        return this.#front.refuse(reply, overloaded());
      try {
        await handler(request, reply);
        this.#limits.sent(reply.raw, bufferedBytes(reply));
        return reply;
      } finally {
        this.#limits.end('page');
      }
    };

  /** Takes charge of a response that does not end by itself: stopping the service destroys it. */
  readonly holdOpen = (response: ServerResponse): void => {
    this.#heldOpen.add(response);
    response.once('close', () => this.#heldOpen.delete(response));
  };

  #newApp(): FastifyInstance {
    const front = this.#front;
    const refuseUnknown = (request: FastifyRequest, reply: FastifyReply) =>
      front.refuse(reply, unknownRoute(this.app, request));
    const app = fastify({
      bodyLimit: this.#options.bodyLimit,
      genReqId: () => '',
      return503OnClosing: false,
      rewriteUrl: ({url = '/'}: IncomingMessage) => canonicalTarget(url),
      serverFactory: (listener: RequestListener) => front.newServer(listener),
      clientErrorHandler: (error: Error, socket: Socket) => front.answerClientError(error, socket),
      frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
        refuseUnknown(request, reply),
    } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance;
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, stream, done) =>
      this.#limits.collectBody(stream, this.#options.bodyLimit, done),
    );
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

  #addOperation(path: string, operation: Operation): void {
    this.app.post(
      path,
      {onRequest: (request, _reply, done) => done(this.#headError(request, operation))},
      (request, reply) => this.#handle(request, reply, operation),
    );
  }

  #headError(request: FastifyRequest, operation: Operation): Error | undefined {
    const {bodyLimit, context} = this.#options;
    const error = headError(request, bodyLimit);
    if (error || !context.strict) return error;
    try {
      assertStrictHead(operation, request.originalUrl, request.raw.rawHeaders);
      return undefined;
    } catch (fault) {
      return fault as PaylensError;
    }
  }

  async #handle(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<FastifyReply> {
    const started = performance.now();
    if (!this.#limits.begin('operation', started)) return this.#front.refuse(reply, overloaded());
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const target = canonicalTarget(request.raw.url ?? '');
    const {rawHeaders} = request.raw;
    const answered = await answerRequest(
      {operation, target, rawHeaders, body},
      this.#options.context,
    );
    this.#limits.end('operation');
    const {latency = 0, fails} = this.#options;
    const delay = latency + (answered.latency ?? 0);
    if (delay > 0) await wait(delay, undefined, {ref: false});
    const fault = answered.fault ?? (fails?.() ? '500' : undefined);
    const {holdOpen} = this;
    const sent = fault ? await injectFault(fault, {outcome: answered, reply, holdOpen}) : answered;
    if (sent) await this.#limits.turnEnd();
    if (this.#isDraining) this.#front.closeAfter(reply.raw);
    const milliseconds = performance.now() - started;
    // Send first, then log and count.
    if (sent) this.#front.send(reply, sent.answer);
    const outcome = sent ?? answered;
    this.#options.report({outcome, operation, target, milliseconds, rawHeaders, body});
    return reply;
  }

  #refuse(refusal: Refusal, request: IncomingMessage | undefined): HttpAnswer {
    const {context, reportRefused} = this.#options;
    const {error, defect} = refusal;
    const messageId = context.messageId();
    const answer = errorAnswer(error, {messageId}, refusal);
    reportRefused({answer, messageId, error, request, defect});
    return answer;
  }
}

/** Bytes of a page in memory at a time: it is sent in slices, unless other responses are ahead. */
function bufferedBytes(reply: FastifyReply): number {
  const bytes = Number(reply.getHeader('content-length') ?? 0);
  return reply.raw.socket ? Math.min(bytes, SLICE_BYTES) : bytes;
}
