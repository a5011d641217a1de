import {once} from 'node:events';
import type {ServerResponse} from 'node:http';

/** The responses that are under way, so that a service can wait for them before it stops. */
export class OpenResponses {
  readonly #open = new Set<ServerResponse>();

  add(response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
  }

  /** Lets each of them end its connection, and waits until all are sent. */
  async finish(): Promise<void> {
    for (const response of this.#open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
    await Promise.all([...this.#open].map((response) => once(response, 'close')));
  }
}
