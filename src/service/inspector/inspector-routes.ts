import {randomBytes} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {packageVersion} from '../../files/package-root.js';
import type {Control} from '../control/control.js';
import {SERVICE_CONTROL} from '../control/control-routes.js';
import type {InformationHandler} from '../http/new-app.js';
import {assertJson} from '../http/request-head.js';
import {MAX_RECEIVED} from '../information/captured-requests.js';
import {asJson, bundledPage, pageHandler, sendJson} from '../information/page.js';
import type {ServiceMode} from '../registry/registry.js';
import type {Inspector} from './inspector.js';
import type {InspectorToken} from './inspector-access.js';
import {type InspectorOrigin, inspectorError, isHiddenFrom} from './inspector-access.js';
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

/** Actions of the page by name: a POST with these members; what it returns is sent as JSON. */
type Actions = Readonly<
  Record<string, readonly [members: readonly string[], run: (action: JsonObject) => unknown]>
>;

/** Headers of every answer but the pages. */
const DATA_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const PAGES = {'/': 'inspector.html', '/explore': 'explorer.html'} as const;

/** The page of the inspector at `/`, the explorer, and the routes that the inspector's page uses. */
export function addInspectorRoutes(app: FastifyInstance, routes: InspectorRoutes): void {
  const {origin, limited} = routes;
  for (const [path, file] of Object.entries(PAGES)) {
    const onRequest = async (request: FastifyRequest) => assertAccess(request, 'page', origin);
    app.get(path, {onRequest}, limited(pageHandler(() => bundledPage(file))));
  }
  addData(app, 'GET stream', streamHandler(routes), routes);
  addData(app, 'GET detail', limited(detailHandler(routes)), routes);
  for (const [name, [members, run]] of Object.entries(actionsOf(routes))) {
    const handler = limited(async (request, reply) => {
      const result = await run(readAction(request.body, members));
      return sendJson(reply.headers(DATA_HEADERS), result ?? {});
    });
    addData(app, `POST ${name}`, handler, routes);
  }
}

function streamHandler(routes: InspectorRoutes): InformationHandler {
  const {control, mode, holdOpen, inspector} = routes;
  const {captured} = inspector;
  // Changes with every start, so that a page notices the restart of its server.
  const server = randomBytes(32).toString('hex');
  const handshake = {server, mode, version: packageVersion(), kept: MAX_RECEIVED};
  const stream = new RequestStream({
    rows: (after) => captured.rowsAfter(after),
    answers: () => (mode === 'real' ? [] : control.answers.list()),
  });
  return async (request, reply) => {
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
}

function detailHandler(routes: InspectorRoutes): InformationHandler {
  return async (request, reply) => {
    const query = queryOf(request);
    const isBrief = query.has('brief');
    const detail = await ofRequest(query.get('id'), routes, (sequence) =>
      routes.inspector.detail(sequence, isBrief),
    );
    return asJson(reply.headers(DATA_HEADERS)).send(detail);
  };
}

function actionsOf(routes: InspectorRoutes): Actions {
  const {inspector, control, mode} = routes;
  return {
    clear: [[], () => control.received.clear()],
    copy: [
      ['request'],
      ({request}) => ofRequest(request, routes, (sequence) => inspector.copy(sequence)),
    ],
    replay: [
      ['request', 'edit'],
      ({request, edit}) =>
        ofRequest(request, routes, (sequence) => inspector.sendAgain(sequence, edit)),
    ],
    ...(mode !== 'real' && answerActions(control)),
  };
}

function answerActions({answers}: Control): Actions {
  return {
    queue: [
      ['match', 'answer', 'times'],
      async (order) => ({id: answers.add(await SERVICE_CONTROL.checkOrder(order))}),
    ],
    unqueue: [
      ['id'],
      ({id}) => {
        if (typeof id !== 'string') throw new PaylensError(2005, 'id: expected that of an answer');
        return {removed: String(answers.remove(id))};
      },
    ],
  };
}

/** Adds a route of data. Routes that change something take JSON by POST alone. */
function addData(
  app: FastifyInstance,
  route: `${'GET' | 'POST'} ${string}`,
  handler: InformationHandler,
  {origin, token}: InspectorRoutes,
): void {
  const [method = '', name] = route.split(' ');
  const onRequest = async (request: FastifyRequest) => {
    assertAccess(request, 'data', origin);
    const {rawHeaders} = request.raw;
    if (method === 'POST') assertJson(rawHeaders);
    token?.assertSent(rawHeaders);
  };
  app.route({method, url: `/_inspector/${name}`, exposeHeadRoute: false, onRequest, handler});
}

/** Throws 2008 for callers on other machines, and what `inspectorError` finds. */
function assertAccess(
  request: FastifyRequest,
  kind: 'page' | 'data',
  origin: InspectorOrigin,
): void {
  if (isHiddenFrom(request.raw)) throw new PaylensError(2008, 'no such path');
  const error = inspectorError(request, kind, origin);
  if (error) throw error;
}

/** What `find` returns for a request, by its id. Throws 2008 if it is no longer stored. */
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
