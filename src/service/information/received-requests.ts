import {refusalOf} from '../../auth/authenticate.js';
import type {RefusalReason} from '../../auth/verdict.js';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import type {Operation} from '../../contract/operation.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {KNOWN_TERMINALS} from '../../engine/devices/registry.js';
import type {FinishedRequest} from '../operations/answer-request.js';
import {KeptLines} from './kept-lines.js';
import {shownSerial} from './shown-serial.js';

/** What is kept of a request for `/_requests`. Never the response: it contains card data. */
interface Kept {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly operation: Operation;
  readonly target: string;
  readonly sender: FinishedRequest['outcome']['sender'];
  readonly reference: string | undefined;
  readonly deviceType: string | undefined;
  readonly device: DeviceMembers | undefined;
  readonly status: number;
  readonly errCode: number | undefined;
  /** Of its error. */
  readonly detail: string | undefined;
  readonly reason: RefusalReason | undefined;
  readonly fault: string | undefined;
  readonly why: string | undefined;
  readonly messageId: string;
  readonly bodyBytes: number;
  readonly milliseconds: number;
}

/** A received request as the inspector has it. */
export interface NumberedRequest extends ReceivedRequest {
  readonly sequence: number;
  /** What the error says beyond its title. */
  readonly detail?: string;
  readonly reason?: RefusalReason;
}

/** The texts of a request that name its device; what is neither secret nor card data. */
const DEVICE_MEMBERS = ['deviceSerial', 'serial', 'firmware', 'clientId', 'ksn'] as const;
type DeviceMembers = Partial<Record<(typeof DEVICE_MEMBERS)[number], string>>;

/**
 * Length in UTF-16 units that a target is truncated to; a card number or key cut by it is masked
 * completely.
 */
const SHOWN_TARGET = 1000;
const KEPT_TARGET = 1100;
/** How many requests are kept. */
export const MOST_RECEIVED = 1000;
/** The same for a member that names a device. */
const SHOWN_MEMBER = 100;
const KEPT_MEMBER = 200;

/** The requests received last, oldest first, for `GET /_requests`, test suites and the inspector. */
export class ReceivedRequests {
  readonly #lines: KeptLines;

  constructor(limit = MOST_RECEIVED) {
    this.#lines = new KeptLines(limit);
  }

  /** `time` in milliseconds since 1970; `sequence` is the inspector's number of the request. */
  add(request: FinishedRequest, time: number, sequence = 0): void {
    this.#lines.add(JSON.stringify(keptOf(request, time, sequence)));
  }

  list(): readonly ReceivedRequest[] {
    return this.#lines.newest().map((json) => receivedOf(JSON.parse(json)));
  }

  /** Those of the last `count` that have a higher sequence number than `after`, oldest first. */
  numbered(after: number, count: number): readonly NumberedRequest[] {
    const kept = this.#lines.newest(count).map((json) => JSON.parse(json) as Kept);
    return kept.filter(({sequence}) => sequence > after).map(numberedOf);
  }

  clear(): void {
    this.#lines.clear();
  }
}

function keptOf(
  {outcome, operation, target, bodyBytes, milliseconds}: FinishedRequest,
  time: number,
  sequence: number,
): Kept {
  const {error} = outcome;
  return {
    sequence,
    time,
    operation,
    target: target.slice(0, KEPT_TARGET),
    sender: outcome.sender,
    reference: outcome.reference,
    deviceType: KNOWN_TERMINALS.has(outcome.deviceType ?? '') ? outcome.deviceType : undefined,
    device: outcome.sent && deviceMembers(outcome.sent),
    status: outcome.answer.status,
    errCode: error?.code,
    detail: error?.detail.slice(0, KEPT_TARGET) || undefined,
    reason: refusalOf(error)?.reason,
    fault: outcome.fault,
    why: outcome.why,
    messageId: outcome.messageId,
    bodyBytes,
    milliseconds,
  };
}

function numberedOf(kept: Kept): NumberedRequest {
  const {sequence, detail, reason} = kept;
  return {
    sequence,
    ...receivedOf(kept),
    ...(detail !== undefined && {detail: redactKeys(redactCardNumbers(detail))}),
    ...(reason !== undefined && {reason}),
  };
}

function deviceMembers(sent: JsonObject): DeviceMembers {
  const members: DeviceMembers = {};
  for (const name of DEVICE_MEMBERS) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (typeof value === 'string') members[name] = value.slice(0, KEPT_MEMBER);
  }
  return members;
}

function receivedOf({
  time,
  sender,
  reference,
  deviceType,
  device = {},
  errCode,
  fault,
  why,
  ...rest
}: Kept): ReceivedRequest {
  const {operation, target, status, messageId, bodyBytes, milliseconds} = rest;
  return {
    time: new Date(time).toISOString(),
    operation,
    target: shownTarget(target),
    ...(sender && {
      authentication: sender.method,
      partnerId: redactCardNumbers(sender.partnerId),
    }),
    ...(reference !== undefined && {reference: redactCardNumbers(reference)}),
    ...(deviceType !== undefined && {deviceType}),
    ...shownMembers(device),
    status,
    ...(errCode !== undefined && {errCode}),
    ...(fault !== undefined && {fault}),
    ...(why !== undefined && {why: redactKeys(redactCardNumbers(why))}),
    messageId,
    bodyBytes,
    ms: Math.round(milliseconds * 100) / 100,
  };
}

function shownMembers(device: DeviceMembers): DeviceMembers {
  const shown = Object.entries(device).map(([name, value]) => {
    return [name, shownSerial(value).slice(0, SHOWN_MEMBER)];
  });
  return Object.fromEntries(shown);
}

/** As many characters fewer as the target has too many: what is hidden may be shorter than it was. */
function shownTarget(target: string): string {
  const redacted = redactCardNumbers(redactQuery(target));
  const surplus = Math.max(target.length - SHOWN_TARGET, 0);
  return redacted.slice(0, Math.max(redacted.length - surplus, 0));
}
