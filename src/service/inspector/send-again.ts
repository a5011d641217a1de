import {canonicalTarget, operationAt} from '../../auth/string-to-hash.js';
import type {RequestCopy, RequestDetail} from '../../contract/control/inspected-request.js';
import type {Operation} from '../../contract/operation.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {assertJson, headerPairs, type RawRequest} from '../http/request-head.js';
import type {Incoming} from '../operations/answer-request.js';
import {resign, type Signing} from './resign.js';

/** Changes to a received request before it is sent again. */
export interface RequestEdit {
  readonly target: string;
  readonly body: string;
}

/** Headers that every sender sets itself. */
const CONNECTION_HEADERS =
  /^(?:connection|content-length|host|keep-alive|transfer-encoding|expect|upgrade|te|trailer|proxy-.*|cookie)$/i;

/** The same request again, for the same operation of this service; nothing leaves the process. */
export function repeatRequest(raw: RawRequest): Incoming {
  assertJson(raw.rawHeaders);
  return {operation: operationOf(raw.target), ...raw};
}

/**
 * A request with another target and body, signed for them with its method. Parts of the target that
 * were masked when `shown` get their original text. Throws 2005 for a malformed edit, and for a
 * request that only its sender can sign.
 */
export async function editRequest(
  {raw, target: shown}: {readonly raw: RawRequest; readonly target: string},
  edit: unknown,
  signing: Signing,
): Promise<Incoming> {
  const {target: edited, body: text} = editOf(edit);
  const target = unmasked(edited, shown, raw.target);
  const again = {...repeatRequest({...raw, target}), body: Buffer.from(text)};
  const {kind, text: why, rawHeaders} = await resign(again, signing);
  if (kind === 'impossible') throw new PaylensError(2005, why);
  return {...again, rawHeaders};
}

/** A request of real mode to copy, its secrets and signatures hidden. */
export function maskedCopy(url: string, detail: RequestDetail): RequestCopy | undefined {
  const {request, headers, body, bodyBase64} = detail;
  return (
    headers && {
      method: request.method ?? 'POST',
      url: url + canonicalTarget(request.target),
      headers: toSend(headers),
      ...(bodyBase64 === undefined ? {body: body ?? ''} : {bodyBase64}),
      isMasked: true,
    }
  );
}

/** A request to copy, with a new signature, since each is accepted once. */
export async function copyRequest(
  url: string,
  incoming: Incoming,
  signing: Signing,
): Promise<RequestCopy> {
  const {target, body} = incoming;
  const about = {method: 'POST', url: url + canonicalTarget(target)};
  const {rawHeaders, kind, text} = await resign(incoming, signing);
  const found = Buffer.from(body).toString('utf8');
  const isText = Buffer.from(found).equals(body);
  return {
    ...about,
    headers: toSend(headerPairs(rawHeaders)),
    ...(isText ? {body: found} : {bodyBase64: Buffer.from(body).toString('base64')}),
    isMasked: false,
    resigning: {kind, text},
  };
}

/** Restores parts of an edited target that were masked, or cut off, when it was shown. */
function unmasked(edited: string, shown: string, sent: string): string {
  const [hidden, own] = [partsOf(shown), partsOf(sent)];
  const last = hidden.length - 1;
  const found = hidden.map((part, i) => [part, i < last ? own[i] : own.slice(i).join('')] as const);
  return partsOf(edited)
    .map((part) => {
      const at = found.findIndex(([one]) => one === part);
      const [[, was] = []] = at < 0 ? [] : found.splice(at, 1);
      return was ?? part;
    })
    .join('');
}

/** A path, each parameter of its query, and the separators, which no mask hides. */
function partsOf(target: string): string[] {
  const [path = '', query] = target.split(/\?(.*)/s);
  return query === undefined ? [path] : [path, '?', ...query.split(/(&)/)];
}

function toSend(headers: RequestCopy['headers']): RequestCopy['headers'] {
  return headers.filter(([name]) => !CONNECTION_HEADERS.test(name));
}

function operationOf(target: string): Operation {
  const operation = operationAt(target);
  if (operation && /^[\x21-\x7e]+$/.test(target)) return operation;
  throw new PaylensError(2008, 'expected a path of the interface');
}

function editOf(edit: unknown): RequestEdit {
  const {target, body, ...others} = Object(edit) as Partial<RequestEdit>;
  if (typeof target !== 'string' || typeof body !== 'string' || Object.keys(others).length > 0)
    throw new PaylensError(2005, 'edit: expected target and body, both texts');
  return {target, body};
}
