import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import {brotliDecompressSync, gunzipSync, inflateSync} from 'node:zlib';
import {parseAuthorization} from '../../auth/authorization-header.js';
import {methodOf} from '../../auth/methods/header-methods.js';
import {canonicalTarget, operationAt} from '../../auth/string-to-hash.js';
import {bodyObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {collectBody} from '../http/collect-body.js';
import {type HttpFront, headOf} from '../http/http-front.js';
import {errorAnswer} from '../http/http-message.js';
import type {Limits} from '../http/limits.js';
import {overloaded, refusalOfError, requestPath} from '../http/refusals.js';
import {headerValues} from '../http/request-head.js';
import {
  type ForwardedRequest,
  MAX_ANSWER_BYTES,
  sendUpstream,
  type Upstream,
  type UpstreamAnswer,
} from '../http/send-upstream.js';
import {WHY} from '../information/log-text.js';
import {senderIdOf} from '../information/request-row.js';
import {reportRequest, type Service} from '../open-service.js';
import type {Outcome} from '../operations/answer-request.js';
import {errorIn} from '../operations/recorded-answers.js';
import {textMember} from '../operations/scripted-answer.js';
import {type ReadRefusal, RefusalReader} from './read-refusal.js';
import type {Recorder} from './recorder.js';

/** What passing requests on needs of its server. */
interface ForwardOptions {
  readonly service: Service;
  readonly limits: Limits;
  readonly front: HttpFront;
  readonly bodyLimit: number;
  readonly isDraining: () => boolean;
  readonly recorder: Recorder;
}

/** A listener that passes requests on to an endpoint, except those for the pages of this service. */
export function forwarding(
  upstream: Upstream,
  options: ForwardOptions,
  pages: RequestListener,
): RequestListener {
  const {front, bodyLimit} = options;
  const reader = new RefusalReader(options.service);
  return (request, response) => {
    if (isOwnPage(request)) return void pages(request, response);
    forward(request, response, {...options, upstream, reader}).catch((error) => {
      if (response.headersSent) response.destroy();
      else front.reject(response, refusalOfError(error, bodyLimit));
    });
  };
}

/** The interface has no GET. */
function isOwnPage(request: IncomingMessage): boolean {
  const path = requestPath(request);
  if (path.startsWith('/_')) return true;
  return /^(?:GET|HEAD)$/.test(request.method ?? '') && !path.startsWith('/api');
}

type Forwarding = ForwardOptions & {readonly upstream: Upstream; readonly reader: RefusalReader};

/** One request and what came back, or why nothing did. */
interface Forwarded {
  readonly call: ForwardedRequest;
  readonly answer: UpstreamAnswer;
  readonly failure?: PaylensError | undefined;
  readonly messageId: string;
  /** When it came in, by `performance.now`. */
  readonly started: number;
}

async function forward(request: IncomingMessage, response: ServerResponse, by: Forwarding) {
  const {limits, front, service} = by;
  const body = await wholeBody(request, by);
  limits.holdBody(response, body);
  const started = performance.now();
  if (!limits.begin('operation', started)) return front.reject(response, overloaded());
  try {
    const {method = 'POST', rawHeaders, url = '/'} = request;
    const call = {method, target: canonicalTarget(url), rawHeaders, body};
    const messageId = service.messageId();
    const {answer, failure} = await answerTo(call, messageId, request, response, by);
    limits.holdBody(response, answer.body);
    send(response, answer, by);
    const {httpVersion: version} = request;
    await report(
      {call, answer, failure, messageId, started},
      {version, responseHead: headOf(response)},
      by,
    );
  } finally {
    limits.end('operation');
  }
}

function wholeBody(request: IncomingMessage, {limits, bodyLimit}: Forwarding): Promise<Uint8Array> {
  const resize = limits.bodyRoom(request.socket);
  const room = {maxBytes: bodyLimit, resize, limitsParts: true};
  return new Promise((resolve, reject) => {
    collectBody(request, room, (error, bytes = new Uint8Array()) =>
      error ? reject(error) : resolve(bytes),
    );
  });
}

/** The answer of the endpoint, or a 502 or 504 of this service. */
async function answerTo(
  call: ForwardedRequest,
  messageId: string,
  {socket}: IncomingMessage,
  response: ServerResponse,
  {limits, upstream}: Forwarding,
): Promise<Pick<Forwarded, 'answer' | 'failure'>> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    const room = {signal: left.signal, resize: limits.bodyRoom(socket)};
    return {answer: await sendUpstream(upstream, call, room)};
  } catch (error) {
    const failure = error instanceof PaylensError ? error : new PaylensError(1, '', {cause: error});
    const {isLate = false} = (failure.cause ?? {}) as {readonly isLate?: boolean};
    const {status, headers, body} = errorAnswer(failure, {messageId}, {status: isLate ? 504 : 502});
    const rawHeaders = Object.entries(headers).flat(2);
    return {
      answer: {status, message: STATUS_CODES[status] ?? '', rawHeaders, body: Buffer.from(body)},
      failure,
    };
  }
}

