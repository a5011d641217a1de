import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {Browser, CHROMIUM} from '../browser.js';
import {choose, press, tabTo, type} from '../keyboard.js';
import {openInspector, rowsOf, sendSigned} from './inspector-page.js';

const browser = new Browser();
let demo: LaunchedService;
let page: Page;

const button = (name: string) => page.getByRole('button', {name, exact: true});
const combobox = (name: string) => page.getByRole('combobox', {name});
const entry = () => page.locator('.list [data-entry]');
const focused = () => page.evaluate('document.activeElement?.textContent');

async function open(): Promise<void> {
  await tabTo(page, entry());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'Headers'}).waitFor();
}

describe.skipIf(!CHROMIUM)(
  'the page of requests by the keyboard alone',
  {
    timeout: 60_000,
  },
  () => {
    beforeAll(() => browser.start());
    afterAll(() => browser.stop());
    beforeEach(async () => {
      demo = await launch({mode: 'demo', registry: demoRegistry()});
      page = await openInspector(browser, demo.url);
      await sendSigned(demo.url, '{"reference":"one"}', 'x');
      await expect.poll(() => rowsOf(page).count()).toBe(1);
    });
    afterEach(async () => {
      await demo.close();
      expect(browser.faults.splice(0)).toEqual([]);
    });

    test('filters, saves and pauses', async () => {
      await type(page, page.getByRole('searchbox', {name: 'Search requests'}), 'nothing');
      await page.getByText('No request matches').waitFor();
      await press(page, button('Reset filter'));
      await expect.poll(() => rowsOf(page).count()).toBe(1);
      const download = page.waitForEvent('download');
      await choose(page, combobox('Save as'), 'J');
      expect((await download).suggestedFilename()).toBe('requests.jsonl');
      await press(page, button('Pause'));
      await expect.poll(() => button('Pause').getAttribute('aria-pressed')).toBe('true');
      await press(page, button('Pause'), 'Space');
      await expect.poll(() => button('Pause').getAttribute('aria-pressed')).toBe('false');
    });

    test('clears the list, and brings it back', async () => {
      await press(page, button('Clear'));
      await expect.poll(focused).toBe('Undo');
      await expect.poll(() => rowsOf(page).count()).toBe(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => rowsOf(page).count()).toBe(1);
      await expect
        .poll(() => entry().evaluate((one) => one === one.ownerDocument.activeElement))
        .toBe(true);
    });

    test('sends a request again, as it was and edited, and copies it', async () => {
      await open();
      await press(page, button('Replay'));
      await page.getByText('Sent again: 401.').waitFor();
      await choose(page, combobox('Copy as'), 'curl');
      await page.getByText('Copied.').waitFor();
      await press(page, button('Edit and sign'));
      await type(page, page.getByRole('textbox', {name: 'Body'}), '{"reference":"after"}');
      await press(page, button('Sign and send'));
      await page.getByText('Sent: 200.').waitFor();
      await page.keyboard.press('Escape');
      await expect
        .poll(() => entry().evaluate((one) => one === one.ownerDocument.activeElement))
        .toBe(true);
    });

    test('queues answers, and removes them', async () => {
      await press(page, button('Queue an answer'));
      await choose(page, combobox('Kind'), 'er');
      await type(page, page.getByRole('textbox', {name: 'Value'}), '2601');
      await press(page, button('Add to the queue'));
      const chip = page.getByRole('button', {name: 'Remove error:2601'});
      await chip.waitFor();
      await press(page, chip, 'Delete');
      await expect.poll(() => chip.count()).toBe(0);
    });

    test('comes back to the list of a narrow window', async () => {
      await page.setViewportSize({width: 390, height: 800});
      await open();
      await press(page, button('Back to requests'));
      await expect.poll(() => rowsOf(page).first().isVisible()).toBe(true);
    });
  },
);
