import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';
import {largePayloads, payloadOf} from './large-payloads.js';
import {paste} from './paste.js';

/** The keys of ANSI X9.24-1, annex A: base key, initial key, and that of KSN FFFF9876543210E00001. */
const KEYS = [
  '0123456789ABCDEFFEDCBA9876543210',
  '6AC292FAA1315B4D858AB3A3D7D5933A',
  '042666B49184CFA368DE9628D0397BC9',
];
const [BDK = ''] = KEYS;

const browser = new Browser();
let page: Page;

const box = (name: string) => page.getByRole('textbox', {name});
const button = (name: string) => page.getByRole('button', {name});

/** Presses Forget; what is in the fields when the next frame is drawn. */
function forgotten(): Promise<string[]> {
  return page.evaluate(() => {
    const forget = [...document.querySelectorAll('button')].find(
      ({textContent}) => textContent === 'Forget',
    );
    forget?.click();
    return new Promise<string[]>((resolve) =>
      requestAnimationFrame(() => {
        const fields = document.querySelectorAll<HTMLInputElement>('textarea, input[type=text]');
        resolve([...fields].map(({value}) => value).filter((value) => value !== ''));
      }),
    );
  });
}

/** Has every array of bytes that the page makes from now on remembered, as long as the page has it. */
function remember(): void {
  const made: WeakRef<Uint8Array>[] = [];
  const Watched = new Proxy(Uint8Array, {
    construct(target, given, by) {
      const bytes = Reflect.construct(target, given, by === Watched ? target : by) as Uint8Array;
      made.push(new WeakRef(bytes));
      return bytes;
    },
  });
  // Copies are made by the constructor that the prototype names.
  Object.defineProperty(Uint8Array.prototype, 'constructor', {value: Watched});
  Object.assign(globalThis, {Uint8Array: Watched, made});
}

/** Which keys the arrays of bytes have that the page can still reach. */
async function reachable(): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  return page.evaluate((keys) => {
    const {made} = globalThis as unknown as {made: WeakRef<Uint8Array>[]};
    const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0');
    const texts = made.map((one) => Array.from(one.deref() ?? [], hex).join(''));
    return keys.filter((key) => texts.includes(key));
  }, KEYS);
}

async function opened(text: string): Promise<void> {
  await page.evaluate(remember);
  await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
  await box('Key').fill(BDK);
  await paste(page, text);
  await button('Decrypt').click();
  await page.getByRole('region', {name: 'Card'}).waitFor();
}

describe.skipIf(!CHROMIUM)(`Forget ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  it('clears the payload and the key before the next frame', async () => {
    await opened(await payloadOf('idtech', 'swiped'));
    expect(await forgotten()).toEqual([]);
  });

  it('clears a payload that was typed and is not read yet', async () => {
    await box('Payload').fill('0298018');
    await box('Key').fill(BDK);
    expect(await forgotten()).toEqual([]);
    expect(await box('Payload').inputValue()).toBe('');
  });

  it.each(['Compare', 'Simulate'])('clears every field of %s', async (view) => {
    await opened(await payloadOf('idtech', 'swiped'));
    await button(view).click();
    const names = view === 'Compare' ? ['Second read'] : ['Serial number', 'Option zip'];
    if (view === 'Simulate') await page.locator('summary').click();
    for (const name of names) await box(name).fill('12345');
    expect(await forgotten()).toEqual([]);
  });

  it('leaves nothing to undo', async () => {
    await opened(await payloadOf('idtech', 'swiped'));
    await forgotten();
    for (const name of ['Payload', 'Key']) {
      await box(name).focus();
      await page.keyboard.press('Control+Z');
      expect(await box(name).inputValue()).toBe('');
    }
  });

  it.each(['read by the page', 'read by the worker'])(
    'wipes the keys of a payload %s',
    async (by) => {
      const isShort = by === 'read by the page';
      const long = (await largePayloads()).get('JSON of a request') ?? '';
      await opened(isShort ? await payloadOf('idtech', 'swiped') : long);
      expect(await reachable()).toEqual(KEYS);
      await button('Forget').click();
      await page.getByText('Keys and card data deleted').waitFor();
      expect(await reachable()).toEqual([]);
    },
  );

  it('wipes the keys of a payload that was compared', async () => {
    const text = await payloadOf('idtech', 'swiped');
    await opened(text);
    await button('Compare').click();
    await box('Second read').fill(text);
    await page.getByText(/the same, 0 changed/).waitFor();
    await button('Forget').click();
    await page.getByText('Keys and card data deleted').waitFor();
    expect(await reachable()).toEqual([]);
  });
});
