import type {ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** The responses of a connection that came while another was under way (pipelining). */
interface Queue {
  waiting: number;
  last: ServerResponse;
}

/**
 * Counts the responses that are under way, so that a service can wait for them before it stops. It
 * does not hold them: a Set of short-lived objects keeps the collector from taking them early.
 */
export class OpenResponses {
  readonly #queues = new WeakMap<Socket, Queue>();
  #count = 0;
  #allSent = () => {};
  readonly #forget = () => this.#subtract(1);

  add(response: ServerResponse): void {
    this.#count += 1;
    if (response.socket) response.on('close', this.#forget);
    else this.#addQueued(response, response.req.socket);
  }

  /** Number of responses queued on a connection after its first. */
  waitingOn(socket: Socket): number {
    return this.#queues.get(socket)?.waiting ?? 0;
  }

  /**
   * Whether the connection can be closed after this response: no other response is queued on it.
   */
  isLast(response: ServerResponse): boolean {
    const queue = this.#queues.get(response.req.socket);
    return queue === undefined || queue.waiting === 0 || queue.last === response;
  }

  /** Waits until all are sent, or their connections are gone. */
  finish(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#allSent = resolve;
    });
  }

  /** When a connection is cut, Node closes the first of its responses only. */
  #addQueued(response: ServerResponse, socket: Socket): void {
    const queue = this.#queues.get(socket) ?? this.#newQueue(response, socket);
    queue.waiting += 1;
    queue.last = response;
    response.on('close', () => {
      if (queue.waiting === 0) return;
      queue.waiting -= 1;
      this.#forget();
    });
  }

  #newQueue(last: ServerResponse, socket: Socket): Queue {
    const queue = {waiting: 0, last};
    this.#queues.set(socket, queue);
    socket.once('close', () => {
      const lost = queue.waiting;
      queue.waiting = 0;
      this.#subtract(lost);
    });
    return queue;
  }

  #subtract(responses: number): void {
    this.#count -= responses;
    if (this.#count === 0) this.#allSent();
  }
}

/**
 * Responses after which the connection is closed. Node's parser continues after such a request, but
 * nothing that it finds there may be processed.
 */
export class LastResponses {
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  /** Closes the connection after `response`. */
  add(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    this.#responses.set(response.req.socket, response);
  }

  /** Whether the last response of a connection has already been chosen. */
  isBehind(socket: Socket): boolean {
    return this.#responses.has(socket);
  }

  /** Whether the last request of a connection is whole, so that a fault is none of its own. */
  isWhole(socket: Socket): boolean {
    return this.#responses.get(socket)?.req.complete ?? false;
  }
}
