import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Readable} from 'node:stream';
import {PaylensError} from '../../contract/paylens-error.js';

/** Load limits of a service. */
export interface LoadLimits {
  /** Milliseconds of work on the requests of one turn of the event loop; the others get 503. */
  readonly turn: number;
  /** Requests in progress, which may wait for a replay store; further ones get 503. */
  readonly requests: number;
  /** Connections; further ones are closed at once. */
  readonly connections: number;
  /** Milliseconds without progress after which a client that does not read is disconnected. */
  readonly silence: number;
  /** Unread bytes of responses: on one connection, and in all. */
  readonly waitingEach: number;
  readonly waiting: number;
  /** Bytes of the bodies being received, those below 8 KiB aside; further ones get 503. */
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
const TLS_CONNECTIONS = 2048;
/** Bodies up to this size are always accepted: the number of connections limits them. */
const SMALL_BODY_BYTES = 8 * 1024;
/** Memory of an unread response in addition to its bytes. */
const RESPONSE_OVERHEAD_BYTES = 4096;

interface Connection {
  /** Bytes that the client has read, or also sent once it has read all; `since`: last change. */
  moved: number;
  since: number;
  /** Unread bytes, with overhead. */
  waiting: number;
}

type BodyDone = (error: Error | null, body?: Uint8Array) => void;

/** Keeps a service responsive, and its memory bounded, whatever its clients do. */
export class Limits {
  readonly #limits: LoadLimits;
  readonly #connections = new Map<Socket, Connection>();
  #open = 0;
  #waiting = 0;
  #bodies = 0;
  #requests = 0;
  #pages = 0;
  #turnStart: number | undefined;
  #turnEnd: Promise<void> | undefined;
  #endTurn = () => {};

  constructor(limits: Partial<LoadLimits> = {}, hasTls = false) {
    this.#limits = {...LOAD_LIMITS, ...(hasTls && {connections: TLS_CONNECTIONS}), ...limits};
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

  /** Collects a body. Fails with 2006 above `maxBytes`, with 2 if all bodies need too much memory. */
  collectBody(stream: Readable, maxBytes: number, done: BodyDone): void {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let counted = 0;
    const finish: BodyDone = (error, body) => {
      release();
      done(error, body);
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) finish(new PaylensError(2006, `expected at most ${maxBytes} bytes`));
      if (size <= SMALL_BODY_BYTES || size > maxBytes) return;
      this.#bodies += size - counted;
      counted = size;
      if (this.#bodies > Math.max(this.#limits.bodies, maxBytes))
        finish(new PaylensError(2, 'overloaded'));
    };
    const onEnd = () => finish(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    const release = () => {
      stream.off('data', onData).off('end', onEnd).off('error', finish).off('close', release);
      this.#bodies -= counted;
      counted = 0;
    };
    stream.on('data', onData).on('end', onEnd).on('error', finish).on('close', release);
  }

  /** Limits the connections of a server. */
  watch(server: Server, isTls: boolean): void {
    server.maxConnections = this.#limits.connections;
    server.on('connection', (socket) => {
      this.#open += 1;
      socket.once('close', () => {
        this.#open -= 1;
      });
    });
    // Until its handshake is complete, a TLS connection has Node's time limit.
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#connections.set(socket, {moved: 0, since: performance.now(), waiting: 0});
      socket.once('close', () => this.#forget(socket));
    });
    const interval = this.#limits.silence / 10;
    const timer = setInterval(() => this.#disconnectSilent(), interval).unref();
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
    this.#count(connection, size);
    response.once('close', () => this.#count(connection, -Math.min(size, connection.waiting)));
    while (this.#waiting > this.#limits.waiting && this.#disconnectLargest());
  }

  #startTurn(now: number): number {
    setImmediate(() => {
      this.#turnStart = undefined;
      this.#turnEnd = undefined;
      this.#endTurn();
    });
    return now;
  }

  #forget(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) this.#count(connection, -connection.waiting);
    this.#connections.delete(socket);
  }

  #count(connection: Connection, bytes: number): void {
    connection.waiting += bytes;
    this.#waiting += bytes;
  }

  #disconnectLargest(): boolean {
    const all = [...this.#connections];
    const [socket, {waiting}] = all.reduce((a, b) => (b[1].waiting > a[1].waiting ? b : a));
    this.#forget(socket.destroy());
    return waiting > 0;
  }

  /** At the limit of connections, those without any progress make room for others. */
  #disconnectSilent(): void {
    const now = performance.now();
    const {connections, silence} = this.#limits;
    for (const [socket, connection] of this.#connections) {
      const moved = bytesMoved(socket);
      if (moved !== connection.moved) Object.assign(connection, {moved, since: now});
      else if (now - connection.since < silence) continue;
      else if (this.#open >= connections || socket.writableLength > 0) socket.destroy();
    }
  }
}

/** While a response is unread, sending more requests does not count as progress. */
function bytesMoved({bytesRead, bytesWritten, writableLength}: Socket): number {
  return writableLength > 0 ? bytesWritten - writableLength : bytesRead + bytesWritten;
}
