import type {FastifyInstance} from 'fastify';
import type {InformationHandler} from '../http/new-app.js';
import type {Metrics} from './metrics.js';
import {pageHandler, sendBytes, shippedPage} from './page.js';
import {SharedView} from './shared-view.js';

interface Information {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly isReady: () => Promise<boolean>;
  /** How often the system clock was set since the start. */
  readonly clock: {readonly jumps: number};
  /** Whether the service takes terminals beyond the interface. */
  readonly extended: boolean;
  /** Wraps a handler in the load limits of the service. */
  readonly limited: (handler: InformationHandler) => InformationHandler;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * The GET routes outside the interface: /healthz, /readyz, /metrics, /openapi.json, and the page that
 * shows it under /docs. Static content comes from the build; the rest is made once for all
 * concurrent requests.
 */
export function addInformationRoutes(app: FastifyInstance, about: Information): void {
  const {limited, metrics} = about;
  addProbes(app, about);
  const view = new SharedView(async () => Buffer.from(await metrics.text()));
  const handleMetrics = limited(async (_request, reply) => {
    const bytes = await view.ask();
    return sendBytes(reply.type(metrics.contentType).header('cache-control', 'no-store'), bytes);
  });
  app.get('/metrics', handleMetrics);
  const shipped = (name: string, type: string) => {
    const file = about.extended ? `extended/${name}` : name;
    return limited(pageHandler(() => shippedPage(file, type)));
  };
  app.get('/openapi.json', shipped('openapi.json', JSON_TYPE));
  const docs = shipped('index.html', HTML_TYPE);
  for (const path of ['/docs', '/docs/']) app.get(path, docs);
}

/** These are polled constantly, even when the service is at its limits. */
function addProbes(app: FastifyInstance, {isReady, clock}: Information): void {
  const ready = new SharedView(isReady);
  app.get('/healthz', (_request, reply) => reply.type(JSON_TYPE).send('{"status":"ok"}'));
  app.get('/readyz', async (_request, reply) => {
    const isUp = await ready.ask();
    const {jumps: clockJumps} = clock;
    const status = isUp ? 'ready' : 'not ready';
    return reply
      .code(isUp ? 200 : 503)
      .type(JSON_TYPE)
      .send(JSON.stringify({status, ...(clockJumps > 0 && {clockJumps})}));
  });
}
