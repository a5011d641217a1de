import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {drop} from './paste.js';

const browser = new Browser();
let page: Page;

/** What one frame did in the grid. */
interface Work {
  readonly rows: number;
  readonly made: number;
  readonly mutations: number;
}

/** Scrolls a step a frame, and counts in each what changes in the document. */
function scrolled(step: number, frames: number): Promise<{works: Work[]; nodes: number}> {
  return page.evaluate(
    async ([by, count]) => {
      const box = document.querySelector('.bytes .scroll') as HTMLElement;
      const grid = box.querySelector('[role=grid]') as HTMLElement;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let records: MutationRecord[] = [];
      const watcher = new MutationObserver((seen) => records.push(...seen));
      watcher.observe(grid, {
        ...{attributes: true, characterData: true, childList: true, subtree: true},
      });
      const rowOf = (node: Node): Element | null | undefined =>
        (node instanceof Element ? node : node.parentElement)?.closest('.row');
      const works = [];
      let nodes = 0;
      for (let i = 0; i < count; i++) {
        box.scrollTop = (box.scrollTop + by) % (box.scrollHeight - box.clientHeight);
        await frame();
        await frame();
        records.push(...watcher.takeRecords());
        const made = records.flatMap(({addedNodes}) => [...addedNodes]);
        // A row that is filled while it is out of the document is seen when it comes back.
        const rows = new Set([...records.map(({target}) => target), ...made].map(rowOf));
        rows.delete(undefined);
        rows.delete(null);
        works.push({rows: rows.size, made: made.length, mutations: records.length});
        records = [];
        nodes = Math.max(nodes, grid.querySelectorAll('*').length);
      }
      watcher.disconnect();
      return {works, nodes};
    },
    [step, frames] as const,
  );
}

const most = (works: readonly Work[], of: keyof Work) => Math.max(...works.map((one) => one[of]));

describe.skipIf(!CHROMIUM)(`scrolling 64 KiB ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());

  async function shown(): Promise<number> {
    page = await browser.open();
    await drop(
      page,
      'big.bin',
      Uint8Array.from({length: 65_536}, (_, i) => (i * 7919 + (i >> 3)) & 0xff),
    );
    await page.locator('[role=grid][aria-rowcount="4096"]').waitFor();
    await page.waitForTimeout(400);
    return page.evaluate(() =>
      Math.ceil((document.querySelector('.bytes .scroll') as HTMLElement).clientHeight / 20),
    );
  }

  it('fills few rows more than are seen, whatever the distance', async () => {
    const visible = await shown();
    for (const step of [60, 560, 9000]) {
      const {works} = await scrolled(step, 8);
      // Those that are seen, six beyond them in each of two frames, and one that keeps the tab stop.
      expect(most(works, 'rows')).toBeLessThanOrEqual(visible + 1 + 2 * 6 + 1);
      // A cell: its letters, place and name; classes, tab stop and selection only where they change.
      expect(most(works, 'mutations')).toBeLessThanOrEqual((visible + 14) * (16 * 4 + 5));
    }
  });

  it('fills three rows when three come into sight', async () => {
    await shown();
    await scrolled(60, 3);
    const {works} = await scrolled(60, 8);
    expect(most(works, 'rows')).toBeLessThanOrEqual(3 + 2);
  });

  it('makes no new elements once it has rows enough', async () => {
    const visible = await shown();
    await scrolled(9000, 5);
    const {works, nodes} = await scrolled(9000, 8);
    const elementsOfRow = 1 + 16 + 2;
    expect(nodes).toBeLessThanOrEqual((visible + 2 + 2 * 16 + 1) * 2 * elementsOfRow);
    const made = works.reduce((sum, one) => sum + one.made, 0);
    expect(made).toBeLessThanOrEqual(visible + 2 * 16);
  });

  it('keeps the row with the tab stop, and tells the order of the rows', async () => {
    await shown();
    const cell = page.locator('[data-i="0"]').first();
    await cell.focus();
    await scrolled(9000, 3);
    expect(await cell.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.waitForTimeout(600);
    const order = await page.evaluate(() => {
      const grid = document.querySelector('[role=grid]') as HTMLElement;
      const named = grid.getAttribute('aria-owns')?.split(' ') ?? [];
      const rows =
        named.length > 0 ? named.map((id) => document.getElementById(id)) : [...grid.children];
      return rows.map((row) => Number(row?.getAttribute('aria-rowindex')));
    });
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order.length).toBe(await page.locator('.row').count());
  });
});
