import type {PartnerLookup} from '../../auth/partner/partner.js';
import type {ExchangeRecord, RecordedMessage} from '../../contract/control/exchange-record.js';
import {bodyObject, type JsonObject} from '../../contract/parse-json.js';
import type {ProcessPayloadResult} from '../../contract/process-payload.js';
import {testKeyRing} from '../../engine/dukpt/key-ring.js';
import {inspectBoth} from '../../engine/inspection/inspect-payload.js';
import {savedPayload} from '../../engine/inspection/saved-payload.js';
import {processPayload} from '../../engine/process-payload.js';
import type {RawRequest} from '../http/request-head.js';
import {senderIdOf} from '../information/request-row.js';
import {bodyOf, type ShowBody, secretsOf} from './request-detail.js';
import {answerMask} from './shown-answer.js';
import {shownBody} from './shown-body.js';
import {shownHead, starText} from './shown-head.js';
import {payloadMask, sentRead} from './shown-payload.js';

/** An exchange with an endpoint, to be recorded. */
export interface ExchangeSource extends RawRequest {
  readonly time: string;
  readonly method: string;
  readonly answer: {
    readonly status: number;
    readonly rawHeaders: readonly string[];
    /** Not compressed. */
    readonly text: string;
  };
  /** Cards that the published test keys open are not masked. */
  readonly keepsCards: boolean;
}

/**
 * An exchange as a file may keep it: without credentials, and with an asterisk for each character of
 * card data, as the inspector shows it. A payload in which no card can be read stays as it is.
 */
export function recordExchange(source: ExchangeSource, partners: PartnerLookup): ExchangeRecord {
  const {time, method, target, rawHeaders, body, answer} = source;
  const sent = bodyObject(body);
  const said = bodyObject(answer.text);
  const keeps = source.keepsCards && isTestCard(sent, said);
  const partner = partners(senderIdOf(source) ?? '');
  const secrets = partner ? secretsOf(partner) : [];
  const payload = sentPayload(sent, keeps);
  const mask = answerMask(said ?? {});
  const request = recorded(rawHeaders, body, (text, encoding) =>
    shownBody(text, {secrets, value: payloadMask(sent, payload), encoding}),
  );
  const kept = (member: string, text: string) =>
    keeps && mask(member, text) !== undefined ? text : mask(member, text);
  const response = recorded(answer.rawHeaders, Buffer.from(answer.text), (text, encoding) =>
    shownBody(text, {secrets, value: kept, encoding}),
  );
  return {
    time,
    ...((request.masked || response.masked) && {masked: true}),
    request: {method, target: starText(target), ...request},
    response: {status: answer.status, ...response},
  };
}

function recorded(headers: readonly string[], body: Uint8Array, show: ShowBody): RecordedMessage {
  const {hidden = [], ...shown} = bodyOf(body, true, show);
  return {headers: shownHead(headers), ...shown, ...(hidden.length > 0 && {masked: true})};
}

/** The payload of a body, masked if it shows a card; undefined if its type is not known. */
function sentPayload(sent: JsonObject | undefined, keeps: boolean) {
  const request = sentRead(sent);
  if (!request) return undefined;
  const {devicePayload} = request;
  return {masked: keeps ? devicePayload : savedPayload(devicePayload, inspectBoth(request))};
}

/** Whether a published test key opens the payload, and the answer has no other card. */
function isTestCard(sent: JsonObject | undefined, said: JsonObject | undefined): boolean {
  const request = sentRead(sent);
  if (!request) return false;
  try {
    const {PAN} = processPayload(request, testKeyRing()).extracted;
    const {extracted} = (said ?? {}) as Partial<ProcessPayloadResult>;
    return extracted === undefined || extracted.PAN === PAN;
  } catch {
    return false;
  }
}
