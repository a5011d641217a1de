import type {ReceivedRequest} from '../../contract/control/received-request.js';
import {serviceAnswers} from '../operations/answer-queue.js';

/** The requests that a service received, oldest first. */
export interface ReceivedList {
  readonly list: () => readonly ReceivedRequest[];
  readonly clear: () => void;
}

/** What a test suite sees and sets of a demo or mock service. */
export class Control {
  /** Asked for each request. */
  readonly answers = serviceAnswers();
  readonly received: ReceivedList;
  readonly #forgetNonces: () => void;

  constructor(received: ReceivedList, forgetNonces: () => void) {
    this.received = received;
    this.#forgetNonces = forgetNonces;
  }

  /** Forgets requests, queued answers, and the nonces in memory. */
  reset(): void {
    this.received.clear();
    this.answers.remove();
    this.#forgetNonces();
  }
}
