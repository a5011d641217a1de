import {refusalOf} from '../../auth/authenticate.js';
import {parseAuthorization} from '../../auth/authorization-header.js';
import {readPair} from '../../auth/methods/basic.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import type {RefusalReason} from '../../auth/verdict.js';
import type {InspectedRequest} from '../../contract/control/inspected-request.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {headerValues} from '../http/request-head.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {textMember} from '../operations/scripted-answer.js';
import {shownSerial} from './shown-serial.js';

/** A request as the inspector lists it, without the id of its process. */
export interface RequestRow extends Omit<InspectedRequest, 'process'> {
  readonly reason?: RefusalReason;
}

/**
 * Texts are stored with more characters than are shown: a card number or key that the cut divides
 * is masked completely.
 */
const SHOWN_TARGET_CHARS = 1000;
const STORED_TARGET_CHARS = 1100;
const SHOWN_MEMBER_CHARS = 100;
const STORED_MEMBER_CHARS = 200;

/** A row as it is stored: not masked, the time in milliseconds since 1970. */
export type StoredRow = Stored<Omit<RequestRow, 'time'>> & {readonly time: number};

type Stored<T> = {readonly [K in keyof T]: T[K] | undefined} & {readonly sequence: number};

/** The row of a request, not yet masked. Never the response: it contains card data. */
export function finishedRow(
  {outcome, operation, method, target, body, milliseconds}: FinishedRequest,
  time: number,
  sequence: number,
  namedPartner?: string,
): StoredRow {
  const {answer, sender, reference, deviceType, sent} = outcome;
  const {error, fault, why, messageId, isRequested} = outcome;
  const stored = (member: string) => startOf(textMember(sent, member), STORED_MEMBER_CHARS);
  return {
    sequence,
    time,
    method,
    operation,
    target: startOf(target, STORED_TARGET_CHARS),
    authentication: sender?.method,
    partnerId: sender?.partnerId,
    reference,
    deviceType: KNOWN_TERMINALS.has(deviceType ?? '') ? deviceType : undefined,
    deviceSerial: stored('deviceSerial'),
    serial: stored('serial'),
    firmware: stored('firmware'),
    clientId: stored('clientId'),
    ksn: stored('ksn'),
    status: answer.status,
    errCode: error?.code,
    ...{fault, why, messageId},
    bodyBytes: body.length,
    ms: Math.round(milliseconds * 100) / 100,
    detail: startOf(error?.detail, STORED_TARGET_CHARS) || undefined,
    reason: refusalOf(error)?.reason,
    ...{isRequested, namedPartner},
  };
}

/** The partner that a request names, in its Authorization header or else in its body. */
export function senderIdOf({rawHeaders, body}: Pick<FinishedRequest, 'rawHeaders' | 'body'>) {
  const [header] = headerValues(rawHeaders, 'authorization');
  const credentials = header === undefined ? undefined : parseAuthorization(header);
  const username = credentials?.parameters.get('username')?.value;
  if (username !== undefined) return username;
  if (credentials?.token68 !== undefined) return readPair(credentials.token68)?.[0];
  return credentialsInBody(body).partnerId;
}

/** The row of a request that was refused before it reached an operation, not yet masked. */
export function refusedRow(
  {answer, messageId, error}: RefusedRequest,
  {method, url = ''}: {readonly method?: string | undefined; readonly url?: string | undefined},
  time: number,
  sequence: number,
): StoredRow {
  return {
    sequence,
    time,
    method,
    target: startOf(url, STORED_TARGET_CHARS),
    status: answer.status,
    errCode: error.code,
    detail: startOf(error.detail, STORED_TARGET_CHARS) || undefined,
    messageId,
  };
}

/** How members with text from outside are masked when they are shown. */
const MASKS: Readonly<Partial<Record<keyof RequestRow, (value: string) => string>>> = {
  target: shownTarget,
  partnerId: redactCardNumbers,
  namedPartner: redactCardNumbers,
  reference: redactCardNumbers,
  deviceSerial: shownDevice,
  serial: shownDevice,
  firmware: shownDevice,
  clientId: shownDevice,
  ksn: shownDevice,
  why: shownReason,
  detail: shownReason,
};

const MASKED = Object.keys(MASKS) as (keyof StoredRow)[];

/** How many characters the texts from outside have in a row. */
export function charsIn(row: StoredRow): number {
  let chars = 0;
  for (const member of MASKED) chars += (row[member] as string | undefined)?.length ?? 0;
  return chars;
}

/** A stored row as it is shown, its members in their order. */
export function maskedRow(stored: StoredRow): RequestRow {
  const members = Object.entries(stored).filter(([, value]) => value !== undefined);
  const shown = members.map(([name, value]) => {
    const mask = MASKS[name as keyof RequestRow];
    return [name, mask ? mask(value as string) : value];
  });
  return {...Object.fromEntries(shown), time: new Date(stored.time).toISOString()};
}

/** The first characters of a text, as a copy: a slice would keep the whole text in memory. */
function startOf<T extends string | undefined>(text: T, chars: number): T {
  if (text === undefined || text.length <= chars) return text;
  return Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le') as T;
}

function shownDevice(value: string): string {
  return shownSerial(value).slice(0, SHOWN_MEMBER_CHARS);
}

function shownReason(text: string): string {
  return redactKeys(redactCardNumbers(text));
}

/** Removes as many characters as the target has too many: masked text may be shorter. */
function shownTarget(target: string): string {
  const redacted = redactKeys(redactCardNumbers(redactQuery(target)));
  const surplus = Math.max(target.length - SHOWN_TARGET_CHARS, 0);
  return redacted.slice(0, Math.max(redacted.length - surplus, 0));
}
