import type {CDPSession} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {IS_LONG} from '../../long.js';
import {Browser, CHROMIUM, IN_BROWSER} from '../browser.js';
import {openInspector, PARSER, rowsOf, send, swipe} from './inspector-page.js';

const FIRST = 10;
/** In less, a request that is kept shows as well: its grid of bytes alone has 100 KiB. */
const ALL = IS_LONG ? 500 : 40;
const MAX_GROWTH_BYTES = 2 ** 20;

const browser = new Browser();
let demo: LaunchedService;

async function heapBytes(session: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

describe.skipIf(!CHROMIUM)(`requests that were opened and left ${IN_BROWSER}`, () => {
  beforeAll(async () => {
    await browser.start();
    demo = await launch({mode: 'demo', registry: demoRegistry()});
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    await demo.close();
  });

  test('are not kept by the page', {timeout: 400_000}, async () => {
    const page = await openInspector(browser, demo.url);
    for (let i = ALL; i > 0; i--)
      await send(demo.url, {...swipe(), reference: `read-${i}.`}, PARSER);
    const session = await page.context().newCDPSession(page);
    await rowsOf(page).first().filter({hasText: 'read-1.'}).click();
    let before = 0;
    for (let i = 1; i <= ALL; i++) {
      await page.locator('article').getByText(`read-${i}.`).first().waitFor();
      await page.locator('article').getByRole('grid', {name: 'Bytes'}).waitFor();
      if (i === FIRST) before = await heapBytes(session);
      if (i === ALL) break;
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    const growth = (await heapBytes(session)) - before;
    expect(before).toBeGreaterThan(MAX_GROWTH_BYTES);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
