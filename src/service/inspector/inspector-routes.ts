import {randomBytes} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {packageVersion} from '../../files/package-root.js';
import type {Control} from '../control/control.js';
import {assertJson} from '../http/request-head.js';
import type {InformationHandler} from '../information/information-routes.js';
import {bundledPage, pageHandler, sendJson} from '../information/page.js';
import {MAX_RECEIVED} from '../information/captured-requests.js';
import type {ServiceMode} from '../registry/registry.js';
import type {Inspector} from './inspector.js';
import {type InspectorOrigin, inspectorError, isHiddenFrom} from './inspector-access.js';
import {cookieHeader, cookieName, type InspectorToken} from './inspector-token.js';
import {RequestStream, readCursor} from './request-stream.js';

interface InspectorRoutes {
  readonly mode: ServiceMode;
  readonly origin: InspectorOrigin;
  /** Absent: demo and mock, where everything is published. */
  readonly token?: InspectorToken | undefined;
  readonly inspector: Inspector;
  readonly control: Control;
  readonly limited: (handler: InformationHandler) => InformationHandler;
  readonly holdOpen: (response: ServerResponse) => void;
}

/** Does an action; its result is sent as JSON. */
type Act = (action: Record<string, unknown>) => unknown;

/** Headers of every answer but the pages. */
const DATA_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The page of the inspector at `/`, the explorer, and the routes that the inspector's page uses. */
export function addInspectorRoutes(app: FastifyInstance, routes: InspectorRoutes): void {
  addPage(app, '/', 'inspector.html', routes);
  addPage(app, '/explore', 'explorer.html', routes);
  addStream(app, routes);
  addDetail(app, routes);
  addAction(app, 'clear', [], () => routes.control.received.clear(), routes);
  addRequestActions(app, routes);
  if (routes.mode !== 'real') addAnswerActions(app, routes);
  if (routes.token) addExchange(app, routes.token, routes);
}

function addPage(
  app: FastifyInstance,
  path: string,
  file: string,
  {origin, limited}: InspectorRoutes,
): void {
  const onRequest = async (request: FastifyRequest) =>
    assertAccess(request, request.method === 'HEAD' ? 'head' : 'page', origin);
  app.get(path, {onRequest}, limited(pageHandler(() => bundledPage(file))));
}

function addStream(app: FastifyInstance, routes: InspectorRoutes): void {
  const {control, mode, holdOpen, inspector} = routes;
  const {captured} = inspector;
  // Changes with every start, so that a page notices the restart of its server.
  const server = randomBytes(32).toString('hex');
  const handshake = {server, mode, version: packageVersion(), kept: MAX_RECEIVED};
  const stream = new RequestStream({
    rows: (after) => captured.rowsAfter(after),
    answers: () => (mode === 'real' ? [] : control.answers.list()),
  });
  const handle: InformationHandler = async (request, reply) => {
    if (stream.isFull) throw new PaylensError(2, 'too many pages watch this service');
    const query = queryOf(request);
    // Sequence numbers of another server are ignored, even if its process had the same id.
    const isOther = (query.get('server') ?? server) !== server;
    const cursor = isOther ? {} : readCursor(query.get('after') ?? '');
    reply.hijack();
    holdOpen(reply.raw);
    // The client has left; otherwise Node notices it at a later write only.
    request.socket.once('end', () => reply.raw.destroy());
    reply.raw.writeHead(200, {...DATA_HEADERS, 'content-type': 'application/x-ndjson'});
    stream.add(reply.raw, cursor[captured.process], handshake);
    return reply;
  };
  addData(app, '/_inspector/stream', handle, routes);
}

function addDetail(app: FastifyInstance, routes: InspectorRoutes): void {
  const {inspector, limited} = routes;
  const handle: InformationHandler = async (request, reply) => {
    const query = queryOf(request);
    const isBrief = query.has('brief');
    const detail = await ofRequest(query.get('id'), routes, (sequence) =>
      inspector.detail(sequence, isBrief),
    );
    return sendJson(reply.headers(DATA_HEADERS), detail);
  };
  addData(app, '/_inspector/detail', limited(handle), routes);
}

function addData(
  app: FastifyInstance,
  url: string,
  handler: InformationHandler,
  {origin, token}: InspectorRoutes,
): void {
  const onRequest = async (request: FastifyRequest) => {
    assertAccess(request, 'data', origin);
    assertSession(request, origin, token);
  };
  app.route({method: 'GET', url, exposeHeadRoute: false, onRequest, handler});
}

