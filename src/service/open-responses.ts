import {once} from 'node:events';
import type {ServerResponse} from 'node:http';

/** The responses that are under way, so that a service can wait for them before it stops. */
export class OpenResponses {
  readonly #open = new Set<ServerResponse>();
  readonly #forget: (this: ServerResponse) => void;

  constructor() {
    const open = this.#open;
    // One listener for all: a closure a request is not free.
    this.#forget = function () {
      open.delete(this);
    };
  }

  add(response: ServerResponse): void {
    this.#open.add(response);
    response.on('close', this.#forget);
  }

  /** Lets each of them end its connection, and waits until all are sent. */
  async finish(): Promise<void> {
    for (const response of this.#open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
    await Promise.all([...this.#open].map((response) => once(response, 'close')));
  }
}
