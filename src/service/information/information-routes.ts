import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import type {Metrics} from './metrics.js';
import {type Page, sendBytes, sendPage, shippedPage} from './page.js';
import {SharedView} from './shared-view.js';

/** Answers a GET. */
export type InformationHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

interface Information {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly isReady: () => Promise<boolean>;
  /** Whether the service takes terminals beyond the interface. */
  readonly extended: boolean;
  /** Wraps a handler in the load limits of the service. */
  readonly limited: (handler: InformationHandler) => InformationHandler;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * The GET routes beside the interface: /healthz, /readyz, /metrics, /openapi.json, and the page that
 * shows it under /docs. What does not change is made by the build; what does, once for all who ask
 * at the same time.
 */
export function addInformationRoutes(app: FastifyInstance, about: Information): void {
  const {limited} = about;
  const folder = about.extended ? 'extended/' : '';
  addProbes(app, about);
  addShared(app, '/metrics', about.metrics.contentType, {
    limited,
    make: async () => Buffer.from(await about.metrics.text()),
  });
  addShipped(app, ['/openapi.json'], `${folder}openapi.json`, {limited, type: JSON_TYPE});
  addShipped(app, ['/docs', '/docs/'], `${folder}index.html`, {limited, type: HTML_TYPE});
}

/** These are polled constantly, even when the service is at its limits. */
function addProbes(app: FastifyInstance, {isReady}: Information): void {
  const ready = new SharedView(isReady);
  app.get('/healthz', (_request, reply) => reply.type(JSON_TYPE).send('{"status":"ok"}'));
  app.get('/readyz', async (_request, reply) =>
    (await ready.ask())
      ? reply.type(JSON_TYPE).send('{"status":"ready"}')
      : reply.code(503).type(JSON_TYPE).send('{"status":"not ready"}'),
  );
}

interface SharedRoute {
  readonly limited: Information['limited'];
  readonly make: () => Promise<Uint8Array>;
}

function addShared(
  app: FastifyInstance,
  path: string,
  type: string,
  {limited, make}: SharedRoute,
): void {
  const view = new SharedView(make);
  app.get(
    path,
    limited(async (_request, reply) => {
      const bytes = await view.ask();
      return sendBytes(reply.type(type).header('cache-control', 'no-store'), bytes);
    }),
  );
}

interface ShippedRoute {
  readonly limited: Information['limited'];
  readonly type: string;
}

/** Serves a file that the build made; it is read when it is first asked for. */
function addShipped(
  app: FastifyInstance,
  paths: readonly string[],
  file: string,
  {limited, type}: ShippedRoute,
): void {
  let page: Promise<Page> | undefined;
  const handler = limited(async (request, reply) => {
    page ??= shippedPage(file, type);
    return sendPage(request, reply, await page);
  });
  for (const path of paths) app.get(path, handler);
}
