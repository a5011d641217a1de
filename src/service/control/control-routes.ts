import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import type {QueuedAnswer} from '../../contract/control/queued-answer.js';
import {
  filterRequests,
  type ReceivedRequest,
  type RequestFilter,
} from '../../contract/control/received-request.js';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {InformationHandler} from '../http/new-app.js';
import {assertJson, headerValues} from '../http/request-head.js';
import {asJson, sendJson} from '../information/page.js';
import {SharedView} from '../information/shared-view.js';
import type {Waiting} from '../operations/answer-queue.js';

/** What the control routes show and set: `Row` is what came in, `Order` what may be queued. */
interface Routes<Row extends object, Order> {
  readonly control: {
    readonly received: {readonly list: () => readonly Row[]; readonly clear: () => void};
    readonly answers: {
      readonly list: () => readonly Waiting<Order>[];
      readonly add: (order: Order) => string;
      readonly remove: (id?: string) => boolean;
    };
    readonly reset: () => void;
  };
  /** Checks an order. Throws 2005. */
  readonly checkOrder: (given: unknown) => Promise<Order>;
  /** A queued order without card numbers. */
  readonly shown: (order: Waiting<Order>) => object;
  /** Reads the query of a target as a filter of rows. Throws 2005. */
  readonly filter: (target: string) => (rows: readonly Row[]) => readonly Row[];
  /** Wraps a handler in the load limits of the service. */
  readonly limited: (handler: InformationHandler) => InformationHandler;
}

/** The control of a demo or mock service. */
export const SERVICE_CONTROL = {
  // Loaded when it is needed: zod takes long to load.
  checkOrder: async (given: unknown) =>
    (await import('../operations/answer-order.js')).checkAnswerOrder(given),
  shown: maskedAnswer,
  filter: (target: string) => {
    const filter: RequestFilter = readFilter(target, FORMS);
    return (rows: readonly ReceivedRequest[]) => filterRequests(rows, filter);
  },
};

/**
 * The routes by which a test suite controls a demo or mock service: received requests, queued
 * answers, and reset. They exist only for callers on this machine.
 */
export function addControlRoutes<Row extends object, Order>(
  app: FastifyInstance,
  routes: Routes<Row, Order>,
): void {
  const {control, limited, checkOrder, shown} = routes;
  const {received, answers} = control;
  const handlers: Readonly<Record<string, InformationHandler>> = {
    'GET /_requests': requestsHandler(routes),
    'DELETE /_requests': withoutBody(() => received.clear()),
    'GET /_answers': async (_request, reply) => sendJson(reply, answers.list().map(shown)),
    'POST /_answers': async ({body}, reply) => {
      const order = await checkOrder(parseBody(bytesOf(body)));
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
function requestsHandler<Row extends object, Order>({
  control: {received},
  filter,
}: Routes<Row, Order>): InformationHandler {
  const view = new SharedView(
    async () => new Map(received.list().map((row) => [row, JSON.stringify(row)])),
  );
  return async (request, reply) => {
    const select = filter(request.originalUrl);
    const texts = await view.ask();
    const found = select([...texts.keys()]);
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
type FilterForm = readonly [isValid: (text: string) => boolean, expected: string];
type FilterForms = Readonly<Record<string, FilterForm>>;

const FORMS: Readonly<Record<keyof RequestFilter, FilterForm>> = {
  since: [(text) => /^\d{25}$/.test(text), 'a messageId of 25 digits'],
  reference: [() => true, 'a reference'],
  status: [(text) => /^[1-5]\d\d$/.test(text), 'an HTTP status'],
  deviceType: [(text) => KNOWN_TERMINALS.has(text), `one of ${KNOWN_TERMINALS.types.join(', ')}`],
};

/** Reads the query of a target as a filter. Throws 2005: a mistyped name must not match all. */
export function readFilter(target: string, forms: FilterForms): object {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  const names = [...query.keys()];
  for (const name of names) {
    if (!Object.hasOwn(forms, name))
      throw new PaylensError(2005, `unknown filter: expected ${Object.keys(forms).join(', ')}`);
    if (query.getAll(name).length > 1) throw new PaylensError(2005, `${name}: expected once`);
  }
  return Object.fromEntries(names.map((name) => [name, filterValue(name, query, forms)]));
}

function filterValue(name: string, query: URLSearchParams, forms: FilterForms): string | number {
  const text = query.get(name) ?? '';
  const [isValid, expected] = forms[name] ?? [];
  if (!isValid?.(text)) throw new PaylensError(2005, `${name}: expected ${expected}`);
  return name === 'status' ? Number(text) : text;
}
