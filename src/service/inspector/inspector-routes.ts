import type {ServerResponse} from 'node:http';
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Control} from '../control/control.js';
import {demandJson} from '../http/request-head.js';
import type {InformationHandler} from '../information/information-routes.js';
import {bundledPage, type Page, sendJson, sendPage} from '../information/page.js';
import type {ServiceMode} from '../registry/registry.js';
import {
  type InspectQuestion,
  type RequestId,
  readAction,
  readCursor,
  readRequestId,
} from './inspect-question.js';
import {type InspectorDoor, inspectorError, isHiddenFrom} from './inspector-door.js';
import {cookieHeader, cookieName, type InspectorToken} from './inspector-token.js';
import type {InspectReplies} from './local-inspector.js';
import {RequestStream} from './request-stream.js';

/** Asks every process of the service; the replies of those that know. */
export type Inspect = <A extends InspectQuestion['ask']>(
  question: Extract<InspectQuestion, {ask: A}>,
) => Promise<readonly InspectReplies[A][]>;

interface Inspector {
  readonly mode: ServiceMode;
  /** Of all processes of the service, another one after a restart. */
  readonly server: string;
  readonly version: string;
  readonly door: InspectorDoor;
  /** Absent: demo and mock, where everything is published. */
  readonly token?: InspectorToken | undefined;
  readonly inspect: Inspect;
  readonly control: Control;
  /** How many requests a process keeps. */
  readonly kept: number;
  readonly limited: (handler: InformationHandler) => InformationHandler;
  readonly holdOpen: (response: ServerResponse) => void;
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
/** What is done for an action: its result is sent as JSON. */
type Act = (action: Record<string, unknown>) => unknown;

/** Of every answer of the inspector that is not its page. */
const DATA_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The page of the inspector at `/`, the explorer, and the routes that the inspector's page uses. */
export function addInspectorRoutes(app: FastifyInstance, inspector: Inspector): void {
  addPages(app, inspector);
  addStream(app, inspector);
  addDetail(app, inspector);
  addActions(app, inspector);
}

function addPages(app: FastifyInstance, {door, limited}: Inspector): void {
  for (const [path, file] of [
    ['/', 'inspector.html'],
    ['/explore', 'explorer.html'],
  ] as const) {
    let page: Promise<Page> | undefined;
    app.get(
      path,
      {
        onRequest: async (request) =>
          letIn(request, request.method === 'HEAD' ? 'head' : 'page', door),
      },
      limited(async (request, reply) => {
        page ??= bundledPage(file);
        return sendPage(request, reply, await page);
      }),
    );
  }
}

function addStream(app: FastifyInstance, inspector: Inspector): void {
  const {inspect, control, mode, server, version, kept, holdOpen} = inspector;
  const stream = new RequestStream({
    rows: (after) => inspect({ask: 'rows', after}),
    answers: async () => (mode === 'real' ? [] : control.queuedAnswers()),
  });
  const handle: Handle = async (request, reply) => {
    if (stream.isFull) throw new PaylensError(2, 'too many pages watch this service');
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
    // Numbers of another server, whose process may have had the same id, say nothing.
    const isOther = (query.get('server') ?? server) !== server;
    const after = isOther ? {} : readCursor(query.get('after') ?? '');
    reply.hijack();
    holdOpen(reply.raw);
    reply.raw.writeHead(200, {...DATA_HEADERS, 'content-type': 'application/x-ndjson'});
    stream.add(reply.raw, after, {server, mode, version, kept});
    return reply;
  };
  addData(app, '/_inspector/stream', handle, inspector);
}

function addDetail(app: FastifyInstance, inspector: Inspector): void {
  const handle: Handle = async (request, reply) => {
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
    const id = requestId(query.get('id'));
    const [detail] = await inspector.inspect({ask: 'detail', id, brief: query.has('brief')});
    return sendJson(reply.headers(DATA_HEADERS), found(detail));
  };
  addData(app, '/_inspector/detail', inspector.limited(handle), inspector);
}

function addData(
  app: FastifyInstance,
  url: string,
  handler: Handle,
  {door, token}: Inspector,
): void {
  const onRequest = async (request: FastifyRequest) => {
    letIn(request, 'data', door);
    demandCookie(request, door, token);
  };
  app.route({method: 'GET', url, exposeHeadRoute: false, onRequest, handler});
}

/** What changes something: never by GET, and by JSON alone. */
function addActions(app: FastifyInstance, inspector: Inspector): void {
  const {inspect, control, token, mode} = inspector;
  const add = (name: string, members: readonly string[], act: Act) =>
    addAction(
      app,
      name,
      async (request, reply) => {
        demandCookie(request, inspector.door, token);
        const result = await act(readAction(request.body, members));
        return sendJson(reply.headers(DATA_HEADERS), result ?? {});
      },
      inspector,
    );
  add('clear', [], () => control.forgetRequests());
  add('copy', ['request'], async ({request}) => {
    const [copy] = await inspect({ask: 'copy', id: requestId(request)});
    return found(copy);
  });
  add('replay', ['request', 'edit'], async ({request, edit}) => {
    const [sent] = await inspect({ask: 'again', id: requestId(request), edit});
    return found(sent);
  });
  if (mode !== 'real') {
    add('queue', ['match', 'answer', 'times'], async (order) => {
      // Not before it is needed: zod takes long to load.
      const {checkAnswerOrder} = await import('../operations/answer-order.js');
      return {id: await control.addAnswer(checkAnswerOrder(order))};
    });
    add('unqueue', ['id'], ({id}) => {
      if (typeof id !== 'string') throw new PaylensError(2005, 'id: expected that of an answer');
      return control
        .removeAnswers(id)
        .then(String)
        .then((removed) => ({removed}));
    });
  }
  if (token) addExchange(app, token, inspector);
}

function addExchange(app: FastifyInstance, token: InspectorToken, inspector: Inspector): void {
  const {door} = inspector;
  addAction(
    app,
    'exchange',
    async (request, reply) => {
      const session = await token.exchange(readAction(request.body, ['token']).token);
      const cookie = cookieHeader(door.port(), session, door.scheme);
      return sendJson(reply.headers(DATA_HEADERS).header('set-cookie', cookie), {});
    },
    inspector,
  );
}

function addAction(
  app: FastifyInstance,
  name: string,
  handle: Handle,
  {door, limited}: Inspector,
): void {
  const onRequest = async (request: FastifyRequest) => {
    letIn(request, 'data', door);
    demandJson(request.raw.rawHeaders);
  };
  app.route({method: 'POST', url: `/_inspector/${name}`, onRequest, handler: limited(handle)});
}

/** Throws why this asker may not come in; to who is not on this machine there is no such path. */
function letIn(request: FastifyRequest, kind: 'page' | 'head' | 'data', door: InspectorDoor): void {
  if (isHiddenFrom(request.raw)) throw new PaylensError(2008, 'no such path');
  const error = inspectorError(request, kind, door);
  if (error) throw error;
}

function demandCookie(request: FastifyRequest, door: InspectorDoor, token?: InspectorToken): void {
  token?.demandCookie(request.raw.rawHeaders, cookieName(door.port()));
}

function requestId(text: unknown): RequestId {
  const id = readRequestId(text);
  if (id) return id;
  throw new PaylensError(2005, 'expected the id of a request');
}

function found<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new PaylensError(2008, 'this request is no longer kept');
}
