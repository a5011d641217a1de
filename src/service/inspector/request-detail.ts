import {isUtf8} from 'node:buffer';
import {signedString} from '../../auth/explain/explain-signature.js';
import type {Partner, PartnerLookup} from '../../auth/partner/partner.js';
import type {RefusalReason} from '../../auth/verdict.js';
import type {
  InspectedRequest,
  RequestDetail,
  WireMessage,
} from '../../contract/control/inspected-request.js';
import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import {redactCardNumbers, redactInPlace} from '../../contract/masks/redact-card-numbers.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {bodyObject, type JsonObject} from '../../contract/parse-json.js';
import {utf8Of} from '../../platform/bytes.js';
import {headerValues, type RawRequest} from '../http/request-head.js';
import type {RawExchange, RawResponse} from '../information/captured-requests.js';
import {senderIdOf} from '../information/request-row.js';
import {type Explanation, explainRefusal} from '../operations/explain-refusal.js';
import type {ServiceMode} from '../registry/registry.js';
import {answerMask} from './shown-answer.js';
import {type ShownBody, shownBody} from './shown-body.js';
import {shownHead, shownText, starText} from './shown-head.js';
import {payloadMask, shownPayload} from './shown-payload.js';
import {type StopReason, signatureSteps} from './signature-steps.js';

export interface DetailSource {
  readonly row: InspectedRequest;
  readonly raw: RawExchange | undefined;
  readonly partners: PartnerLookup;
  readonly mode: ServiceMode;
  /** Leaves out the explanation, which takes long to find. */
  readonly brief?: boolean;
}

const UNAUTHENTICATED = 1003;

/** Everything that the inspector shows of a request. */
export function requestDetail(source: DetailSource): RequestDetail {
  const {row, raw} = source;
  const sent = raw && bodyObject(raw.body);
  const found = raw && !source.brief ? explainRow(source, raw) : undefined;
  const isAsked = row.isRequested || row.fault !== undefined;
  return {
    request: row,
    ...(row.errCode !== undefined && {error: errorOf(row.errCode as ErrorCode, isAsked)}),
    faults: found?.faults.map(shownText) ?? [],
    steps: raw && row.operation !== undefined ? stepsOf(source, raw, found) : [],
    ...(found?.stringToHash !== undefined && {stringToHash: shownStringToHash(found.stringToHash)}),
    ...(found?.contentHash !== undefined && {contentHash: found.contentHash}),
    ...(found?.unexplained && {unexplained: true}),
    ...(raw && shownRaw(source, raw, sent, found)),
  };
}

/** The hint of an error that was asked for says so: nothing is to be done about it. */
function errorOf(errCode: ErrorCode, isRequested: boolean) {
  const {message: title, hint: usual} = ERROR_CATALOGUE[errCode];
  const hint = isRequested ? 'This answer was asked for.' : usual;
  const clause =
    errCode === UNAUTHENTICATED ? 'docs/contract.md#authentication' : 'docs/contract.md#errors';
  return {errCode, title, hint, clause};
}

/** The string to sign is shown even if nothing is wrong. */
function explainRow({row, partners, mode}: DetailSource, raw: RawRequest): Explanation | undefined {
  if (row.operation === undefined) return undefined;
  const isRefused = row.errCode === UNAUTHENTICATED;
  if (isRefused && row.detail) return {faults: [row.detail]};
  const reason = row.reason as RefusalReason | undefined;
  // Not the target of the row: it is masked, which changes the signature.
  const found = explainRefusal({...raw, reason, partners}, Date.parse(row.time));
  if (!isRefused) return {...found, faults: []};
  // By the clock of the endpoint that refused it, which is not kept.
  return row.why !== undefined && mode === 'real' ? {...found, faults: row.why.split('; ')} : found;
}

/** Shows a body: with its secrets and card data hidden. */
export type ShowBody = (text: string, encoding: 'utf8' | 'latin1') => ShownBody;

/** What the client signed, masked as the string to hash is; where it holds a body, line by line before it. */
function shownSigned(raw: RawRequest, partners: PartnerLookup, show: ShowBody) {
  const [authorization = '', ...others] = headerValues(raw.rawHeaders, 'authorization');
  const [host] = headerValues(raw.rawHeaders, 'host');
  const request = {method: 'POST', ...raw, authorization, host};
  const signed = others.length === 0 ? signedString(request, partners) : undefined;
  if (signed === undefined) return {};
  const text = redactQuery(signed);
  const body = text.indexOf('{');
  if (body < 0) return {signedString: shownStringToHash(text)};
  const masked = (piece: string) => show(piece, 'latin1').text;
  const before = text.slice(0, body).split('\n').map(masked).join('\n');
  return {signedString: before + masked(text.slice(body))};
}

