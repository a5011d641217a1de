import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {choose, press, tabTo, type} from './keyboard.js';
import {payloadOf} from './large-payloads.js';

const sample = (name: string) =>
  readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
const SWIPE: string = JSON.parse(sample('idtech-swipe.json')).devicePayload;
/** ANSI X9.24-1:2009, Annex A. */
const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';
const MASKED = '426684******9999';

const browser = new Browser();
let page: Page;

const button = (name: string) => page.getByRole('button', {name, exact: true});
const textbox = (name: string) => page.getByRole('textbox', {name});
const terminal = () => page.getByRole('combobox', {name: 'Terminal'});
const testKeys = () => page.getByRole('checkbox', {name: 'Published test keys'});
const field = (name: RegExp) => page.getByRole('treeitem', {name}).first();
const stop = (of: 'grid' | 'tree') =>
  page.locator(`[role=${of}][aria-label=${of === 'grid' ? 'Bytes' : 'Fields'}] [tabindex="0"]`);
const card = async () => (await page.getByRole('region', {name: 'Card'}).allTextContents()).join();
const focused = () =>
  page.evaluate(() => {
    const {activeElement: one} = document;
    return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
  });

/** Types a payload, and waits until it was read. */
async function give(text: string): Promise<void> {
  await type(page, textbox('Payload'), text);
  await page.getByRole('grid', {name: 'Bytes'}).waitFor();
}

/** Goes down the tree to a field. */
async function goToField(name: RegExp): Promise<void> {
  await tabTo(page, stop('tree'));
  await page.keyboard.press('Home');
  for (let i = 0; i < 60 && !name.test(await focused()); i++) {
    await page.keyboard.press('ArrowDown');
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  expect(await focused()).toMatch(name);
}

describe.skipIf(!CHROMIUM)(
  `the explorer by the keyboard alone ${IN_BROWSER}`,
  {
    timeout: 60_000,
  },
  () => {
    beforeAll(() => browser.start(), 60_000);
    afterAll(() => browser.stop());
    beforeEach(async () => {
      page = await browser.open();
    });
    afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

    it('opens a sample', async () => {
      await press(page, button('idtech-swipe'));
      await expect.poll(card).toContain(MASKED);
    });

    it('decrypts under a typed key, shows the numbers, and forgets all', async () => {
      await press(page, testKeys(), 'Space');
      expect(await testKeys().isChecked()).toBe(false);
      await choose(page, terminal(), 'idt');
      expect(await terminal().inputValue()).toBe('idtech');
      await give(SWIPE);
      await type(page, textbox('Key'), TEST_BDK);
      await press(page, button('Decrypt'));
      await expect.poll(card).toContain(MASKED);
      const numbers = page.getByRole('switch', {name: 'Show card numbers'});
      await press(page, numbers, 'Space');
      await expect.poll(card).toContain('4266841088889999');
      await press(page, button('Forget'));
      await expect.poll(() => textbox('Key').inputValue()).toBe('');
      await expect.poll(() => numbers.getAttribute('aria-checked')).toBe('false');
      // The button is done with, and so the focus goes to where the next payload is put.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.tagName))
        .toBe('TEXTAREA');
    });

    it('goes through bytes and fields, to an offset, and to the keys of a field', async () => {
      await give(SWIPE);
      await tabTo(page, stop('grid'));
      await page.keyboard.press('g');
      await type(page, textbox('Go to offset'), '0xBD');
      await page.keyboard.press('Enter');
      await expect.poll(focused).toContain('offset 189,');
      await page.keyboard.press('g');
      await press(page, textbox('Go to offset'), 'Escape');
      await expect.poll(focused).toContain('offset 189,');
      await goToField(/^track 1 encrypted/);
      await page.keyboard.press('ArrowLeft');
      await expect
        .poll(() => field(/^track 1 encrypted/).getAttribute('aria-expanded'))
        .toBe('false');
      await press(page, button('Show key bytes'));
      await expect.poll(() => page.locator('.strip').textContent()).toContain(TEST_BDK);
      await press(page, button('Details'));
      await expect.poll(() => button('Show key bytes').count()).toBe(0);
    });

    it('comes to every bit of a bit field', async () => {
      await give(await payloadOf('idtech', 'emv'));
      await goToField(/^95 terminal/);
      // A list that is longer than its place is scrolled by the arrow keys.
      const bits = page.getByRole('group', {name: 'Value'});
      await tabTo(page, bits);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => bits.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
      await goToField(/^95 terminal/);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toMatch(/^byte 1 bit 8/);
    });

    it('diagnoses, cancels, and applies what was found', async () => {
      await press(page, testKeys(), 'Space');
      await give(SWIPE);
      await type(page, textbox('Key'), `${TEST_BDK.slice(0, -2)}01`);
      await press(page, button('Diagnose'));
      await page.getByText(/trials in/).waitFor();
      await press(page, page.locator('summary').first());
      expect(await page.locator('details').first().getAttribute('open')).not.toBeNull();
      await press(page, button('Apply'));
      await expect.poll(card).toContain(MASKED);
      await page.evaluate(() => {
        class Silent extends EventTarget {
          postMessage(): void {}
          terminate(): void {}
        }
        Object.assign(globalThis, {Worker: Silent});
      });
      await press(page, button('Diagnose'));
      await press(page, button('Cancel'));
      await page.getByText('Nothing was changed').waitFor();
      await expect.poll(focused).toBe('Diagnose');
    });

    it('compares two reads', async () => {
      await give(SWIPE);
      await press(page, button('Compare'));
      await type(page, textbox('Second read'), `${SWIPE.slice(0, -30)}FF${SWIPE.slice(-28)}`);
      await page.getByText(/\d+ the same, \d+ changed/).waitFor();
      await press(page, page.locator('summary').first());
      await press(page, page.getByRole('tab', {name: 'Fields'}).first());
      await goToField(/^track 2 masked/);
      await press(page, button('Explorer'));
      await expect.poll(() => textbox('Second read').count()).toBe(0);
    });

    it('simulates', async () => {
      await press(page, button('Simulate'));
      await choose(page, page.getByRole('combobox', {name: 'Test card'}), 'ame');
      await press(page, page.locator('summary').first());
      await choose(page, page.getByRole('combobox', {name: 'Option form'}), 'k');
      await type(page, textbox('Option mask'), '6/4');
      await press(page, button('Generate'));
      await expect.poll(card).toContain('378282*****0005');
    });

    it('takes a payload out of the page', async () => {
      await give(SWIPE);
      await press(page, button('Copy link'));
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('#p=');
      await press(page, button('Copy command'));
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toContain('paylens decrypt');
      const download = page.waitForEvent('download');
      await press(page, button('Save JSON'));
      expect((await download).suggestedFilename()).toBe('payload.json');
      await tabTo(page, button('Print'));
    });

    it('changes between the panes of a narrow window', async () => {
      page = await browser.open({width: 390});
      await give(SWIPE);
      await press(page, page.getByRole('tab', {name: 'Fields'}));
      await goToField(/^track 2 masked/);
      await page.keyboard.press('Enter');
      await expect.poll(focused).toContain('offset 82,');
    });
  },
);
