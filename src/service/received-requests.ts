import type {Operation} from '../contract/operation.js';
import {redactCardNumbers} from '../contract/redact-card-numbers.js';

/** What the service tells of a request afterwards: never a payload, a key or a card number. */
export interface ReceivedRequest {
  readonly time: string;
  readonly operation: Operation;
  readonly target: string;
  /** `transparent`, `basic`, `digest`, `hmac`, `rsa`; absent: not authenticated. */
  readonly authentication?: string;
  readonly partnerId?: string;
  readonly reference?: string;
  readonly deviceType?: string;
  readonly status: number;
  readonly errCode?: number;
  readonly messageId: string;
  readonly bodyBytes: number;
}

/** The requests received last, oldest first, for `GET /_requests` and test suites. */
export class ReceivedRequests {
  readonly #limit: number;
  readonly #requests: ReceivedRequest[] = [];

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  add(request: ReceivedRequest): void {
    if (this.#requests.length >= this.#limit) this.#requests.shift();
    this.#requests.push(request);
  }

  list(): readonly ReceivedRequest[] {
    return this.#requests.map(redacted);
  }

  clear(): void {
    this.#requests.length = 0;
  }
}

function redacted(request: ReceivedRequest): ReceivedRequest {
  const {reference} = request;
  return reference === undefined ? request : {...request, reference: redactCardNumbers(reference)};
}
