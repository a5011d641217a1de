import type {IncomingMessage, RequestListener, Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {FastifyReply} from 'fastify';
import {answerClientError} from './client-error.js';
import {Connections} from './connections.js';
import {type DoorRules, refusalAtDoor} from './door/refusal-at-door.js';
import type {HttpAnswer} from './http-message.js';
import {newHttpServer, type Timeouts} from './new-http-server.js';
import {LastResponses, OpenResponses} from './open-responses.js';
import {type Refusal, unexpected} from './refusals.js';
import type {LoadLimits} from './workload.js';

interface FrontOptions {
  readonly rules: DoorRules;
  readonly load: LoadLimits;
  readonly timeouts?: Timeouts | undefined;
  /** PEM texts. */
  readonly tls?: {readonly cert: string; readonly key: string} | undefined;
  /** Makes the answer of a refusal, and counts it. */
  readonly refuse: (refusal: Refusal, request?: IncomingMessage) => HttpAnswer;
}

/** Pipelined requests that may wait on a connection; after this many it is closed. */
const MOST_WAITING = 100;

/**
 * The layer between the sockets and the routes: it accepts or rejects requests, sends responses,
 * and tracks which responses are open, which close their connection, and which the client has not
 * read.
 */
export class HttpFront {
  readonly #options: FrontOptions;
  readonly #open = new OpenResponses();
  readonly #lasts = new LastResponses();
  readonly #connections: Connections;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#connections = new Connections(options.load);
  }

  /** The server whose requests `listener` gets as far as they are let in. */
  newServer(listener: RequestListener): Server {
    const {timeouts, tls} = this.#options;
    const server = newHttpServer({timeouts, tls}, (request, response) => {
      if (this.#lets(request, response)) listener(request, response);
    });
    server.on('checkExpectation', (request, response) => {
      if (this.#lets(request, response)) this.#refuse(response, unexpected());
    });
    this.#connections.watch(server, tls !== undefined);
    return server;
  }

  /** Responds to what the HTTP parser rejected. */
  answerClientError(error: Error, socket: Socket): void {
    // The last response of the connection is still being sent.
    if (!this.#lasts.isWhole(socket)) answerClientError(error, socket, this.#options.refuse);
  }

  send(reply: FastifyReply, answer: HttpAnswer): FastifyReply {
    this.#closeAsSaid(reply.raw, answer);
    reply.code(answer.status).headers(answer.headers).send(answer.body);
    this.sent(reply.raw, answer.body.length);
    return reply;
  }

  /**
   * Counts an answer of the given number of bytes that is sent, unless its client has taken it
   * already.
   */
  sent(response: ServerResponse, bytes: number): void {
    this.#connections.sent(response, bytes);
  }

  /**
   * Closes a connection after a response, unless other responses are queued on it: they would be
   * lost.
   */
  closeBehind(response: ServerResponse): void {
    if (this.#open.isLast(response)) this.#lasts.add(response);
  }

  /** Waits until all responses are sent, or their connections are gone. */
  finish(): Promise<void> {
    return this.#open.finish();
  }

  /** False: the request has its answer, or gets none. */
  #lets(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.socket.destroyed || this.#lasts.isBehind(request.socket)) return false;
    this.#open.add(response);
    if (this.#isLast(request, response)) this.#lasts.add(response);
    const refusal = refusalAtDoor(request, this.#options.rules);
    if (refusal) this.#refuse(response, refusal);
    return refusal === undefined;
  }

  #isLast({headers, socket}: IncomingMessage, response: ServerResponse): boolean {
    // No other protocol is supported: bytes after an Upgrade would be parsed as requests.
    if (headers.upgrade !== undefined) return true;
    return !response.socket && this.#open.waitingOn(socket) >= MOST_WAITING;
  }

  #refuse(response: ServerResponse, refusal: Refusal): void {
    const answer = this.#options.refuse(refusal, response.req);
    this.#closeAsSaid(response, answer);
    const {status, headers, body} = answer;
    response.writeHead(status, {...headers, 'content-length': Buffer.byteLength(body)}).end(body);
    this.sent(response, body.length);
  }

  #closeAsSaid(response: ServerResponse, {headers}: HttpAnswer): void {
    if (headers.connection === 'close') this.#lasts.add(response);
  }
}
