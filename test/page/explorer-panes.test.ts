import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {LABELS} from '../../src/diagnosis/labels.js';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {payloadOf} from './large-payloads.js';
import {drop, paste} from './paste.js';

const sample = (name: string) =>
  readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
const SWIPE: {devicePayload: string} = JSON.parse(sample('idtech-swipe.json'));
/** ANSI X9.24-1:2009, Annex A. */
const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';

const browser = new Browser();
let page: Page;

const tree = () => page.getByRole('tree', {name: 'Fields'});
const field = (name: RegExp) => tree().getByRole('treeitem', {name}).first();
const cell = (offset: number) => page.locator(`[data-i="${offset}"]`).first();
const focused = () =>
  page.evaluate(() => {
    const {activeElement: one} = document;
    return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
  });

const give = (given: string) => paste(page, given);

describe.skipIf(!CHROMIUM)(`the panes ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  it('F6 and Shift+F6 go from region to region', async () => {
    await give(SWIPE.devicePayload);
    await cell(189).click();
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('F6');
      seen.push(
        await page.evaluate(
          () =>
            document.activeElement
              ?.closest('.top, .inputs, .pane, .strip')
              ?.className.split(' ')[0] + ` ${document.activeElement?.getAttribute('role') ?? ''}`,
        ),
      );
    }
    expect(seen.map((one) => one.trim())).toEqual([
      'pane treeitem',
      'strip',
      'top',
      'inputs',
      'pane gridcell',
      'pane treeitem',
    ]);
    await page.keyboard.press('Shift+F6');
    expect(await focused()).toContain('offset 189');
  });

  it('g goes to an offset', async () => {
    await give(SWIPE.devicePayload);
    await cell(5).click();
    for (const [typed, offset] of [
      ['189', 189],
      ['0xBD', 189],
      ['bdh', 189],
      ['0', 0],
    ] as const) {
      await page.keyboard.press('g');
      await page.getByRole('textbox', {name: 'Go to offset'}).fill(typed);
      await page.keyboard.press('Enter');
      expect([typed, await focused()]).toEqual([
        typed,
        expect.stringContaining(`offset ${offset},`),
      ]);
      expect(await page.getByRole('textbox', {name: 'Go to offset'}).count()).toBe(0);
      await page.keyboard.press('ArrowRight');
    }
  });

  it('g refuses an offset beyond the end, and Escape goes back', async () => {
    await give(SWIPE.devicePayload);
    await cell(5).click();
    await page.keyboard.press('g');
    const asked = page.getByRole('textbox', {name: 'Go to offset'});
    await asked.fill('414');
    await asked.press('Enter');
    expect(await asked.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#goto-range').textContent()).toBe('0 to 413');
    await asked.press('Escape');
    expect(await focused()).toContain('offset 5,');
  });

  it('shows key bytes when asked for, and hides them with the next field', async () => {
    await give(SWIPE.devicePayload);
    await field(/^track 2 encrypted/).click();
    const html = () => page.evaluate(() => document.body.innerText);
    expect(await html()).not.toContain(TEST_BDK);
    await page.getByRole('button', {name: 'Show key bytes'}).click();
    expect(await html()).toContain(TEST_BDK);
    await field(/^track 1 encrypted/).click();
    expect(await html()).not.toContain(TEST_BDK);
  });

  it('has every bit of a bit field in the strip', async () => {
    await give(await payloadOf('idtech', 'emv'));
    await field(/^95 terminal/).click();
    const bits = page.getByRole('list', {name: 'Bits'}).getByRole('listitem');
    const texts = await bits.allTextContents();
    // EMV Book 3, Annex C5: 5 bytes; byte 4 bit 8 is the floor limit.
    expect(texts.some((one) => /byte 4 bit 8.*1.*exceeds the floor limit/.test(one))).toBe(true);
    expect(texts.some((one) => / 0 /.test(one))).toBe(true);
  });

  it('has the strip in a third column from 1600 px', async () => {
    const place = async (width: number) => {
      page = await browser.open({width, height: 900});
      await give(SWIPE.devicePayload);
      await cell(189).click();
      const strip = await page.locator('.strip').boundingBox();
      const fields = await page.locator('.pane.fields').boundingBox();
      return {strip, fields};
    };
    const wide = await place(1600);
    expect(wide.strip?.x).toBeGreaterThanOrEqual(
      (wide.fields?.x ?? 0) + (wide.fields?.width ?? 0) - 1,
    );
    expect(wide.strip?.width).toBeGreaterThanOrEqual(399);
    const usual = await place(1280);
    expect(usual.strip?.y).toBeGreaterThanOrEqual(
      (usual.fields?.y ?? 0) + (usual.fields?.height ?? 0) - 1,
    );
  });

  it('outlines the field under the pointer in both panes', async () => {
    await give(SWIPE.devicePayload);
    await cell(3).hover();
    expect(await field(/^card encode type/).getAttribute('class')).toContain('hover');
    await field(/^track 2 encrypted/).hover();
    expect(await cell(190).getAttribute('class')).toContain('hover');
    expect(await cell(3).getAttribute('class')).not.toContain('hover');
  });

  it('selects a byte by its letter', async () => {
    await give(SWIPE.devicePayload);
    const letters = page.locator('.row .text').nth(1);
    const box = await letters.boundingBox();
    await letters.click({position: {x: ((box?.width ?? 0) * 3.5) / 16, y: 8}});
    expect(await focused()).toContain('offset 19,');
  });

  it('shows all of a second read that was printed over several lines', async () => {
    await give(JSON.stringify({deviceType: 'generic', devicePayload: 'AA'}));
    await page.getByRole('button', {name: 'Compare'}).click();
    const second = page.getByRole('textbox', {name: 'Second read'});
    const request = {deviceType: 'idtech', devicePayload: '02C1'};
    await second.fill(JSON.stringify(request, null, 2));
    expect(await second.inputValue()).not.toContain('\n');
    expect(JSON.parse(await second.inputValue())).toEqual(request);
  });

  it('prints every row', async () => {
    page = await browser.open({height: 500});
    const bytes = Buffer.alloc(4000, 0x41).toString('hex');
    await give(bytes);
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.row').count()).toBeLessThan(100);
    await page.pdf();
    const starts = await page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      return [...document.querySelectorAll('.row')].map((row) => row.getAttribute('aria-rowindex'));
    });
    expect(starts.map(Number)).toEqual(Array.from({length: 250}, (_, i) => i + 1));
    await page.emulateMedia({media: 'print'});
    const heights = await page.evaluate(() => {
      const [first, last] = [
        document.querySelector('.row'),
        [...document.querySelectorAll('.row')].at(-1),
      ];
      return (last?.getBoundingClientRect().top ?? 0) - (first?.getBoundingClientRect().top ?? 0);
    });
    expect(heights).toBeGreaterThanOrEqual(249 * 20);
  });

  it('decrypts a payload under two typed keys', async () => {
    const file = new URL('../samples/magtek.json', import.meta.url);
    const read = JSON.parse(readFileSync(file, 'utf8')).find(
      ({id}: {id: string}) => id === 'synth-magtek-arqc-ff42',
    );
    await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
    await give(JSON.stringify(read.request));
    const key = page.getByRole('textbox', {name: 'Key'});
    await key.fill(read.keys.map(({hex}: {hex: string}) => hex).join(', '));
    await key.press('Enter');
    const card = await page.getByRole('region', {name: 'Card'}).textContent();
    expect(card).toContain(read.expect.response.extracted.PAN.slice(-4));
    expect(card).toContain('2 typed keys');
  });

  it('diagnoses what was typed, also at once', async () => {
    await page.getByRole('textbox', {name: 'Payload'}).fill(sample('idtech-private-key.json'));
    await page.getByRole('button', {name: 'Diagnose'}).click();
    await page.getByText(/trials in/).waitFor({timeout: 40_000});
    expect(await page.getByRole('status').textContent()).toContain(LABELS['no-key'].text);
    expect(await page.getByRole('button', {name: 'Cancel'}).isDisabled()).toBe(true);
  });

  it('says when the worker died, and keeps everything', async () => {
    await page.evaluate(() => {
      class Dying extends EventTarget {
        onerror: ((event: Event) => void) | null = null;
        postMessage(): void {
          setTimeout(() => this.onerror?.(new Event('error', {cancelable: true})));
        }
        terminate(): void {}
      }
      Object.assign(globalThis, {Worker: Dying});
    });
    await give(SWIPE.devicePayload);
    await page.getByRole('button', {name: 'Diagnose'}).click();
    await page.getByText('Diagnosis stopped unexpectedly').waitFor();
    expect(await page.getByRole('textbox', {name: 'Payload'}).inputValue()).toBe(
      SWIPE.devicePayload,
    );
    expect(await page.getByRole('button', {name: 'Cancel'}).isDisabled()).toBe(true);
    expect(await page.getByRole('grid', {name: 'Bytes'}).isVisible()).toBe(true);
  });

  it('shows a dropped HTML file as text', async () => {
    const html = '<!doctype html><img src=x onerror="document.title=1"><script>title=1</script>';
    await drop(page, '<img src=x>.html', Buffer.from(html), 'text/html');
    await page.getByRole('status').getByText('2100').waitFor();
    expect(await page.getByRole('textbox', {name: 'Payload'}).inputValue()).toBe(html);
    expect(await page.title()).toBe('paylens explorer');
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});
