import {isDeviceType} from '../contract/device-types.js';
import type {Operation} from '../contract/operation.js';
import {redactCardNumbers} from '../contract/redact-card-numbers.js';
import type {FinishedRequest} from './create-server.js';

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

/** What is kept of a request until somebody asks. Never the answer: it holds card data. */
interface Kept {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly operation: Operation;
  readonly target: string;
  readonly sender: FinishedRequest['outcome']['sender'];
  readonly reference: string | undefined;
  readonly deviceType: string | undefined;
  readonly status: number;
  readonly errCode: number | undefined;
  readonly messageId: string;
  readonly bodyBytes: number;
}

/** The requests received last, oldest first, for `GET /_requests` and test suites. */
export class ReceivedRequests {
  readonly #limit: number;
  /** As JSON: a member that is part of a body or header would keep the whole of it in memory. */
  #requests: string[] = [];

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  /** `time` in milliseconds since 1970. */
  add(request: FinishedRequest, time: number): void {
    if (this.#requests.length >= 2 * this.#limit) this.#requests = this.#latest();
    this.#requests.push(JSON.stringify(keptOf(request, time)));
  }

  list(): readonly ReceivedRequest[] {
    return this.#latest().map((kept) => receivedOf(JSON.parse(kept)));
  }

  clear(): void {
    this.#requests = [];
  }

  #latest(): string[] {
    return this.#requests.slice(-this.#limit);
  }
}

function keptOf({outcome, operation, target, bodyBytes}: FinishedRequest, time: number): Kept {
  return {
    time,
    operation,
    target,
    sender: outcome.sender,
    reference: outcome.reference,
    deviceType: outcome.deviceType,
    status: outcome.answer.status,
    errCode: outcome.error?.code,
    messageId: outcome.messageId,
    bodyBytes,
  };
}

function receivedOf({
  time,
  sender,
  reference,
  deviceType,
  errCode,
  ...rest
}: Kept): ReceivedRequest {
  const {operation, target, status, messageId, bodyBytes} = rest;
  return {
    time: new Date(time).toISOString(),
    operation,
    target: redactCardNumbers(target),
    ...(sender && {authentication: sender.method, partnerId: sender.partnerId}),
    ...(reference !== undefined && {reference: redactCardNumbers(reference)}),
    ...(isDeviceType(deviceType) && {deviceType}),
    status,
    ...(errCode !== undefined && {errCode}),
    messageId,
    bodyBytes,
  };
}