function addRequestActions(app: FastifyInstance, routes: InspectorRoutes): void {
  const {inspector} = routes;
  const copy: Act = ({request}) =>
    ofRequest(request, routes, (sequence) => inspector.copy(sequence));
  const replay: Act = ({request, edit}) =>
    ofRequest(request, routes, (sequence) => inspector.sendAgain(sequence, edit));
  addAction(app, 'copy', ['request'], copy, routes);
  addAction(app, 'replay', ['request', 'edit'], replay, routes);
}

function addAnswerActions(app: FastifyInstance, routes: InspectorRoutes): void {
  const {answers} = routes.control;
  const queue: Act = async (order) => {
    // Loaded when it is needed: zod takes long to load.
    const {checkAnswerOrder} = await import('../operations/answer-order.js');
    return {id: answers.add(checkAnswerOrder(order))};
  };
  const unqueue: Act = ({id}) => {
    if (typeof id !== 'string') throw new PaylensError(2005, 'id: expected that of an answer');
    return {removed: String(answers.remove(id))};
  };
  addAction(app, 'queue', ['match', 'answer', 'times'], queue, routes);
  addAction(app, 'unqueue', ['id'], unqueue, routes);
}

function addAction(
  app: FastifyInstance,
  name: string,
  members: readonly string[],
  act: Act,
  routes: InspectorRoutes,
): void {
  addPost(app, name, routes, async (request, reply) => {
    assertSession(request, routes.origin, routes.token);
    const result = await act(readAction(request.body, members));
    return sendJson(reply.headers(DATA_HEADERS), result ?? {});
  });
}

function addExchange(app: FastifyInstance, token: InspectorToken, routes: InspectorRoutes): void {
  const {origin} = routes;
  addPost(app, 'exchange', routes, async (request, reply) => {
    const session = token.exchange(readAction(request.body, ['token']).token);
    const cookie = cookieHeader(origin.port(), session, origin.scheme);
    return sendJson(reply.headers(DATA_HEADERS).header('set-cookie', cookie), {});
  });
}

/** Routes that change something take JSON by POST alone. */
function addPost(
  app: FastifyInstance,
  name: string,
  {origin, limited}: InspectorRoutes,
  handle: InformationHandler,
): void {
  const onRequest = async (request: FastifyRequest) => {
    assertAccess(request, 'data', origin);
    assertJson(request.raw.rawHeaders);
  };
  app.route({method: 'POST', url: `/_inspector/${name}`, onRequest, handler: limited(handle)});
}

/** Throws 2008 for callers on other machines, and what `inspectorError` finds. */
function assertAccess(
  request: FastifyRequest,
  kind: 'page' | 'head' | 'data',
  origin: InspectorOrigin,
): void {
  if (isHiddenFrom(request.raw)) throw new PaylensError(2008, 'no such path');
  const error = inspectorError(request, kind, origin);
  if (error) throw error;
}

function assertSession(
  request: FastifyRequest,
  origin: InspectorOrigin,
  token: InspectorToken | undefined,
): void {
  token?.assertSession(request.raw.rawHeaders, cookieName(origin.port()));
}

/** What `find` knows of a request, by its id. Throws 2008 if it is no longer kept. */
async function ofRequest<T>(
  id: unknown,
  {inspector}: InspectorRoutes,
  find: (sequence: number) => Promise<T | undefined>,
): Promise<T> {
  const sequence = readSequence(id, inspector.captured.process);
  const found = sequence === undefined ? undefined : await find(sequence);
  if (found !== undefined) return found;
  throw new PaylensError(2008, 'this request is no longer kept');
}

function queryOf({originalUrl}: FastifyRequest): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?')[1] ?? '');
}

/** Reads `PROCESS-SEQUENCE`; undefined for the id of a request of another process. Throws 2005. */
function readSequence(text: unknown, ownProcess: number): number | undefined {
  const [, process, sequence] = /^(\d{1,10})-(\d{1,15})$/.exec(String(text)) ?? [];
  if (process === undefined) throw new PaylensError(2005, 'expected the id of a request');
  return Number(process) === ownProcess ? Number(sequence) : undefined;
}

/** The body of an action: an object with these members only. Throws 2005. */
function readAction(body: unknown, members: readonly string[]): JsonObject {
  const object = parseBody(body instanceof Uint8Array ? body : new Uint8Array());
  const unknown = Object.keys(object).find((name) => !members.includes(name));
  if (unknown === undefined) return object;
  throw new PaylensError(2005, `unknown member: expected ${members.join(', ') || 'none'}`);
}
