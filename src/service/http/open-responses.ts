import type {ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** Responses queued after the current one of a connection (pipelining). */
interface Pipeline {
  waiting: number;
  last: ServerResponse;
}

/**
 * Counts open responses, so that a service can wait for them before it stops. It holds no reference
 * to them: a Set of short-lived objects would make garbage collection slower.
 */
export class OpenResponses {
  readonly #queues = new WeakMap<Socket, Pipeline>();
  #count = 0;
  #allSent = () => {};
  readonly #forget = () => this.#subtract(1);

  add(response: ServerResponse): void {
    this.#count += 1;
    if (response.socket) response.on('close', this.#forget);
    else this.#addQueued(response, response.req.socket);
  }

  /** Number of open responses. */
  get count(): number {
    return this.#count;
  }

  /** Number of responses queued on a connection after its first. */
  queuedOn(socket: Socket): number {
    return this.#queues.get(socket)?.waiting ?? 0;
  }

  /** Whether no other response is queued on the connection, so that it can be closed. */
  isLast(response: ServerResponse): boolean {
    const queue = this.#queues.get(response.req.socket);
    return queue === undefined || queue.waiting === 0 || queue.last === response;
  }

  /** Waits until all are sent, or their connections are closed. */
  finish(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#allSent = resolve;
    });
  }

  /** When a connection is destroyed, Node closes only the first of its responses. */
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

  #newQueue(last: ServerResponse, socket: Socket): Pipeline {
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
 * Responses that close their connection. Node's parser continues after the request, but nothing that
 * it finds there may be processed: it could be a smuggled request.
 */
export class LastResponses {
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  /** Closes the connection after `response`. */
  add(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    this.#responses.set(response.req.socket, response);
  }

  /** Whether the last response of a connection has already been chosen. */
  isChosen(socket: Socket): boolean {
    return this.#responses.has(socket);
  }

  /** Whether the last request of a connection is complete: then later input is ignored. */
  isWhole(socket: Socket): boolean {
    return this.#responses.get(socket)?.req.complete ?? false;
  }
}
