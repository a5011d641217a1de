import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {FURTHER_TYPES} from '../../../src/engine/families/registry.js';
import {simulate} from '../../../src/index.js';
import {startServer} from '../../../src/server.js';
import {HAS_BROWSER, openPage, PARSER, rowsOf, send, startBrowser} from './inspector-page.js';

const TYPES = ['idtech' as const, ...FURTHER_TYPES];

describe.skipIf(!HAS_BROWSER)('requests of serve --extended', {timeout: 60_000}, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test('are filtered by each further family', async () => {
    const server = await startServer({mode: 'demo', extended: true});
    const {page, faults} = await openPage(browser, server.url);
    for (const deviceType of TYPES) {
      const request = await simulate({deviceType, card: 'amex', testKeys: true});
      const status = await send(server.url, {...request, reference: `read ${deviceType}`}, PARSER);
      expect([deviceType, status]).toEqual([deviceType, 200]);
    }
    await expect.poll(() => rowsOf(page).count()).toBe(TYPES.length);
    for (const type of TYPES) {
      await page.getByRole('searchbox').fill(`device:${type} 200`);
      await expect
        .poll(() => rowsOf(page).allInnerTexts())
        .toEqual([expect.stringContaining(`read ${type}`)]);
    }
    await page.getByRole('searchbox').fill('device:nobody');
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    await page.context().close();
    await server.close();
    expect(faults).toEqual([]);
  });
});
