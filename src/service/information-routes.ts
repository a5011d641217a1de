import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {PaylensError} from '../contract/paylens-error.js';
import {isLoopbackAddress} from './http/loopback.js';
import {errorAnswer} from './http-message.js';
import type {Metrics} from './metrics.js';
import {openApiDocument} from './open-api.js';
import type {ReceivedRequest} from './received-requests.js';

interface Information {
  readonly version: string;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly isReady: () => Promise<boolean>;
  /** Demo and mock only: what was received. */
  readonly received?: (() => Promise<readonly ReceivedRequest[]>) | undefined;
  readonly messageId: () => string;
}

/**
 * The GET routes beside the interface: /healthz, /readyz, /metrics, /openapi.json, the docs page
 * under /docs (offline: its assets come from the package), and /_requests for loopback callers.
 */
export async function addInformationRoutes(
  app: FastifyInstance,
  about: Information,
): Promise<void> {
  const document = openApiDocument(about.version);
  app.get('/healthz', () => ({status: 'ok'}));
  app.get('/readyz', async (_request, reply) => {
    const ready = await about.isReady();
    return reply.code(ready ? 200 : 503).send({status: ready ? 'ready' : 'not ready'});
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(about.metrics.contentType).send(await about.metrics.text()),
  );
  app.get('/openapi.json', () => document);
  const {received} = about;
  if (received) {
    app.get('/_requests', (request, reply) =>
      isLoopback(request) ? received() : refuse(reply, about.messageId()),
    );
  }
  await addDocs(app, document);
}

async function addDocs(app: FastifyInstance, document: object): Promise<void> {
  const {default: swagger} = await import('@fastify/swagger');
  const {default: swaggerUi} = await import('@fastify/swagger-ui');
  await app.register(swagger, {mode: 'static', specification: {document: document as never}});
  await app.register(swaggerUi, {routePrefix: '/docs'});
}

/** To others the page does not exist. */
function refuse(reply: FastifyReply, messageId: string): FastifyReply {
  const {status, headers, body} = errorAnswer(new PaylensError(2008, 'no such path'), {messageId});
  return reply.code(status).headers(headers).send(body);
}

function isLoopback({socket}: FastifyRequest): boolean {
  return isLoopbackAddress(socket.remoteAddress ?? '');
}
