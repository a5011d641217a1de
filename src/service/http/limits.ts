import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {type Connection, isWaiting, newConnection, observe} from './connection.js';

/** Load limits of a service. */
export interface LoadLimits {
  /** Milliseconds of work on the requests of one turn of the event loop; the others get 503. */
  readonly turn: number;
  /** Requests in progress, which may wait for a replay store; further ones get 503. */
  readonly requests: number;
  /** Connections; the last eighth replace others if possible, further ones are closed at once. */
  readonly connections: number;
  /** Milliseconds without progress after which a client that does not read is disconnected. */
  readonly silence: number;
  /** Unread bytes of responses: on one connection, and in all. */
  readonly waitingEach: number;
  readonly waiting: number;
  /** Bytes of bodies, until their requests are answered; further ones above 8 KiB get 503. */
  readonly bodies: number;
}

/** With all of them reached, a process stays below 300 MiB. */
export const LOAD_LIMITS: LoadLimits = {
  turn: 1000,
  requests: 2000,
  connections: 4096,
  silence: 10_000,
  waitingEach: 2 ** 22,
  waiting: 2 ** 25,
  bodies: 2 ** 26,
};

/** A TLS connection needs about 50 KiB more memory. */
const TLS_LIMITS = {connections: 2048, bodies: 2 ** 25} as const;
/** Bodies up to this size are always accepted: the number of requests limits them. */
const SMALL_BODY_BYTES = 8 * 1024;
/** Bodies up to this size are not even counted. */
const TINY_BODY_BYTES = 2 * 1024;
/** Near the limit of connections, one that was not answered for so long is replaced. */
const MAX_UNANSWERED_MS = 1000;
/** Memory of an unread response in addition to its bytes. */
const RESPONSE_OVERHEAD_BYTES = 4096;

/** Keeps a service responsive, and its memory bounded, whatever its clients do. */
export class Limits {
  readonly #limits: LoadLimits;
  readonly #connections = new Map<Socket, Connection>();
  #open = 0;
  readonly #total = {waiting: 0, bodies: 0};
  #requests = 0;
  #pages = 0;
  #turnStart: number | undefined;
  #turnEnd: Promise<void> | undefined;
  #endTurn = () => {};

  constructor(limits: Partial<LoadLimits> = {}, hasTls = false) {
    this.#limits = {...LOAD_LIMITS, ...(hasTls && TLS_LIMITS), ...limits};
  }

