import {parseAuthorization} from '../../auth/authorization-header.js';
import {readPair} from '../../auth/methods/basic.js';
import type {Partner, PartnerLookup} from '../../auth/partner/partner.js';
import type {RefusalReason} from '../../auth/verdict.js';
import type {InspectedRequest, RequestDetail} from '../../contract/control/inspected-request.js';
import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import {errorObjectOf} from '../../contract/error-object.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {utf8Of} from '../../platform/bytes.js';
import {headerValues} from '../http/request-head.js';
import type {RawRequest} from '../information/captured-requests.js';
import {type Explanation, explainRefusal} from '../operations/explain-refusal.js';
import type {ServiceMode} from '../registry/registry.js';
import {shownBody, shownHead, shownText} from './shown-head.js';
import {payloadInBody, shownPayload} from './shown-payload.js';
import {signatureSteps} from './signature-steps.js';

export interface DetailSource {
  readonly row: InspectedRequest;
  readonly raw: RawRequest | undefined;
  readonly partners: PartnerLookup;
  readonly mode: ServiceMode;
  /** Leaves out the explanation, which takes long to find. */
  readonly brief?: boolean;
}

const UNAUTHENTICATED = 1003;

/** Everything that the inspector shows of a request. */
export function requestDetail(source: DetailSource): RequestDetail {
  const {row, raw} = source;
  const sent = raw && sentOf(raw.body);
  const found = raw && !source.brief ? explainRow(source, raw) : undefined;
  return {
    request: row,
    ...(row.errCode !== undefined && {error: errorOf(row.errCode as ErrorCode)}),
    faults: found?.faults.map(shownText) ?? [],
    steps: raw && row.operation !== undefined ? stepsOf(source, raw, found) : [],
    ...(found?.stringToHash !== undefined && {stringToHash: shownStringToHash(found.stringToHash)}),
    ...(found?.contentHash !== undefined && {contentHash: found.contentHash}),
    ...(raw && shownRaw(source, raw, sent)),
    ...(row.errCode !== undefined && {response: responseOf(row)}),
  };
}

function errorOf(errCode: ErrorCode) {
  const {message: title, hint} = ERROR_CATALOGUE[errCode];
  const clause =
    errCode === UNAUTHENTICATED ? 'docs/contract.md#authentication' : 'docs/contract.md#errors';
  return {errCode, title, hint, clause};
}

/** The string to sign is shown even if nothing is wrong. */
function explainRow({row, partners}: DetailSource, raw: RawRequest): Explanation | undefined {
  if (row.operation === undefined) return undefined;
  const isRefused = row.errCode === UNAUTHENTICATED;
  if (isRefused && row.detail) return {faults: [row.detail]};
  const reason = row.reason as RefusalReason | undefined;
  // Not the target of the row: it is masked, which changes the signature.
  const found = explainRefusal({...raw, reason, partners}, Date.parse(row.time));
  return isRefused ? found : {...found, faults: []};
}

function stepsOf({row, partners}: DetailSource, raw: RawRequest, found: Explanation | undefined) {
  return signatureSteps({
    ...raw,
    partners,
    time: Date.parse(row.time),
    reason:
      row.errCode === UNAUTHENTICATED
        ? ((row.reason ?? 'credentials') as RefusalReason)
        : undefined,
    faults: found?.faults ?? [],
  });
}

function shownRaw(
  {partners, mode, row}: DetailSource,
  raw: RawRequest,
  sent: JsonObject | undefined,
) {
  const isTest = mode !== 'real';
  const partner = partners(row.partnerId ?? senderIdOf(raw, sent) ?? '');
  const payload = sent && shownPayload(sent, isTest);
  return {
    headers: shownHead(raw.rawHeaders),
    body: shownBody(raw.body, {
      secrets: partner ? secretsOf(partner) : [],
      payload: (text) => payloadInBody(text, payload, isTest),
    }),
    ...(payload && {payload}),
  };
}

/** The partner that a request names, in its Authorization header or else in its body. */
function senderIdOf({rawHeaders}: RawRequest, sent?: JsonObject): string | undefined {
  const [header] = headerValues(rawHeaders, 'authorization');
  const credentials = header === undefined ? undefined : parseAuthorization(header);
  const username = credentials?.parameters.get('username')?.value;
  if (username !== undefined) return username;
  if (credentials?.token68 !== undefined) return readPair(credentials.token68)?.[0];
  const named = sent && Object.hasOwn(sent, 'partnerId') ? sent.partnerId : undefined;
  return typeof named === 'string' ? named : undefined;
}

function secretsOf(partner: Partner): readonly string[] {
  const keys = [...partner.passwords(), ...partner.signingKeys()];
  return keys.map(({value}) => utf8Of(value)).filter((text) => !text.includes('\ufffd'));
}

/** The response as it was sent: title and detail are also in the row. */
function responseOf({errCode, detail, messageId, reference}: InspectedRequest): object {
  const isSilent = errCode === UNAUTHENTICATED;
  const error = new PaylensError(errCode as ErrorCode, isSilent ? '' : detail);
  return errorObjectOf(error, {messageId, reference});
}

function sentOf(body: Uint8Array): JsonObject | undefined {
  try {
    return parseBody(body);
  } catch {
    return undefined;
  }
}

/** Masks all but the last line: the hash, whose digits may look like a card number. */
function shownStringToHash(text: string): string {
  const [first, end] = [text.indexOf('\n'), text.lastIndexOf('\n')];
  return (
    shownText(text.slice(0, first)) + redactCardNumbers(text.slice(first, end)) + text.slice(end)
  );
}
