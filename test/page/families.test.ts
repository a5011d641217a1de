import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {FURTHER_TYPES, TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import {writerOf} from '../../src/engine/families/terminal.js';
import {decrypt, PaylensError, simulate} from '../../src/index.js';
import {tenthOf} from '../long.js';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';

const CARD = 'amex';

const browser = new Browser();
let page: Page;

const button = (name: string) => page.getByRole('button', {name});
const choice = (name: string) => page.getByRole('combobox', {name, exact: true});
const valuesOf = async (name: string) => {
  if ((await choice(name).count()) === 0) return [];
  return choice(name)
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
};

/** What the page saves of the payload that it shows, card numbers and all. */
async function saved(): Promise<{readonly card?: unknown; readonly explanation?: unknown}> {
  const download = page.waitForEvent('download');
  await button('Save JSON').click();
  return JSON.parse(readFileSync(await (await download).path(), 'utf8'));
}

/** What the library makes with the same settings, or why it does not. */
async function made(deviceType: TerminalType, mode: string, form: string | undefined) {
  const settings = {deviceType, mode: mode as 'swiped', card: CARD, testKeys: true};
  const options = form === undefined ? {} : {options: {form}};
  return simulate({...settings, ...options}).catch((error: PaylensError) => error);
}

/** The first mode that a form goes with; some need a KSN of their own. */
async function modeFor(type: TerminalType, form: string, modes: readonly string[]) {
  for (const mode of modes)
    if (!((await made(type, mode, form)) instanceof PaylensError)) return mode;
  return modes[0] ?? '';
}

/** Generates a payload by the form, and compares it and its answer with those of the library. */
async function expectSameAsLibrary(
  deviceType: TerminalType,
  mode: string,
  form: string | undefined,
): Promise<void> {
  await choice('Mode').selectOption(mode);
  if (form !== undefined) await choice('Option form').selectOption(form);
  await button('Generate').click();
  const request = await made(deviceType, mode, form);
  if (request instanceof PaylensError) {
    // The page makes a sentence of it.
    const detail = request.detail.toLowerCase();
    const shown = async () => (await page.getByRole('alert').innerText()).toLowerCase();
    await expect.poll(shown).toContain(detail);
    return;
  }
  const field = page.getByRole('textbox', {name: 'Payload'});
  const blank = /\s/g;
  await expect
    .poll(async () => (await field.inputValue()).replaceAll(blank, ''))
    .toBe(request.devicePayload.replaceAll(blank, ''));
  await page.getByRole('region', {name: 'Card'}).waitFor();
  const {explanation, ...answer} = decrypt(request.devicePayload, {
    ...{deviceType, ksn: request.ksn, iv: request.iv},
    ...{testKeys: true, explain: true},
  });
  const {card, explanation: told} = await saved();
  expect([form, card, told]).toEqual([form, ...JSON.parse(JSON.stringify([answer, explanation]))]);
}

describe.skipIf(!CHROMIUM)(`what the form makes ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  it.each(['generic' as const, ...FURTHER_TYPES])(
    'of %s in its modes and forms is what the library makes and decrypts',
    async (type) => {
      await button('Simulate').click();
      await page.locator('summary').click();
      await page.getByRole('switch').click();
      await choice('Terminal').selectOption(type);
      const {modes} = await writerOf(TERMINALS[type]);
      await expect.poll(() => valuesOf('Mode')).toEqual([...modes]);
      await choice('Test card').selectOption(CARD);
      const [first, ...further] = await valuesOf('Option form');
      for (const mode of tenthOf(modes, (name) => `${type} ${name}`))
        await expectSameAsLibrary(type, mode, first);
      for (const form of tenthOf(further, (name) => `${type} ${name}`))
        await expectSameAsLibrary(type, await modeFor(type, form, modes), form);
    },
  );
});
