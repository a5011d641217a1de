import type {Operation} from '../operation.js';

/** What a service reports about a request afterwards: never a payload, a key or a card number. */
export interface ReceivedRequest {
  readonly time: string;
  readonly operation: Operation;
  readonly target: string;
  /** `transparent`, `basic`, `digest`, `hmac`, `rsa`; absent: not authenticated. */
  readonly authentication?: string;
  readonly partnerId?: string;
  readonly reference?: string;
  readonly deviceType?: string;
  readonly deviceSerial?: string;
  readonly serial?: string;
  readonly firmware?: string;
  readonly clientId?: string;
  readonly ksn?: string;
  readonly status: number;
  readonly errCode?: number;
  /** The fault that it got. */
  readonly fault?: string;
  /** With `--explain`: why it was refused. */
  readonly why?: string;
  readonly messageId: string;
  readonly bodyBytes: number;
  /** Milliseconds from the whole request to its answer. */
  readonly ms: number;
}

/** Which of the received requests are asked for. */
export interface RequestFilter {
  /** A messageId: those received after this one. */
  readonly since?: string | undefined;
  readonly reference?: string | undefined;
  /** The HTTP status of the answer. */
  readonly status?: number | undefined;
  readonly deviceType?: string | undefined;
}

/** The received requests that a filter asks for, in their order. */
export function filterRequests(
  requests: readonly ReceivedRequest[],
  {since, ...members}: RequestFilter,
): readonly ReceivedRequest[] {
  const later = since === undefined ? requests : receivedAfter(requests, since);
  const wanted = Object.entries(members).filter(([, value]) => value !== undefined);
  return later.filter((request) =>
    wanted.every(([name, value]) => request[name as keyof ReceivedRequest] === value),
  );
}

/** A messageId that is not in the list, of a request that was refused or forgotten, has a time. */
function receivedAfter(
  requests: readonly ReceivedRequest[],
  since: string,
): readonly ReceivedRequest[] {
  const index = requests.findLastIndex(({messageId}) => messageId === since);
  return index < 0
    ? requests.filter(({messageId}) => messageId > since)
    : requests.slice(index + 1);
}