function stepsOf({row, partners}: DetailSource, raw: RawRequest, found: Explanation | undefined) {
  return signatureSteps({
    ...raw,
    partners,
    time: Date.parse(row.time),
    reason: stopOf(row, headerValues(raw.rawHeaders, 'authorization').length > 0),
    faults: found?.faults ?? [],
  });
}

/** Undefined for a request whose sender is known, also if its 1003 was asked for. */
function stopOf(row: InspectedRequest, hasHeader: boolean): StopReason | undefined {
  const {authentication, errCode = 0, reason, status} = row;
  if (authentication !== undefined) return undefined;
  if (errCode === UNAUTHENTICATED) return (reason ?? 'credentials') as StopReason;
  if (status >= 500) return status === 503 ? 'store' : 'unanswered';
  // Without a header these end a request before its credentials are checked.
  return !hasHeader && [1101, 1102, 2004, 2005].includes(errCode) ? 'malformed' : undefined;
}

function shownRaw(
  {partners, mode, row}: DetailSource,
  {line, rawHeaders, body, response, ...raw}: RawExchange,
  sent: JsonObject | undefined,
  found: Explanation | undefined,
) {
  const isTest = mode !== 'real';
  const partner = partners(row.partnerId ?? senderIdOf({rawHeaders, body}) ?? '');
  const secrets = partner ? secretsOf(partner) : [];
  const shown = sent && shownPayload(sent, isTest);
  const isExplained = found?.stringToHash && !found.unexplained && row.reason === 'credentials';
  const value = payloadMask(sent, shown);
  const show: ShowBody = (text, encoding) => shownBody(text, {secrets, value, encoding});
  return {
    line: starText(line),
    headers: shownHead(rawHeaders),
    ...bodyOf(body, isTest, show),
    ...(isExplained && shownSigned({...raw, rawHeaders, body}, partners, show)),
    ...(shown && {payload: shown.payload}),
    ...(response && {response: shownResponse(response, isTest)}),
  };
}

/** No secret is in a response, but a card may be. */
function shownResponse({head, body}: RawResponse, isTest: boolean): WireMessage {
  const [line = '', ...lines] = head.split('\r\n').filter(Boolean);
  const value = answerMask(bodyObject(body) ?? {});
  return {
    line,
    headers: lines.map((header) => {
      const end = header.indexOf(': ');
      return [header.slice(0, end), redactInPlace(header.slice(end + 2))];
    }),
    ...bodyOf(body, isTest, (text, encoding) => shownBody(text, {secrets: [], value, encoding})),
  };
}

/** A body as it is shown; bytes that are no UTF-8 are masked as Latin-1. */
export function bodyOf(
  body: Uint8Array,
  isTest: boolean,
  show: ShowBody,
): Pick<WireMessage, 'body' | 'bodyBase64' | 'hidden'> {
  if (body.length === 0) return {};
  const bytes = Buffer.from(body);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const {text, hidden} = show(bytes.toString(encoding), encoding);
  return {
    ...(encoding === 'utf8'
      ? {body: text}
      : {bodyBase64: Buffer.from(text, 'latin1').toString('base64')}),
    ...(isTest && hidden.length > 0 && {hidden}),
  };
}

/** The keys of a partner as texts that could be in a body. */
export function secretsOf(partner: Partner): readonly string[] {
  const keys = [...partner.passwords(), ...partner.signingKeys()];
  return keys.map(({value}) => utf8Of(value)).filter((text) => !text.includes('\ufffd'));
}

/**
 * Masks all but the last line: the hash, whose digits may look like a card number. Nonce and timestamp
 * are masked each by itself: together they look like one more often.
 */
function shownStringToHash(text: string): string {
  const end = text.lastIndexOf('\n');
  const [target = '', nonce, timestamp, ...others] = text.slice(0, Math.max(end, 0)).split('\n');
  const rest = others.length > 0 ? others.join('\n') : undefined;
  const parts = [nonce, timestamp, rest].filter((part) => part !== undefined);
  return [shownText(target), ...parts.map(redactCardNumbers)].join('\n') + text.slice(end);
}
