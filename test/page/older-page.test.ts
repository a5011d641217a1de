import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import {launch} from '../../src/service/launch.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {BIN} from '../cli/run-bin.js';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {payloadOf} from './large-payloads.js';

const BDK = '0123456789ABCDEFFEDCBA9876543210';

interface Running {
  readonly stop: () => Promise<unknown>;
}

const SERVERS: readonly (readonly [string, string, (port: number) => Promise<Running>])[] = [
  [
    'serve --demo',
    '/explore',
    async (port) => {
      const service = await launch({mode: 'demo', registry: demoRegistry(), port});
      return {stop: () => service.close()};
    },
  ],
  [
    'paylens explore',
    '/',
    async (port) => {
      const argv = [BIN, 'explore', '--no-open', '--json', '--port', String(port)];
      const child = spawn(process.execPath, argv);
      await once(child.stdout, 'data');
      const stop = () => {
        const exit = once(child, 'exit');
        child.kill();
        return exit;
      };
      return {stop};
    },
  ],
];

const SERVED = readFileSync(
  new URL('../../dist/page/explorer.html', import.meta.url),
  'utf8',
).replace("connect-src 'none'", "connect-src 'self'");

/** A server of another version: its page has another script. */
async function olderServer(): Promise<Server> {
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(SERVED) ?? [];
  const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
  const other = `${script};document.title='older'`;
  const html = SERVED.replace(sha256(script), sha256(other)).replace(script, () => other);
  const [, policy = ''] = /content-security-policy" content="([^"]*)"/.exec(html) ?? [];
  const server = createServer((request, response) => {
    response.writeHead(200, {'content-type': 'text/html', 'content-security-policy': policy});
    response.end(request.method === 'HEAD' ? undefined : html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const browser = new Browser();
let page: Page;

const line = () => page.getByText('This page is older than its server.');
const box = (name: string) => page.getByRole('textbox', {name});

/** Looks at the page again, and waits until its server has answered, or is found to be away. */
async function lookedAt(): Promise<void> {
  const asked = page.waitForEvent('request', (request) => request.method() === 'HEAD');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await (await asked).response().catch(() => null);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
}

describe.skipIf(!CHROMIUM)(`a page older than its server ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  afterEach(() => page.close());

  it.each(SERVERS)(
    'of %s says so, and is loaded anew without its secrets',
    async (_, path, start) => {
      const older = await olderServer();
      const {port} = older.address() as AddressInfo;
      page = await browser.open();
      await page.goto(`http://127.0.0.1:${port}${path}`);
      expect(await page.title()).toBe('older');
      await box('Payload').fill(await payloadOf('idtech', 'swiped'));
      await box('Key').fill(BDK);
      await page.getByRole('region', {name: 'Card'}).waitFor();
      await lookedAt();
      expect(await line().count()).toBe(0);

      older.closeAllConnections();
      older.close();
      await lookedAt();
      expect(await line().count()).toBe(0);
      expect(await page.getByRole('region', {name: 'Card'}).count()).toBe(1);

      const newer = await start(port);
      await lookedAt();
      await line().waitFor();
      expect(await box('Key').inputValue()).toBe(BDK);
      await page.getByRole('button', {name: 'Reload'}).click();
      await page.waitForFunction(() => document.title === 'paylens explorer');
      await box('Key').waitFor();
      expect(await box('Key').inputValue()).toBe('');
      expect(await box('Payload').inputValue()).toBe('');
      browser.faults.splice(0);
      await lookedAt();
      expect(await line().count()).toBe(0);
      expect(browser.faults).toEqual([]);
      await newer.stop();
    },
  );

  it('asks nobody from a file', async () => {
    page = await browser.open();
    browser.requests.splice(0);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', {bubbles: true})),
    );
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(browser.requests).toEqual([]);
    expect(browser.faults).toEqual([]);
  });
});
