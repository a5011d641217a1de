import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type {Socket} from 'node:net';
import type {FastifyReply} from 'fastify';
import {PaylensError} from '../../contract/paylens-error.js';
import type {HttpAnswer} from './http-message.js';
import type {Limits} from './limits.js';
import {newHttpServer, type Timeouts} from './new-http-server.js';
import {LastResponses, OpenResponses} from './open-responses.js';
import {closingRefusal, type Refusal} from './refusals.js';
import {type HostRules, rejectEarly} from './reject-early.js';
import {resumeBodies, skipBody, skipRequests} from './skip-input.js';

interface FrontOptions {
  readonly rules: HostRules;
  readonly limits: Limits;
  readonly timeouts?: Timeouts | undefined;
  /** PEM texts. */
  readonly tls?: {readonly cert: string; readonly key: string} | undefined;
  /** Makes the answer to a refused request; what it returns with it counts it once it is sent. */
  readonly refuse: (refusal: Refusal, request?: IncomingMessage) => RefusalAnswer;
}

interface RefusalAnswer {
  readonly answer: HttpAnswer;
  readonly report: (response?: ServerResponse) => void;
}

/** After so many pipelined requests a connection is closed. */
const MAX_PIPELINED = 16;
/** Then a client that goes on sending is disconnected. */
const MAX_IGNORED = 16;
/** With so many open responses, connections that pipeline are cut off: each makes many requests. */
const MAX_OPEN = 512;
const MAX_OPEN_IN_LONG_TURNS = 128;

/**
 * The layer between the sockets and the routes: it accepts or rejects requests, sends responses,
 * and tracks which responses are open and which close their connection.
 */
export class HttpFront {
  readonly #options: FrontOptions;
  readonly #open = new OpenResponses();
  readonly #lasts = new LastResponses();
  /** How often a connection sent more behind the request of its last response. */
  readonly #ignored = new WeakMap<Socket, number>();

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** A server that passes accepted requests to `listener`. */
  newServer(listener: RequestListener): Server {
    const {timeouts, tls, limits} = this.#options;
    const server = newHttpServer({timeouts, tls}, (request, response) => {
      if (this.#accepts(request, response)) listener(request, response);
    });
    server.on('checkExpectation', (request, response) => {
      if (!this.#accepts(request, response)) return;
      const error = new PaylensError(2009, 'unsupported Expect header');
      this.reject(response, closingRefusal(error, {status: 417}));
    });
    // Without a listener Node closes the connection; it hands on every other method as a request.
    server.on('connect', (request, socket: Socket) => this.#refuseTunnel(request, socket));
    limits.watch(server);
    return server;
  }

  /** Responds to input that the HTTP parser rejected: malformed HTTP 400, late 408, oversized headers 431. */
  answerClientError({code = ''}: NodeJS.ErrnoException, socket: Socket): void {
    const status = STATUS_BY_CODE[code] ?? 400;
    // The last response of the connection is still being sent.
    if (this.#lasts.isWhole(socket)) this.#ignore(socket);
    else if (code === 'ECONNRESET') socket.destroy();
    else answerOn(socket, this.#options.refuse({error: new PaylensError(2009), status}));
  }

  send(reply: FastifyReply, answer: HttpAnswer): FastifyReply {
    this.#beforeHead(reply.raw, answer);
    reply.code(answer.status).headers(answer.headers).send(answer.body);
    this.#options.limits.sent(reply.raw, answer.body.length);
    return reply;
  }

  /** Sends the answer to a refused request. */
  refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
    const {answer, report} = this.#options.refuse(refusal, reply.request.raw);
    this.send(reply, answer);
    report(reply.raw);
    return reply;
  }

  /** The same for a request that no route has seen. */
  reject(response: ServerResponse, refusal: Refusal): void {
    const {answer, report} = this.#options.refuse(refusal, response.req);
    this.#beforeHead(response, answer);
    const {status, headers, body} = answer;
    response.writeHead(status, {...headers, 'content-length': Buffer.byteLength(body)}).end(body);
    this.#options.limits.sent(response, body.length);
    report(response);
  }

  /** Closes a connection after a response, unless more responses are queued on it. */
  closeAfter(response: ServerResponse): void {
    if (this.#open.isLast(response)) this.#lasts.add(response);
  }

  /** Waits until all responses are sent, or their connections are closed. */
  finish(): Promise<void> {
    return this.#open.finish();
  }

  /** Otherwise the request was answered, or gets no answer. */
  #accepts(request: IncomingMessage, response: ServerResponse): boolean {
    const {socket} = request;
    if (socket.destroyed) {
      skipRequests(socket);
      return false;
    }
    resumeBodies(socket);
    const isBusy = this.#isBusy();
    if (this.#lasts.isChosen(socket)) this.#ignore(socket);
    else if (!response.socket && isBusy) skipRequests(socket.destroy());
    else return this.#enter(request, response, isBusy);
    return false;
  }

  #refuseTunnel(request: IncomingMessage, socket: Socket): void {
    const error = new PaylensError(2008, 'CONNECT is not supported: this service is not a proxy');
    const unsupported = {error, status: 405, headers: {allow: 'GET, HEAD, POST'}};
    const refusal = rejectEarly(request, this.#options.rules, false) ?? unsupported;
    // Node no longer looks after this connection.
    socket.on('error', () => {}).resume();
    setTimeout(() => socket.destroy(), 1000).unref();
    answerOn(socket, this.#options.refuse(refusal, request));
  }

  #isBusy(): boolean {
    const isLong = this.#options.limits.isLongTurn(performance.now());
    return this.#open.count > (isLong ? MAX_OPEN_IN_LONG_TURNS : MAX_OPEN);
  }

  #ignore(socket: Socket): void {
    const ignored = (this.#ignored.get(socket) ?? 0) + 1;
    this.#ignored.set(socket, ignored);
    if (ignored > MAX_IGNORED) socket.destroy();
    skipRequests(socket, () => this.#ignore(socket));
  }

  #enter(request: IncomingMessage, response: ServerResponse, isBusy: boolean): boolean {
    this.#open.add(response);
    if (this.#isLast(request, response)) this.#lasts.add(response);
    const refusal = rejectEarly(request, this.#options.rules, isBusy);
    if (refusal) this.reject(response, refusal);
    return refusal === undefined;
  }

  #isLast({headers, socket}: IncomingMessage, response: ServerResponse): boolean {
    // No other protocol is supported: bytes after an Upgrade would be parsed as requests.
    if (headers.upgrade !== undefined) return true;
    if (response.socket) return false;
    return this.#open.queuedOn(socket) >= MAX_PIPELINED;
  }

  #beforeHead(response: ServerResponse, {headers}: HttpAnswer): void {
    if (!response.req.complete) skipBody(response.req.socket);
    if (headers.connection === 'close') this.#lasts.add(response);
  }
}

/** Responds to what did not become a request, and closes the connection. */
function answerOn(socket: Socket, {answer, report}: RefusalAnswer): void {
  // While a response is being sent, a second one would be read as part of it.
  const {_httpMessage: underWay} = socket as {readonly _httpMessage?: ServerResponse};
  if (!socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const {status, body, headers} = answer;
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  report();
}

/** Status line and headers as Node sent them, with their line ends; undefined if it sent none. */
export function headOf(response: ServerResponse): string | undefined {
  const {_header: head} = response as {readonly _header?: string | null};
  return head ?? undefined;
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};
