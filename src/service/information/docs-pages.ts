import fastify, {type FastifyInstance} from 'fastify';
import {newPage, type Page} from './page.js';

/** Valid paths below /docs: no name leads out of its folder, and none has two spellings. */
const PATHS = /^\/docs(?:\/|\/json|\/yaml|\/static\/[\w-]+(?:\.[\w-]+)*)?$/;

/**
 * The pages that show the OpenAPI document, offline: each is made when it is first asked for, and
 * kept. An app that never listens makes them.
 */
export class DocsPages {
  readonly #document: object;
  readonly #pages = new Map<string, Promise<Page | undefined>>();
  #app: Promise<FastifyInstance> | undefined;

  constructor(document: object) {
    this.#document = document;
  }

  /** The page of a path; undefined when there is none. */
  async page(path: string): Promise<Page | undefined> {
    if (!PATHS.test(path)) return undefined;
    const kept = this.#pages.get(path) ?? this.#make(path);
    this.#pages.set(path, kept);
    const page = await kept.catch(() => undefined);
    // Names that are none are without number.
    if (!page) this.#pages.delete(path);
    return page;
  }

  async #make(path: string): Promise<Page | undefined> {
    this.#app ??= this.#start();
    const {statusCode, headers, rawPayload} = await (await this.#app).inject(path);
    if (statusCode >= 400) return undefined;
    const type = String(headers['content-type'] ?? 'text/plain; charset=utf-8');
    const {location} = headers;
    const page = newPage(type, rawPayload, statusCode);
    return location === undefined ? page : {...page, headers: {...page.headers, location}};
  }

  async #start(): Promise<FastifyInstance> {
    const {default: swagger} = await import('@fastify/swagger');
    const {default: swaggerUi} = await import('@fastify/swagger-ui');
    const app = fastify();
    const document = this.#document as never;
    await app.register(swagger, {mode: 'static', specification: {document}});
    await app.register(swaggerUi, {routePrefix: '/docs', uiConfig: {validatorUrl: null}});
    return app;
  }
}
