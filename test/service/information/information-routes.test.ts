import {readdirSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {DocsPages} from '../../../src/service/information/docs-pages.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';

const ASSETS = readdirSync('node_modules/@fastify/swagger-ui/static').filter(
  (name) => !/\.json$|^index\.html$/.test(name),
);
const PAGES = ['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/oauth2-redirect.html'];
const LIMITED = ['/metrics', '/openapi.json', '/_requests', ...PAGES, '/docs/static/index.css'];
const PROBES = ['/healthz', '/readyz'];

let service: LaunchedService;
/** Takes nothing on. */
let full: LaunchedService;

beforeAll(async () => {
  const options = {mode: 'demo', registry: demoRegistry()} as const;
  [service, full] = await Promise.all([launch(options), launch({...options, load: {requests: 0}})]);
});
afterAll(() => Promise.all([service.close(), full.close()]));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {headers, redirect: 'manual'});

describe('a service that takes nothing on', () => {
  test.each(LIMITED)('refuses GET %s like POST: 503, when to come again', async (path) => {
    const response = await fetch(full.url + path);
    const object = await response.json();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(object).toMatchObject({success: false, errCode: 2});
  });

  test.each(PROBES)('answers %s', async (path) => {
    expect((await fetch(full.url + path)).status).toBe(200);
  });
});

describe('what does not change', () => {
  test.each(['/openapi.json', ...PAGES, ...ASSETS.map((name) => `/docs/static/${name}`)])(
    '%s has a tag, by which a browser may keep it',
    async (path) => {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);
      const bytes = await first.arrayBuffer();
      expect(Number(first.headers.get('content-length'))).toBe(bytes.byteLength);
      const again = await get(path, {'if-none-match': `"other", W/${etag}`});
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    },
  );

  test('a page is made once', async () => {
    const pages = new DocsPages({openapi: '3.1.0', info: {title: 't', version: '1'}, paths: {}});
    for (const path of PAGES) {
      const [one, other] = await Promise.all([pages.page(path), pages.page(path)]);
      expect(one).toBeDefined();
      expect(other).toBe(one);
      expect(await pages.page(path)).toBe(one);
    }
  });

  test('the bytes of the assets are those of the package', async () => {
    const {readFileSync} = await import('node:fs');
    expect(ASSETS.length).toBeGreaterThan(5);
    for (const name of ASSETS) {
      const bytes = Buffer.from(await (await get(`/docs/static/${name}`)).arrayBuffer());
      expect(bytes.equals(readFileSync(`node_modules/@fastify/swagger-ui/static/${name}`))).toBe(
        true,
      );
    }
  });

  test.each([
    ['bytes=0-9', 206, 'bytes 0-9/202', 10],
    ['bytes=200-', 206, 'bytes 200-201/202', 2],
    ['bytes=200-999', 206, 'bytes 200-201/202', 2],
    ['bytes=-2', 206, 'bytes 200-201/202', 2],
    ['bytes=-999', 206, 'bytes 0-201/202', 202],
    ['bytes=0-1,5-6', 200, null, 202],
    ['lines=1-2', 200, null, 202],
  ])('%s of a file of 202 bytes: %i', async (range, status, shown, length) => {
    const response = await get('/docs/static/index.css', {range});
    expect([response.status, response.headers.get('content-range')]).toEqual([status, shown]);
    expect((await response.arrayBuffer()).byteLength).toBe(length);
  });

  test.each(['bytes=202-', 'bytes=9-1', 'bytes=-0'])('%s is no part of it: 416', async (range) => {
    expect((await get('/docs/static/index.css', {range})).status).toBe(416);
  });
});

describe('every HTML answer', () => {
  const paths = [
    '/',
    '/nothing',
    ...LIMITED,
    ...PROBES,
    ...ASSETS.map((name) => `/docs/static/${name}`),
  ];

  test('loads nothing from elsewhere, shows in no frame and sends no referrer', async () => {
    let pages = 0;
    for (const path of paths) {
      const {headers} = await get(path);
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      pages += 1;
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*frame-ancestors 'none'/,
      );
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(pages).toBeGreaterThanOrEqual(3);
  });

  test('has no script or style of its own, which its policy would not let run', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/oauth2-redirect.html']) {
      const html = await (await get(path)).text();
      expect(html).not.toMatch(/<style|style="|<script(?![^>]*src=)|\son\w+=/i);
    }
  });

  test('names files that are there', async () => {
    const html = await (await get('/docs')).text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThanOrEqual(5);
    for (const file of files) expect((await get(file)).status).toBe(200);
  });
});

test('HEAD of a page has its headers and nothing else', async () => {
  for (const path of ['/docs', '/openapi.json', '/docs/static/swagger-ui-bundle.js', '/metrics']) {
    const response = await fetch(service.url + path, {method: 'HEAD'});
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 0]);
  }
});
