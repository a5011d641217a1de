import {createHash} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';

const PAGES = ['/docs', '/docs/'];
const LIMITED = ['/metrics', '/openapi.json', '/_requests', ...PAGES];
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
  test.each(['/openapi.json', ...PAGES])(
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

  test('/docs and /docs/ are one page, and there is none below', async () => {
    const [one, other] = await Promise.all(PAGES.map(async (path) => (await get(path)).text()));
    expect(other).toBe(one);
    expect((await get('/docs/index.html')).status).toBe(404);
  });

  test('a range of it is all of it', async () => {
    const response = await get('/docs', {range: 'bytes=0-9'});
    const whole = await (await get('/docs')).text();
    expect([response.status, await response.text()]).toEqual([200, whole]);
  });
});

describe('every HTML answer', () => {
  const paths = ['/', '/nothing', ...LIMITED, ...PROBES];

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
    // The page of requests is at /.
    expect(pages).toBe(PAGES.length + 1);
  });

  test('runs only the script and the style that its policy names by their hashes', async () => {
    const response = await get('/docs');
    const text = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const element of ['script', 'style']) {
      const found = [
        ...text.matchAll(new RegExp(`<${element}\\b([^>]*)>(.*?)</${element}>`, 'gs')),
      ];
      const hashes = found.map(([, attributes, content = '']) => {
        expect(attributes).toBe('');
        return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
      });
      expect(hashes).toHaveLength(1);
      expect(policy).toContain(`${element}-src ${hashes.join(' ')};`);
    }
    expect(text).not.toMatch(/\sstyle=|\son\w+=/i);
  });

  test('names no other file than the document', async () => {
    const text = await (await get('/docs')).text();
    const files = [...text.matchAll(/\s(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !file.startsWith('#')).sort()).toEqual([
      '/openapi.json',
      'data:,',
    ]);
  });
});

test('HEAD of a page has its headers and nothing else', async () => {
  for (const path of ['/docs', '/openapi.json', '/metrics']) {
    const response = await fetch(service.url + path, {method: 'HEAD'});
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 0]);
  }
});
