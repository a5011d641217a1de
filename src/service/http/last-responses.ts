import type {ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/**
 * The responses behind which their connections end. Node's parser goes on behind such a request:
 * what it finds there is none, and must do nothing.
 */
export class LastResponses {
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  /** Ends the connection of `response` behind it. */
  add(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    this.#responses.set(response.req.socket, response);
  }

  /** Whether what comes on a connection comes too late. */
  isBehind(socket: Socket): boolean {
    return this.#responses.has(socket);
  }

  /** Whether the last request of a connection is whole, so that a fault is none of its own. */
  isWhole(socket: Socket): boolean {
    return this.#responses.get(socket)?.req.complete ?? false;
  }
}
