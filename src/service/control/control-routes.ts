import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import type {QueuedAnswer} from '../../contract/control/queued-answer.js';
import {filterRequests, type RequestFilter} from '../../contract/control/received-request.js';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {assertJson, headerValues} from '../http/request-head.js';
import type {InformationHandler} from '../information/information-routes.js';
import {asJson, sendJson} from '../information/page.js';
import {SharedView} from '../information/shared-view.js';
import type {Control} from './control.js';

interface Routes {
  readonly control: Control;
  /** Wraps a handler in the load limits of the service. */
  readonly limited: (handler: InformationHandler) => InformationHandler;
}

/**
 * The routes by which a test suite controls a demo or mock service: received requests, queued
 * answers, and reset. They exist only for callers on this machine.
 */
export function addControlRoutes(app: FastifyInstance, {control, limited}: Routes): void {
  const {received, answers} = control;
  const handlers: Readonly<Record<string, InformationHandler>> = {
    'GET /_requests': requestsHandler(control),
    'DELETE /_requests': withoutBody(() => received.clear()),
    'GET /_answers': async (_request, reply) => sendJson(reply, answers.list().map(maskedAnswer)),
    'POST /_answers': async ({body}, reply) => {
      // Loaded when it is needed: zod takes long to load.
      const {checkAnswerOrder} = await import('../operations/answer-order.js');
      const order = checkAnswerOrder(parseBody(bytesOf(body)));
      return sendJson(reply.code(201), {id: answers.add(order)});
    },
    'DELETE /_answers': withoutBody(() => answers.remove()),
    'DELETE /_answers/:id': withoutBody(({params}) => answers.remove((params as {id: string}).id)),
    'POST /_reset': withoutBody(() => control.reset()),
  };
  for (const [route, handle] of Object.entries(handlers)) {
    const [method = '', url = ''] = route.split(' ');
    app.route({method, url, onRequest: authorizeControl, handler: limited(handle)});
  }
}

/** Each row is written once for all concurrent callers. */
function requestsHandler({received}: Control): InformationHandler {
  const view = new SharedView(
    async () => new Map(received.list().map((row) => [row, JSON.stringify(row)])),
  );
  return async (request, reply) => {
    const filter = readRequestFilter(request.originalUrl);
    const texts = await view.ask();
    const found = filterRequests([...texts.keys()], filter);
    return asJson(reply).send(`[${found.map((row) => texts.get(row)).join()}]`);
  };
}

/** Checks caller and media type before a body is read. Web pages cannot send JSON without CORS. */
async function authorizeControl(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (!isLoopbackAddress(request.socket.remoteAddress ?? '')) return reply.callNotFound();
  const {rawHeaders} = request.raw;
  const [length = '0'] = headerValues(rawHeaders, 'content-length');
  const hasBody = Number(length) > 0 || headerValues(rawHeaders, 'transfer-encoding').length > 0;
  if (hasBody || headerValues(rawHeaders, 'content-type').length > 0) assertJson(rawHeaders);
  return undefined;
}

/** Answers 204, or 404 when the action returns false. */
function withoutBody(act: (request: FastifyRequest) => unknown): InformationHandler {
  return async (request, reply) => {
    const bytes = bytesOf(request.body);
    if (bytes.length > 0 && Object.keys(parseBody(bytes)).length > 0)
      throw new PaylensError(2005, 'expected no body, or an empty object');
    if (act(request) === false) throw new PaylensError(2008, 'expected the id of a queued answer');
    return reply.code(204).send();
  };
}

function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

function maskedAnswer({id, match, ...rest}: QueuedAnswer): QueuedAnswer {
  const {reference, serial, deviceType} = match ?? {};
  const shown = {
    ...(reference !== undefined && {reference: redactCardNumbers(reference)}),
    ...(serial !== undefined && {serial: redactCardNumbers(serial)}),
    ...(deviceType !== undefined && {deviceType}),
  };
  return {id, ...(match && {match: shown}), ...rest};
}

/** The form of each parameter of `GET /_requests`, and its description. */
const FORMS: Readonly<
  Record<keyof RequestFilter, readonly [isValid: (text: string) => boolean, expected: string]>
> = {
  since: [(text) => /^\d{25}$/.test(text), 'a messageId of 25 digits'],
  reference: [() => true, 'a reference'],
  status: [(text) => /^[1-5]\d\d$/.test(text), 'an HTTP status'],
  deviceType: [(text) => KNOWN_TERMINALS.has(text), `one of ${KNOWN_TERMINALS.types.join(', ')}`],
};

/** Reads the query of a target as a filter. Throws 2005: a mistyped name must not match all. */
function readRequestFilter(target: string): RequestFilter {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  const names = [...query.keys()];
  for (const name of names) {
    if (!Object.hasOwn(FORMS, name))
      throw new PaylensError(2005, `unknown filter: expected ${Object.keys(FORMS).join(', ')}`);
    if (query.getAll(name).length > 1) throw new PaylensError(2005, `${name}: expected once`);
  }
  const values = names.map((name) => [name, filterValue(name as keyof RequestFilter, query)]);
  return Object.fromEntries(values) as RequestFilter;
}

function filterValue(name: keyof RequestFilter, query: URLSearchParams): string | number {
  const text = query.get(name) ?? '';
  const [isValid, expected] = FORMS[name];
  if (!isValid(text)) throw new PaylensError(2005, `${name}: expected ${expected}`);
  return name === 'status' ? Number(text) : text;
}
