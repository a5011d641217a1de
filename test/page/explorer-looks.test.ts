import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {payloadOf} from './large-payloads.js';
import {faultsOfLooks} from './looks.js';
import {paste} from './paste.js';

const sample = (name: string) =>
  readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
const SWIPE: string = JSON.parse(sample('idtech-swipe.json')).devicePayload;
const PRIVATE = sample('idtech-private-key.json');
/** ANSI X9.24-1:2009, Annex A. */
const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';

const browser = new Browser();
let page: Page;

const button = (name: string) => page.getByRole('button', {name});
const textbox = (name: string) => page.getByRole('textbox', {name});
const field = (name: RegExp) =>
  page.getByRole('tree', {name: 'Fields'}).getByRole('treeitem', {name}).first();
const cell = (offset: number) => page.locator(`[data-i="${offset}"]`).first();

const give = (given: string) => paste(page, given);

async function typeKey(key: string): Promise<void> {
  await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
  await give(SWIPE);
  await textbox('Key').fill(key);
  await button('Decrypt').click();
}

/** Workers that never answer: what is shown meanwhile stays. */
function silenceWorkers(): Promise<void> {
  return page.evaluate(() => {
    class Silent extends EventTarget {
      postMessage(): void {}
      terminate(): void {}
    }
    Object.assign(globalThis, {Worker: Silent});
  });
}

const VIEWS: Readonly<Record<string, () => Promise<void>>> = {
  empty: async () => {},
  encrypted: async () => {
    await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
    await give(SWIPE);
  },
  decrypted: async () => {
    await give(SWIPE);
    await cell(189).click();
  },
  'own key typed': () => typeKey(TEST_BDK),
  'wrong key typed': () => typeKey(TEST_BDK.slice(1)),
  'numbers shown': async () => {
    await give(SWIPE);
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
  },
  'key bytes shown': async () => {
    await give(SWIPE);
    await field(/^track 2 encrypted/).click();
    await button('Show key bytes').click();
  },
  'go-to dialog open': async () => {
    await give(SWIPE);
    await cell(5).click();
    await page.keyboard.press('g');
    await textbox('Go to offset').fill('999');
    await page.keyboard.press('Enter');
    await page.locator('#goto-range.bad').waitFor();
  },
  'bit list open': async () => {
    await give(await payloadOf('idtech', 'emv'));
    await field(/^95 terminal/).click();
    await page.getByRole('list', {name: 'Bits'}).waitFor();
  },
  damaged: async () => {
    await give(SWIPE.replace(/..(?=....$)/, '00'));
    await textbox('Payload').press('Enter');
    await page.getByRole('alert').getByText('2101').waitFor();
    await field(/^LRC/).click();
  },
  cut: () => give(SWIPE.slice(0, 400)),
  reading: async () => {
    await give(SWIPE);
    await silenceWorkers();
    await textbox('Payload').fill(SWIPE.repeat(12));
    await page.getByRole('progressbar', {name: 'Reading'}).waitFor();
  },
  diagnosing: async () => {
    await silenceWorkers();
    await give(PRIVATE);
    await button('Diagnose').click();
    await page.getByRole('status').getByText('Diagnosing').waitFor();
  },
  diagnosed: async () => {
    await give(PRIVATE);
    await button('Diagnose').click();
    await page.getByText(/trials in/).waitFor();
    await page.locator('summary').first().click();
  },
  compared: async () => {
    await give(SWIPE);
    await button('Compare').click();
    await textbox('Second read').fill(PRIVATE);
  },
  simulated: async () => {
    await button('Simulate').click();
    await button('Generate').click();
    await page.getByRole('region', {name: 'Card'}).waitFor();
  },
  'link copied': async () => {
    await give(SWIPE);
    await button('Copy link').click();
  },
  'link refused': async () => {
    await give(PRIVATE);
    await button('Copy link').click();
  },
  forgotten: async () => {
    await give(SWIPE);
    await button('Forget').click();
  },
};

describe.skipIf(!CHROMIUM)(`the explorer looks right ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  it.each(Object.keys(VIEWS))('wide and narrow, light and dark: %s', async (view) => {
    await VIEWS[view]?.();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('wide and narrow, light and dark: the fields of a narrow window', async () => {
    page = await browser.open({width: 390});
    await give(SWIPE);
    await page.getByRole('tab', {name: 'Fields'}).click();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it.each(['decrypted', 'damaged', 'diagnosed'])('printed: %s', async (view) => {
    await VIEWS[view]?.();
    expect(await faultsOfLooks(page, 'print')).toEqual([]);
  });
});
