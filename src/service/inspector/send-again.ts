import {randomUUID} from 'node:crypto';
import {signHmac} from '../../auth/methods/hmac.js';
import type {PartnerLookup} from '../../auth/partner/partner.js';
import type {RequestCopy} from '../../contract/control/inspected-request.js';
import {OPERATION_BY_PATH, type Operation} from '../../contract/operation.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {demandJson, headerValues} from '../http/request-head.js';
import type {Incoming} from '../operations/answer-request.js';
import type {RawRequest} from './captured-requests.js';
import {senderIdOf} from './sender-id.js';
import {shownBody} from './shown-body.js';
import {shownHead} from './shown-head.js';

/** What a request that was received is changed to before it is sent again. */
export interface Edit {
  readonly target: string;
  readonly body: string;
}

interface Signing {
  readonly partners: PartnerLookup;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** Headers that a sender makes anew. */
const OF_THE_CONNECTION =
  /^(?:connection|content-length|host|keep-alive|transfer-encoding|expect|upgrade|te|trailer|proxy-.*|cookie)$/i;

/** A request once more as it was, to the same operation of this service: nothing is sent anywhere. */
export function sameAgain(target: string, raw: RawRequest): Incoming {
  demandJson(raw.rawHeaders);
  return {operation: operationOf(target), target, ...raw};
}

/** A request with another target and body, signed for them. Throws 2005 for an edit that is none. */
export function editedAgain(raw: RawRequest, edit: unknown, signing: Signing): Incoming {
  const {target, body: text} = editOf(edit);
  const body = Buffer.from(text);
  const again = {...sameAgain(target, raw), body};
  return {...again, rawHeaders: signedHeaders(again, signing)};
}

/**
 * A request to copy: its signature is a new one, since each is accepted once. In real mode secrets
 * and signatures are hidden.
 */
export function copyOf(url: string, incoming: Incoming, signing: Signing | undefined): RequestCopy {
  const rawHeaders = signing ? signedHeaders(incoming, signing) : incoming.rawHeaders;
  const headers = signing ? pairsOf(rawHeaders) : shownHead(rawHeaders);
  const sent = headers.filter(([name]) => !OF_THE_CONNECTION.test(name));
  const body = signing
    ? Buffer.from(incoming.body).toString('utf8')
    : shownBody(incoming.body, {secrets: [], payload: (text) => `[${text.length} characters]`});
  const isText = !signing || Buffer.from(body).equals(incoming.body);
  return {
    method: 'POST',
    url: url + incoming.target,
    headers: sent,
    ...(isText ? {body} : {bodyBase64: Buffer.from(incoming.body).toString('base64')}),
    isMasked: !signing,
  };
}

/** Its headers with a signature for target and body; what is not signed stays as it is. */
function signedHeaders(incoming: Incoming, {partners, timestamp}: Signing): readonly string[] {
  const {rawHeaders, target, body} = incoming;
  const [header = ''] = headerValues(rawHeaders, 'authorization');
  if (!/^\s*(?:hmac|rsa|digest)\s/i.test(header)) return rawHeaders;
  const partnerId = senderIdOf(incoming) ?? '';
  const key = partners(partnerId)?.hmacKey;
  if (!key) return rawHeaders;
  const signer = {partnerId, nonce: randomUUID(), timestamp};
  const signed = signHmac({method: 'POST', target, body}, signer, key);
  return rawHeaders.map((text, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization' ? signed : text,
  );
}

function operationOf(target: string): Operation {
  const operation = OPERATION_BY_PATH.get(target.replace(/\?.*$/s, ''));
  if (operation && /^[\x21-\x7e]+$/.test(target)) return operation;
  throw new PaylensError(2008, 'expected a path of the interface');
}

function editOf(edit: unknown): Edit {
  const {target, body, ...others} = Object(edit) as Partial<Edit>;
  if (typeof target !== 'string' || typeof body !== 'string' || Object.keys(others).length > 0)
    throw new PaylensError(2005, 'edit: expected target and body, both texts');
  return {target, body};
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as [string, string]] : [],
  );
}
