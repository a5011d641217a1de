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
  readonly refuse: (refusal: Refusal) => HttpAnswer;
}

/** Requests of a connection behind one that is not answered: behind so many it closes. */
const MOST_WAITING = 100;

/**
 * What is between the sockets and the routes: it lets requests in or refuses them, sends answers, and
 * knows which responses are open, which end their connections, and which are not taken.
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

  /** Answers what never became a request. */
  answerClientError(error: Error, socket: Socket): void {
    // The answer behind which the connection ends is still on its way.
    if (!this.#lasts.isWhole(socket)) answerClientError(error, socket, this.#options.refuse);
  }

  send(reply: FastifyReply, answer: HttpAnswer): FastifyReply {
    this.#closeAsSaid(reply.raw, answer);
    reply.code(answer.status).headers(answer.headers).send(answer.body);
    this.sent(reply.raw, answer.body.length);
    return reply;
  }

  /** Counts an answer of so many bytes that is sent, unless its client has taken it already. */
  sent(response: ServerResponse, bytes: number): void {
    this.#connections.sent(response, bytes);
  }

  /** Ends a connection behind a response, unless others wait there: they would be lost. */
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
    // Nobody here speaks another protocol: what comes behind would be taken for requests.
    if (headers.upgrade !== undefined) return true;
    return !response.socket && this.#open.waitingOn(socket) >= MOST_WAITING;
  }

  #refuse(response: ServerResponse, refusal: Refusal): void {
    const answer = this.#options.refuse(refusal);
    this.#closeAsSaid(response, answer);
    const {status, headers, body} = answer;
    response.writeHead(status, {...headers, 'content-length': Buffer.byteLength(body)}).end(body);
    this.sent(response, body.length);
  }

  #closeAsSaid(response: ServerResponse, {headers}: HttpAnswer): void {
    if (headers.connection === 'close') this.#lasts.add(response);
  }
}
