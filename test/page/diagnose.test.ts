import type {Page} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {diagnoseJson} from '../diagnosis/diagnosing.js';
import {Draw} from '../diagnosis/draw.js';
import {KINDS} from '../diagnosis/usual-mistakes.js';
import {tenthOf} from '../long.js';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {paste} from './paste.js';

const COUNT = 45;
/** One case of every kind of mistake, and further ones of the first kinds. */
const CASES = Array.from({length: COUNT}, (_, i) => {
  const kind = KINDS[i % KINDS.length] as (typeof KINDS)[number];
  const {given} = kind.make(new Draw(`page ${i}`));
  return [`${i + 1}: ${kind.name}`, given] as const;
});

const browser = new Browser();
let page: Page;

describe.skipIf(!CHROMIUM)(`diagnose ${IN_BROWSER}`, {timeout: 120_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });

  it.each(tenthOf(CASES, ([name]) => name))(
    'leads with the cause that Node has: %s',
    async (_, given) => {
      const {solved, verdicts} = await diagnoseJson(given, {budgetMs: 60_000});
      await paste(page, JSON.stringify(given));
      await page.getByRole('button', {name: 'Diagnose'}).click();
      await page.getByText(/trials in/).waitFor({timeout: 60_000});
      const lead = await page.getByRole('status').locator('.lead').textContent();
      const shown = await page.getByRole('status').textContent();
      const ranked = verdicts.filter(({rank}) => rank !== 'background');
      const usual = solved ? 'Decrypted' : 'Not decrypted: no key and settings combination worked';
      expect([lead, shown?.includes('Not decrypted')]).toEqual([ranked[0]?.text ?? usual, !solved]);
      for (const {label, text} of ranked) {
        expect(shown).toContain(text);
        expect(shown).not.toContain(label);
      }
    },
  );
});
