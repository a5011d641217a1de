import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {shownSerial} from './shown-serial.js';

/** Width of the longest operation. */
const OPERATION_WIDTH = 16;
/** Longer texts from outside are cut. */
const MAX_LOG_TEXT_CHARS = 300;

/** One line for people: time, operation, status, errCode and why, partner, device, milliseconds. */
export function requestText(request: FinishedRequest, now: Date): string {
  const {operation, outcome, milliseconds} = request;
  const {answer, error, why, sender, fault} = outcome;
  const problem = [
    error && `${error.code} ${why ?? error.message}`,
    fault && `fault ${fault}`,
  ].filter(Boolean);
  return textLine(now, [
    operation ?? '-',
    String(answer.status),
    ...problem.map(String),
    sender?.partnerId ?? '-',
    deviceOf(request),
    `${Math.round(milliseconds)} ms`,
  ]);
}

/** The same of a request that reached no operation. */
export function refusedText({answer, error}: RefusedRequest, now: Date): string {
  return textLine(now, ['-', String(answer.status), `${error.code} ${error.message}`]);
}

/** A record of the log for people. */
export function recordText(msg: string, fields: object, now: Date): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const pairs = given.map(([name, value]) => `${name}=${textOf(value)}`);
  return textLine(now, [msg, ...pairs]);
}

/** The message of a record that explains a request. */
export const WHY = 'why 1003';

function deviceOf({outcome: {deviceType, serial, sent}}: FinishedRequest): string {
  const named = sent && (sent.deviceSerial ?? sent.serial);
  const number = serial ?? (typeof named === 'string' ? named : undefined);
  return [deviceType, number && shownSerial(number)].filter(Boolean).join(' ') || '-';
}

function textLine(now: Date, fields: readonly string[]): string {
  const [first = '', ...rest] = fields.map(oneLine);
  return `${[timeOfDay(now), first.padEnd(OPERATION_WIDTH), ...rest].join('  ').trimEnd()}\n`;
}

function oneLine(text: string): string {
  const shown = redactCardNumbers(redactKeys(text)).replace(/[\s\p{Cc}]+/gu, ' ');
  return shown.length <= MAX_LOG_TEXT_CHARS ? shown : `${shown.slice(0, MAX_LOG_TEXT_CHARS)}...`;
}

/** `12:34:56`, in the time zone of this machine. */
export function timeOfDay(now: Date): string {
  const parts = [now.getHours(), now.getMinutes(), now.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
