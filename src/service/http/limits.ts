import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {type Connection, isWaiting, newConnection, observe} from './connection.js';

/** Load limits of a service. */
export interface LoadLimits {
  /** Milliseconds of work on one turn of the event loop; later operations get 503, pages sooner. */
  readonly turn: number;
  /** Operations in progress, which may wait for a replay store; further ones get 503. */
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
  turn: 400,
  requests: 2000,
  connections: 4096,
  silence: 10_000,
  waitingEach: 2 ** 22,
  waiting: 2 ** 24,
  bodies: 2 ** 24,
};

/** A TLS connection needs about 50 KiB more memory. */
const TLS_CONNECTIONS = 2048;
/** Pages (GET) in progress, and their time in a turn, as shares of those of operations. */
const SHARES = {operation: 1, page: 1 / 4} as const;
/** Bodies up to this size are always accepted: the number of requests limits them. */
const SMALL_BODY_BYTES = 8 * 1024;
/** Near the limit of connections, one that was not answered for so long is replaced. */
const MAX_UNANSWERED_MS = 1000;
/** Memory of an unread response in addition to its bytes. */
const RESPONSE_OVERHEAD_BYTES = 4096;

/** Keeps a service responsive, and its memory bounded, whatever its clients do. */
export class Limits {
  readonly #limits: LoadLimits;
  readonly #connections = new Map<Socket, Connection>();
  readonly #total = {waiting: 0, bodies: 0};
  readonly #inProgress = {operation: 0, page: 0};
  #turn: NodeJS.Immediate | undefined;
  /** When the first request of the turn came in, and when the work on the first began. */
  #firstRequest: number | undefined;
  #turnStart: number | undefined;
  #turnEnd: Promise<void> | undefined;
  #endTurn = () => {};

  constructor(limits: Partial<LoadLimits> = {}, hasTls = false) {
    this.#limits = {...LOAD_LIMITS, ...(hasTls && {connections: TLS_CONNECTIONS}), ...limits};
  }

  /** Accepts a request unless a limit is reached. */
  begin(kind: keyof typeof SHARES, now: number): boolean {
    const {turn, requests} = this.#limits;
    this.#turnStart ??= this.#inTurn(now);
    const isFull = this.#inProgress[kind] >= requests * SHARES[kind];
    if (isFull || now - this.#turnStart > turn * SHARES[kind]) return false;
    this.#inProgress[kind] += 1;
    return true;
  }

  /** Called for every request: whether this turn of the event loop takes too long for pages. */
  isLongTurn(now: number): boolean {
    this.#firstRequest ??= this.#inTurn(now);
    return now - this.#firstRequest > this.#limits.turn * SHARES.page;
  }

  /** Marks an accepted request as finished. */
  end(kind: keyof typeof SHARES): void {
    this.#inProgress[kind] -= 1;
  }

  /**
   * Waits until all requests of this turn have been worked on. Sending their responses together
   * saves 20 % of the CPU time per request: each response sent alone wakes up its reader.
   */
  turnEnd(): Promise<void> {
    this.#inTurn(0);
    this.#turnEnd ??= new Promise((resolve) => {
      this.#endTurn = resolve;
    });
    return this.#turnEnd;
  }

  /** The room that the next body of a connection may take: called with its old and new size. */
  bodyRoom(socket: Socket): (before: number, bytes: number) => boolean {
    const {bodies} = this.#limits;
    return (before, bytes) => {
      this.#count('bodies', socket, bytes - before);
      return bytes <= SMALL_BODY_BYTES || this.#total.bodies <= Math.max(bodies, bytes);
    };
  }

  /** Counts a large body, and what it was parsed into, until its request is answered. */
  holdBody(response: ServerResponse, body: unknown): void {
    const bytes = body instanceof Uint8Array ? body.buffer.byteLength : 0;
    const {socket} = response.req;
    const isLarge = bytes > SMALL_BODY_BYTES;
    this.#count('bodies', socket, isLarge ? bytes : -bytes);
    if (isLarge) response.once('close', () => this.#count('bodies', socket, -2 * bytes));
  }

  /** Limits the connections of a server, which emits `drop` for each that it closes. */
  watch(server: Server): void {
    const {connections, silence} = this.#limits;
    server.maxConnections = connections;
    const usual = connections - Math.floor(connections / 8);
    const makeRoom = () => {
      while (this.#connections.size > usual && this.#replaceOne()) server.emit('drop');
    };
    server.on('connection', (socket: Socket) => {
      this.#enter(socket);
      makeRoom();
    });
    // After its handshake, a TLS connection has another socket.
    server.on('secureConnection', (socket: Socket & {readonly _parent?: Socket}) => {
      if (socket._parent) this.#forget(socket._parent);
      this.#enter(socket);
    });
    const sweep = () => {
      this.#disconnectSilent();
      makeRoom();
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
    while (this.#total.waiting > this.#limits.waiting) this.#disconnectLargest();
  }

  /** Returns `now`, in a turn whose end is seen to. */
  #inTurn(now: number): number {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#firstRequest = undefined;
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
    for (const kind of ['waiting', 'bodies'] as const) this.#count(kind, socket, -Infinity);
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

  #disconnectLargest(): void {
    const all = [...this.#connections];
    const [socket] = all.reduce((a, b) => (b[1].waiting > a[1].waiting ? b : a));
    this.#forget(socket.destroy());
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
      if (this.#connections.size >= connections || socket.writableLength > 0) socket.destroy();
    }
  }
}
