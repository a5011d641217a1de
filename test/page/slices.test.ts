import type {Page} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {tenthOf} from '../long.js';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {largePayloads} from './large-payloads.js';

const browser = new Browser();
let page: Page;
let payloads: ReadonlyMap<string, string>;

const KINDS = [
  'TLV of wisepad',
  'TLV of miura',
  'frame log of idtech',
  'random hex',
  'JSON of a till',
  'XML of nexo',
  'HTML',
  'digits',
  'base64',
  'any characters',
];

/** What was put into the document at once: rows of the grid, and of the tree. */
interface Slice {
  readonly rows: number;
  readonly items: number;
}

/** Counts from now on what each slice adds, and keeps what the worker is asked for. */
async function watched(): Promise<void> {
  await page.addInitScript(() => {
    const seen = globalThis as unknown as {slices: Slice[]; asked: number[]};
    seen.slices = [];
    seen.asked = [];
    const count = (nodes: Node[], selector: string) =>
      new Set(
        nodes.flatMap((node) => {
          if (!(node instanceof Element)) return [];
          return [...(node.matches(selector) ? [node] : []), ...node.querySelectorAll(selector)];
        }),
      ).size;
    new MutationObserver((records) => {
      const added = records.flatMap(({addedNodes}) => [...addedNodes]);
      const slice = {rows: count(added, '.row'), items: count(added, '[role=treeitem]')};
      if (slice.rows + slice.items > 0) seen.slices.push(slice);
    }).observe(document, {childList: true, subtree: true});
    const {postMessage} = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, order: {asked: {text: string}}) {
      seen.asked.push(order.asked.text.length);
      return postMessage.call(this, order);
    };
  });
}

function seen<T>(name: 'slices' | 'asked'): Promise<T[]> {
  return page.evaluate((key) => (globalThis as unknown as Record<string, T[]>)[key] ?? [], name);
}

async function pasted(text: string): Promise<void> {
  // Chromium takes seconds to fill in thousands of lines key by key.
  await page.getByRole('textbox', {name: 'Payload'}).evaluate((field, value) => {
    (field as HTMLTextAreaElement).value = value;
    field.dispatchEvent(new InputEvent('input', {bubbles: true}));
  }, text);
  await page.getByRole('treeitem').first().waitFor();
  await page.waitForTimeout(300);
}

const visible = () =>
  page.evaluate(() => {
    const rowsIn = (selector: string, height: number) =>
      Math.ceil((document.querySelector(selector) as HTMLElement).clientHeight / height);
    return {rows: rowsIn('.bytes .scroll', 20), items: rowsIn('.fields .scroll', 24)};
  });

describe.skipIf(!CHROMIUM)(`a payload of 64 KiB ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(async () => {
    payloads = await largePayloads();
    await browser.start();
    page = await browser.open();
    await watched();
  }, 60_000);
  afterAll(() => browser.stop());
  beforeEach(() => browser.open());

  it.each(tenthOf(KINDS, (name) => name))(
    'is read by the worker, and drawn a pane at a time: %s',
    async (name) => {
      const text = payloads.get(name) ?? '';
      await pasted(text);
      expect(await seen('asked')).toEqual([text.length]);
      const slices = await seen<Slice>('slices');
      const most = await visible();
      for (const {rows, items} of slices) {
        expect(Math.min(rows, items)).toBe(0);
        expect(rows).toBeLessThanOrEqual(most.rows + 1);
        expect(items).toBeLessThanOrEqual(most.items + 60);
      }
    },
  );

  it('is read by the worker where the text alone is long', async () => {
    const text = payloads.get('JSON of a request') ?? '';
    await pasted(text);
    expect(await seen('asked')).toEqual([text.length]);
  });

  it('leaves what is short to the page', async () => {
    await pasted('02'.repeat(200));
    expect(await seen('asked')).toEqual([]);
  });

  it('compares two of them off the page', async () => {
    const text = payloads.get('TLV of wisepad') ?? '';
    await pasted(text);
    await page.getByRole('button', {name: 'Compare'}).click();
    await page.getByRole('textbox', {name: 'Second read'}).fill(text);
    await page.getByText(/\d the same, 0 changed/).waitFor();
    expect(await seen('asked')).toEqual([text.length, text.length]);
  });

  it('shows the one before until it is read, and forgets it at once', async () => {
    await pasted('02'.repeat(200));
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => undefined;
    });
    const hex = payloads.get('random hex') ?? '';
    await page.getByRole('textbox', {name: 'Payload'}).fill(hex);
    await page.locator('main[aria-busy=true]').waitFor();
    expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe('13');
    await page.getByRole('button', {name: 'Forget'}).click();
    expect(await page.locator('[role=grid]').count()).toBe(0);
    expect(await page.locator('main[aria-busy=true]').count()).toBe(0);
  });

  it('is read by the page where the worker dies', async () => {
    await page.evaluate(() => {
      Worker.prototype.postMessage = function (this: Worker) {
        setTimeout(() => this.dispatchEvent(new Event('error', {cancelable: true})));
      };
    });
    await pasted(payloads.get('random hex') ?? '');
    expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe('2048');
  });
});
