import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {LOOPBACK} from '../contract/loopback.js';
import {OPERATION_BY_PATH, type Operation} from '../contract/operation.js';
import {PaylensError} from '../contract/paylens-error.js';
import {HttpFront, headOf} from './http/http-front.js';
import {errorAnswer} from './http/http-message.js';
import {Limits} from './http/limits.js';
import {type InformationHandler, limitedBy, newApp} from './http/new-app.js';
import {assertHead, overloaded, type Refusal} from './http/refusals.js';
import {ServedHosts} from './http/served-hosts.js';
import {waitForClient} from './http/wait-for-client.js';
import {reportRefused, reportRequest, type Service} from './open-service.js';
import {answerRequest, type Outcome} from './operations/answer-request.js';
import {injectFault, sentPart} from './operations/inject-fault.js';
import {assertStrictHead} from './operations/strict.js';
import {forwarding} from './upstream/forward.js';
import {Recorder} from './upstream/recorder.js';

/** Connections that wait to be accepted: the system drops further ones, which then take seconds. */
const MAX_BACKLOG = 4096;
/** Largest body in bytes. */
const DEFAULT_BODY_LIMIT = 65_536;
/** Time that requests in flight get to finish when the service stops. */
const MAX_STOP_MS = 20_000;

/** The HTTP server: the three operations, each under two paths, and the limits of all routes. */
export class PaylensServer {
  readonly app: FastifyInstance;
  readonly bodyLimit: number;
  /** Wraps a handler in the load limits of the service; beyond them the response is 503. */
  readonly limited: (handler: InformationHandler) => InformationHandler;
  readonly #service: Service;
  readonly #limits: Limits;
  readonly #front: HttpFront;
  /** Responses that do not end by themselves: they must not keep the server from closing. */
  readonly #heldOpen = new Set<ServerResponse>();
  readonly #recorder: Recorder;
  #isDraining = false;

