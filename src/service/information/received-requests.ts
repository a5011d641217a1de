import {isDeviceType} from '../../contract/device-types.js';
import type {Operation} from '../../contract/operation.js';
import {redactCardNumbers} from '../../contract/redact-card-numbers.js';
import type {FinishedRequest} from '../operations/answer-request.js';

/** What the service reports about a request afterwards: never a payload, a key or a card number. */
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

/** What is kept of a request for `/_requests`. Never the response: it contains card data. */
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

/**
 * Length in UTF-16 units that a target is truncated to; a card number cut by it is masked
 * completely.
 */
const SHOWN_TARGET = 1000;
const KEPT_TARGET = 1100;

/** The requests received last, oldest first, for `GET /_requests` and test suites. */
export class ReceivedRequests {
  readonly #limit: number;
  /** As JSON: pieces of a request would keep all of its texts in memory. */
  #kept: string[] = [];

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  /** `time` in milliseconds since 1970. */
  add(request: FinishedRequest, time: number): void {
    this.#kept.push(JSON.stringify(keptOf(request, time)));
    if (this.#kept.length > this.#limit) this.#kept.shift();
  }

  list(): readonly ReceivedRequest[] {
    return this.#kept.map((json) => receivedOf(JSON.parse(json)));
  }

  clear(): void {
    this.#kept = [];
  }
}

function keptOf({outcome, operation, target, bodyBytes}: FinishedRequest, time: number): Kept {
  return {
    time,
    operation,
    target: target.slice(0, KEPT_TARGET),
    sender: outcome.sender,
    reference: outcome.reference,
    deviceType: isDeviceType(outcome.deviceType) ? outcome.deviceType : undefined,
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
    target: redactCardNumbers(target).slice(0, SHOWN_TARGET),
    ...(sender && {
      authentication: sender.method,
      partnerId: redactCardNumbers(sender.partnerId),
    }),
    ...(reference !== undefined && {reference: redactCardNumbers(reference)}),
    ...(deviceType !== undefined && {deviceType}),
    status,
    ...(errCode !== undefined && {errCode}),
    messageId,
    bodyBytes,
  };
}
