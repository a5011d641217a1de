import {refusalOf} from '../../auth/authenticate.js';
import type {RefusalReason} from '../../auth/verdict.js';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {FinishedRequest} from '../operations/answer-request.js';
import {textMember} from '../operations/scripted-answer.js';
import {KeptLines} from './kept-lines.js';
import {shownSerial} from './shown-serial.js';

/** A received request as the inspector has it. */
export interface NumberedRequest extends ReceivedRequest {
  readonly sequence: number;
  /** What the error says beyond its title. */
  readonly detail?: string;
  readonly reason?: RefusalReason;
}

/**
 * Length in UTF-16 units that a target is truncated to; a card number or key cut by it is masked
 * completely.
 */
const SHOWN_TARGET = 1000;
const KEPT_TARGET = 1100;
/** How many requests are kept. */
export const MAX_RECEIVED = 1000;
/** The same for members that name a device. */
const SHOWN_MEMBER = 100;
const KEPT_MEMBER = 200;

/** The requests received last, oldest first, for `GET /_requests`, test suites and the inspector. */
export class ReceivedRequests {
  readonly #lines: KeptLines;

  constructor(limit = MAX_RECEIVED) {
    this.#lines = new KeptLines(limit);
  }

  /** `time` in milliseconds since 1970; `sequence` is the inspector's number of the request. */
  add(request: FinishedRequest, time: number, sequence = 0): void {
    this.#lines.add(JSON.stringify(storedOf(request, time, sequence)));
  }

  list(): readonly ReceivedRequest[] {
    return this.#lines.newest().map((line) => {
      const {sequence: _, detail: _detail, reason: _reason, ...received} = masked(JSON.parse(line));
      return received;
    });
  }

  /** Those of the last `count` that have a higher sequence number than `after`, oldest first. */
  numbered(after: number, count: number): readonly NumberedRequest[] {
    const stored = this.#lines.newest(count).map((line) => JSON.parse(line) as NumberedRequest);
    return stored.filter(({sequence}) => sequence > after).map(masked);
  }

  clear(): void {
    this.#lines.clear();
  }
}

/** A request as it is stored, not yet masked. Never the response: it contains card data. */
function storedOf(
  {outcome, operation, target, bodyBytes, milliseconds}: FinishedRequest,
  time: number,
  sequence: number,
) {
  const {answer, sender, reference, deviceType, sent, error, fault, why, messageId} = outcome;
  return {
    sequence,
    time: new Date(time).toISOString(),
    operation,
    target: target.slice(0, KEPT_TARGET),
    authentication: sender?.method,
    partnerId: sender?.partnerId,
    reference,
    deviceType: KNOWN_TERMINALS.has(deviceType ?? '') ? deviceType : undefined,
    deviceSerial: textMember(sent, 'deviceSerial')?.slice(0, KEPT_MEMBER),
    serial: textMember(sent, 'serial')?.slice(0, KEPT_MEMBER),
    firmware: textMember(sent, 'firmware')?.slice(0, KEPT_MEMBER),
    clientId: textMember(sent, 'clientId')?.slice(0, KEPT_MEMBER),
    ksn: textMember(sent, 'ksn')?.slice(0, KEPT_MEMBER),
    status: answer.status,
    errCode: error?.code,
    fault,
    why,
    messageId,
    bodyBytes,
    ms: Math.round(milliseconds * 100) / 100,
    detail: error?.detail.slice(0, KEPT_TARGET) || undefined,
    reason: refusalOf(error)?.reason,
  };
}

function shownDevice(value: string): string {
  return shownSerial(value).slice(0, SHOWN_MEMBER);
}

/** How members with text from outside are masked when they are shown. */
const MASKS: Readonly<Partial<Record<keyof NumberedRequest, (value: string) => string>>> = {
  target: shownTarget,
  partnerId: redactCardNumbers,
  reference: redactCardNumbers,
  deviceSerial: shownDevice,
  serial: shownDevice,
  firmware: shownDevice,
  clientId: shownDevice,
  ksn: shownDevice,
  why: (text) => redactKeys(redactCardNumbers(text)),
  detail: (text) => redactKeys(redactCardNumbers(text)),
};

/** A stored request as it is shown; members keep their order. */
function masked(stored: NumberedRequest): NumberedRequest {
  const members = Object.entries(stored).map(([name, value]) => {
    const mask = MASKS[name as keyof NumberedRequest];
    return [name, mask ? mask(value) : value];
  });
  return Object.fromEntries(members);
}

/** Removes as many characters as the target has too many: masked text may be shorter. */
function shownTarget(target: string): string {
  const redacted = redactCardNumbers(redactQuery(target));
  const surplus = Math.max(target.length - SHOWN_TARGET, 0);
  return redacted.slice(0, Math.max(redacted.length - surplus, 0));
}
