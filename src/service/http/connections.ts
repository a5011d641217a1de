import cluster from 'node:cluster';
import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {LoadLimits} from './workload.js';

interface Connection {
  /** Bytes that the client has accepted; once it has accepted all, also bytes that it has sent. */
  moved: number;
  /** When they were last seen to change. */
  since: number;
  /** Bytes of answers that its client has not taken, and what keeping them costs. */
  waiting: number;
}

/** Memory of a waiting response in addition to its bytes. */
const ANSWER_OVERHEAD = 4096;
/** How often in the time that a client may be silent it is looked for. */
const LOOKS = 10;

/**
 * The connections of a server. Those that do not take their answers are cut: when nothing moves for
 * too long, or when too much waits, in one or in all together. When there are as many connections as
 * there may be, those that have been silent as long make room for others.
 */
export class Connections {
  readonly #limits: LoadLimits;
  readonly #connections = new Map<Socket, Connection>();
  #open = 0;
  #waiting = 0;

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** Watches the connections of `server` until it closes. */
  watch(server: Server, isTls: boolean): void {
    if (!cluster.isWorker) server.maxConnections = this.#limits.connections;
    server.on('connection', (socket) => {
      this.#open += 1;
      socket.once('close', () => {
        this.#open -= 1;
      });
      // Node would hand it from one full worker to the next, again and again.
      if (cluster.isWorker && this.#open > this.#limits.connections) drop(server, socket);
    });
    // Before its handshake a TLS connection has a limit of its own.
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => this.#add(socket));
    const look = () => this.#look(performance.now());
    const timer = setInterval(look, this.#limits.silence / LOOKS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /**
   * Counts an answer of the given number of bytes that was sent, unless its client has taken it
   * already.
   */
  sent(response: ServerResponse, bytes: number): void {
    if (response.writableLength === 0) return;
    const connection = this.#connections.get(response.req.socket);
    if (!connection) return;
    // One response may be large, but a client for which more than the limit is already waiting is
    // disconnected.
    if (connection.waiting > this.#limits.waitingEach) response.req.socket.destroy();
    const size = bytes + ANSWER_OVERHEAD;
    this.#count(connection, size);
    response.once('close', () => this.#count(connection, -Math.min(size, connection.waiting)));
    while (this.#waiting > this.#limits.waiting && this.#cutLargest());
  }

  #add(socket: Socket): void {
    const connection = {moved: 0, since: performance.now(), waiting: 0};
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    this.#connections.delete(socket);
    this.#count(connection, -connection.waiting);
  }

  #count(connection: Connection, bytes: number): void {
    connection.waiting += bytes;
    this.#waiting += bytes;
  }

  /** Cuts the connection in which most waits; false when nothing does. */
  #cutLargest(): boolean {
    let largest: Socket | undefined;
    let most = 0;
    for (const [socket, {waiting}] of this.#connections) {
      if (waiting <= most) continue;
      largest = socket;
      most = waiting;
    }
    if (!largest) return false;
    largest.destroy();
    this.#forget(largest);
    return true;
  }

  #look(now: number): void {
    const isFull = this.#open >= this.#limits.connections;
    for (const [socket, connection] of this.#connections) {
      const moved = bytesMoved(socket);
      if (moved !== connection.moved) Object.assign(connection, {moved, since: now});
      else if (now - connection.since < this.#limits.silence) continue;
      else if (isFull || socket.writableLength > 0) socket.destroy();
    }
  }
}

/** Who sends on and on without taking an answer does not go on. */
function bytesMoved({bytesRead, bytesWritten, writableLength}: Socket): number {
  return writableLength > 0 ? bytesWritten - writableLength : bytesRead + bytesWritten;
}

function drop(server: Server, socket: Socket): void {
  socket.destroy();
  server.emit('drop');
}