/** Status, headers and body as they came; a body without a length gets one. */
function send(
  response: ServerResponse,
  {status, message, rawHeaders, body}: UpstreamAnswer,
  by: Forwarding,
) {
  const isEmpty = status === 204 || status === 304 || response.req.method === 'HEAD';
  const isKnown = isEmpty || headerValues(rawHeaders, 'content-length').length > 0;
  const length = isKnown ? [] : ['Content-Length', String(body.length)];
  if (by.isDraining()) by.front.closeAfter(response);
  response.sendDate = false;
  response
    .writeHead(status, message.replace(/[^\t -~\x80-\xff]/g, '?'), [...rawHeaders, ...length])
    .end(body);
  by.limits.sent(response, body.length);
}

async function report(
  forwarded: Forwarded,
  sent: {readonly version: string; readonly responseHead: string | undefined},
  {service, reader, recorder}: Forwarding,
) {
  const {call, answer, failure, started} = forwarded;
  const milliseconds = performance.now() - started;
  const operation = operationAt(call.target);
  const responseBody = plainText(answer);
  // Before the explanation, which takes long: the record has its order.
  const {status, rawHeaders} = answer;
  const recorded = failure
    ? undefined
    : recorder.add(call, {status, rawHeaders, text: responseBody});
  const refusal =
    operation && !failure ? await reader.read({...call, operation}, answer) : undefined;
  const outcome = outcomeOf(forwarded, responseBody, refusal);
  const {messageId, why} = outcome;
  const {unexplained: _, ...explained} = refusal?.explanation ?? {};
  if (refusal) service.log.info(WHY, {messageId, faults: [why], ...explained});
  reportRequest(service, {...call, ...sent, outcome, operation, milliseconds, responseBody});
  await recorded;
}

function outcomeOf(
  {call, answer: {status}, failure, messageId}: Forwarded,
  body: string,
  refusal: ReadRefusal | undefined,
): Outcome {
  const said = bodyObject(body);
  const sent = bodyObject(call.body);
  const why = refusal?.why;
  const isUnauthenticated = status === 401 && refusal;
  const own = isUnauthenticated ? refusal.error : (errorIn(said, why) ?? refusal?.error);
  const error = failure ?? own;
  return {
    answer: {status, headers: {}, body},
    messageId: textMember(said, 'messageId') ?? messageId,
    sender: error ? undefined : acceptedSender(call),
    reference: textMember(sent, 'reference'),
    deviceType: textMember(sent, 'deviceType'),
    ...{sent, why, error},
  };
}

const DECODERS: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The body as text; '' for one that cannot be unpacked to at most 1 MiB. */
function plainText({rawHeaders, body}: UpstreamAnswer): string {
  const [coding = 'identity'] = headerValues(rawHeaders, 'content-encoding');
  try {
    const decode = DECODERS[coding.trim().toLowerCase()];
    return Buffer.from(decode?.(body, {maxOutputLength: MAX_ANSWER_BYTES}) ?? body).toString();
  } catch {
    return '';
  }
}

/** Who sent a request that the endpoint accepted. */
function acceptedSender(call: ForwardedRequest): Outcome['sender'] {
  const [header] = headerValues(call.rawHeaders, 'authorization');
  const credentials = header === undefined ? undefined : parseAuthorization(header);
  const method =
    header === undefined ? 'transparent' : credentials && methodOf(credentials.scheme, credentials);
  const partnerId = senderIdOf(call);
  return method && partnerId !== undefined ? {partnerId, method} : undefined;
}