  /** Accepts a request unless a limit is reached. Pages (GET) get at most half of the capacity. */
  begin(kind: 'operation' | 'page', now: number): boolean {
    const {turn, requests} = this.#limits;
    this.#turnStart ??= this.#startTurn(now);
    const isFull = this.#requests >= requests || (kind === 'page' && this.#pages >= requests / 2);
    if (isFull || now - this.#turnStart > turn) return false;
    this.#requests += 1;
    if (kind === 'page') this.#pages += 1;
    return true;
  }

  /** Marks an accepted request as finished. */
  end(kind: 'operation' | 'page'): void {
    this.#requests -= 1;
    if (kind === 'page') this.#pages -= 1;
  }

  /**
   * Waits until all requests of this turn have been worked on. Sending their responses together
   * saves 20 % of the CPU time per request: each response sent alone wakes up its reader.
   */
  turnEnd(): Promise<void> {
    this.#turnStart ??= this.#startTurn(performance.now());
    this.#turnEnd ??= new Promise((resolve) => {
      this.#endTurn = resolve;
    });
    return this.#turnEnd;
  }

  /** The room that the next body of a connection may take: called with its old and new size. */
  bodyRoom(socket: Socket): (before: number, bytes: number) => boolean {
    const {bodies} = this.#limits;
    return (before, bytes) => {
      this.#count('bodies', socket, countedBytes(bytes) - countedBytes(before));
      return bytes <= SMALL_BODY_BYTES || this.#total.bodies <= Math.max(bodies, bytes);
    };
  }

  /** Counts a collected body, and what it was parsed into, until its request is answered. */
  holdBody(response: ServerResponse, body: unknown): void {
    const bytes = body instanceof Uint8Array ? countedBytes(body.buffer.byteLength) : 0;
    const {socket} = response.req;
    if (bytes === 0) return;
    this.#count('bodies', socket, bytes);
    response.once('close', () => this.#count('bodies', socket, -2 * bytes));
  }

  /** Limits the connections of a server, which emits `drop` for each that it closes. */
  watch(server: Server): void {
    const {connections, silence} = this.#limits;
    server.maxConnections = connections;
    const usual = connections - Math.floor(connections / 8);
    server.on('connection', (socket: Socket) => {
      this.#open += 1;
      socket.once('close', () => {
        this.#open -= 1;
      });
      if (this.#open > usual && this.#replaceOne()) server.emit('drop');
      this.#enter(socket);
    });
    // After its handshake, a TLS connection has another socket.
    server.on('secureConnection', (socket: Socket & {readonly _parent?: Socket}) => {
      if (socket._parent) this.#forget(socket._parent);
      this.#enter(socket);
    });
    const sweep = () => {
      this.#disconnectSilent();
      for (let open = this.#open; open > usual && this.#replaceOne(); open--) server.emit('drop');
    };
    const timer = setInterval(sweep, Math.min(silence / 10, MAX_UNANSWERED_MS / 2)).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Counts the bytes of a response that was sent, until its client has read them. */
  sent(response: ServerResponse, bytes: number): void {
    const {socket} = response.req;
    const connection = response.writableLength > 0 && this.#connections.get(socket);
    if (!connection) return;
    // One response may be large, but none may follow while more than the limit is unread.
    if (connection.waiting > this.#limits.waitingEach) socket.destroy();
    const size = bytes + RESPONSE_OVERHEAD_BYTES;
    this.#count('waiting', socket, size);
    response.once('close', () => this.#count('waiting', socket, -size));
    while (this.#total.waiting > this.#limits.waiting && this.#disconnectLargest());
  }

  #startTurn(now: number): number {
    setImmediate(() => {
      this.#turnStart = undefined;
      this.#turnEnd = undefined;
      this.#endTurn();
    });
    return now;
  }

  #enter(socket: Socket): void {
    this.#connections.set(socket, newConnection(performance.now()));
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    this.#count('waiting', socket, Number.NEGATIVE_INFINITY);
    this.#count('bodies', socket, Number.NEGATIVE_INFINITY);
    this.#connections.delete(socket);
  }

  /** Changes a count of a connection and of all, but not below 0. */
  #count(kind: 'waiting' | 'bodies', socket: Socket, bytes: number): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    const change = Math.max(bytes, -connection[kind]);
    connection[kind] += change;
    this.#total[kind] += change;
  }

  #disconnectLargest(): boolean {
    const all = [...this.#connections];
    const [socket, {waiting}] = all.reduce((a, b) => (b[1].waiting > a[1].waiting ? b : a));
    this.#forget(socket.destroy());
    return waiting > 0;
  }

  /** Disconnects a client that sends no complete request, else one that waits for its response. */
  #replaceOne(): boolean {
    const now = performance.now();
    let replaced: Socket | undefined;
    for (const [socket, connection] of this.#connections) {
      observe(socket, connection, now);
      if (now - connection.servedAt < MAX_UNANSWERED_MS) continue;
      replaced ??= socket;
      if (isWaiting(socket)) continue;
      replaced = socket;
      break;
    }
    if (replaced) this.#forget(replaced.destroy());
    return replaced !== undefined;
  }

  /** At the limit of connections, those without any progress make room for others. */
  #disconnectSilent(): void {
    const now = performance.now();
    const {connections, silence} = this.#limits;
    for (const [socket, connection] of this.#connections) {
      observe(socket, connection, now);
      if (now - connection.since < silence) continue;
      if (this.#open >= connections || socket.writableLength > 0) socket.destroy();
    }
  }
}

function countedBytes(bytes: number): number {
  return bytes > TINY_BODY_BYTES ? bytes : 0;
}