  /** `tls` has PEM texts. */
  constructor(service: Service, tls: {readonly cert: string; readonly key: string} | undefined) {
    const {host = LOOPBACK, allowedHosts, load, timeouts, bodyLimit} = service.options;
    this.#service = service;
    this.#recorder = new Recorder(service);
    this.bodyLimit = bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.#limits = new Limits(load, tls !== undefined);
    const rules = {
      hosts: new ServedHosts({host, allowedHosts, bound: () => this.address.address}),
      scheme: tls ? 'https' : 'http',
      isTest: service.mode !== 'real',
      isDraining: () => this.#isDraining,
    } as const;
    const refuse = (refusal: Refusal, request?: IncomingMessage) => this.#refuse(refusal, request);
    this.#front = new HttpFront({rules, limits: this.#limits, timeouts, tls, refuse});
    const pass = (own: RequestListener) => this.#listener(own);
    this.app = newApp(this.#front, this.#limits, this.bodyLimit, pass);
    this.limited = limitedBy(this.#front, this.#limits);
    for (const [path, operation] of OPERATION_BY_PATH) this.#addOperation(path, operation);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Where it listens. */
  get address(): AddressInfo {
    return this.app.server.address() as AddressInfo;
  }

  get url(): string {
    const {address, family, port} = this.address;
    const scheme = this.#service.options.tls ? 'https' : 'http';
    return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Throws 9020 when the address or the port cannot be used. */
  async listen(): Promise<void> {
    const {host = LOOPBACK, port = 0} = this.#service.options;
    await this.app.listen({host, port, backlog: MAX_BACKLOG}).catch((error: unknown) => {
      throw listenError(error, host, port);
    });
  }

  /** Refuses new requests from now on (503), waits until accepted ones are answered, and closes. */
  async close(): Promise<void> {
    this.#isDraining = true;
    for (const response of this.#heldOpen) response.destroy();
    await Promise.race([this.#front.finish(), wait(MAX_STOP_MS, undefined, {ref: false})]);
    await this.#recorder.finish();
    const closed = this.app.close();
    // Otherwise a connection that never sent a request would keep the server open.
    this.app.server.closeAllConnections();
    await closed;
  }

  /** Takes charge of a response that does not end by itself: stopping the service destroys it. */
  readonly holdOpen = (response: ServerResponse): void => {
    this.#heldOpen.add(response);
    response.once('close', () => this.#heldOpen.delete(response));
  };

  /** Passes requests on to an endpoint if there is one. */
  #listener(own: RequestListener): RequestListener {
    const {upstream} = this.#service.options;
    if (!upstream) return own;
    const {bodyLimit} = this;
    const about = {service: this.#service, limits: this.#limits, front: this.#front, bodyLimit};
    return forwarding(
      upstream,
      {...about, recorder: this.#recorder, isDraining: () => this.#isDraining},
      own,
    );
  }

  #addOperation(path: string, operation: Operation): void {
    this.app.post(
      path,
      {onRequest: (request, _reply, done) => done(this.#headError(request, operation))},
      (request, reply) => this.#handle(request, reply, operation),
    );
  }

  #headError(request: FastifyRequest, operation: Operation): Error | undefined {
    try {
      assertHead(request, this.bodyLimit);
      if (this.#service.strict)
        assertStrictHead(operation, request.originalUrl, request.raw.rawHeaders);
      return undefined;
    } catch (error) {
      return error as PaylensError;
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
    this.#limits.holdBody(reply.raw, body);
    const target = request.originalUrl;
    const {rawHeaders} = request.raw;
    const incoming = {operation, target, rawHeaders, body};
    const {recorded} = this.#service.options;
    const answered = recorded
      ? await recorded.answer(incoming, this.#service)
      : await answerRequest(incoming, this.#service);
    this.#limits.end('operation');
    const fault = await this.#nextFault(answered, request.raw.socket);
    const {holdOpen} = this;
    const sent = fault ? await injectFault(fault, {outcome: answered, reply, holdOpen}) : answered;
    if (sent) await this.#limits.turnEnd();
    if (this.#isDraining) this.#front.closeAfter(reply.raw);
    const milliseconds = performance.now() - started;
    // Send first, then log and count.
    if (sent) this.#front.send(reply, sent.answer);
    const outcome = sent ?? answered;
    reportRequest(this.#service, {
      version: request.raw.httpVersion,
      responseHead: headOf(reply.raw),
      responseBody: sentPart(fault, outcome.answer.body),
      ...{outcome, milliseconds},
      ...incoming,
    });
    return reply;
  }

  /** The fault of an answer, once its latency is over. */
  async #nextFault(answered: Outcome, socket: Socket) {
    const {latency = 0, fails} = this.#service.options;
    const delay = latency + (answered.latency ?? 0);
    if (delay > 0) await waitForClient(delay, socket);
    return answered.fault ?? (fails?.() ? '500' : undefined);
  }

  #refuse(refusal: Refusal, request: IncomingMessage | undefined) {
    const {error, defect} = refusal;
    const messageId = this.#service.messageId();
    const answer = errorAnswer(error, {messageId}, refusal);
    const report = (response?: ServerResponse) => {
      const responseHead = response && headOf(response);
      reportRefused(this.#service, {answer, messageId, error, request, responseHead, defect});
    };
    return {answer, report};
  }
}

const ANOTHER_PORT = 'Choose another port; 0 picks a free one.';
const ANOTHER_HOST = 'Choose an address of this machine.';

const CAUSES: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EADDRINUSE: ['port already in use', ANOTHER_PORT],
  EACCES: ['permission denied for this port', ANOTHER_PORT],
  EADDRNOTAVAIL: ['address not available on this machine', ANOTHER_HOST],
  ENOTFOUND: ['host name not found', ANOTHER_HOST],
};

/** The error 9020 for an address that cannot be listened on. */
export function listenError(error: unknown, host: string, port: number): PaylensError {
  const {code = 'unknown'} = error as NodeJS.ErrnoException;
  const [why, hint] = CAUSES[code] ?? [code, ANOTHER_PORT];
  return new PaylensError(9020, `cannot listen on ${host} port ${port}: ${why}`, {hint});
}
