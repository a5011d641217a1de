import type {Page} from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {Browser, CHROMIUM} from '../browser.js';
import {faultsOfLooks} from '../looks.js';
import {openInspector, PARSER, rowsOf, send, sendSigned, swipe} from './inspector-page.js';

const TOKEN = 'T'.repeat(43);
/** The rows, newest first: a signature that was refused, an error, a card. */
const [REFUSED, , CARD] = [0, 1, 2] as const;

const browser = new Browser();
let demo: LaunchedService;
let page: Page;

const button = (name: string) => page.getByRole('button', {name, exact: true});
const combobox = (name: string) => page.getByRole('combobox', {name});

async function fill(url: string): Promise<void> {
  await send(url, {...swipe(), reference: 'a-long-reference-'.repeat(6)}, PARSER);
  await send(url, {serial: 'DEMO0003', reference: 'device'}, '/api/v1/device/validate');
  await sendSigned(url, '{"reference":"r"}\n', '{"reference":"r"}');
  await expect.poll(() => rowsOf(page).count()).toBe(3);
}

async function open(index: number): Promise<void> {
  await rowsOf(page).nth(index).click();
  await page.getByRole('heading', {name: 'Headers'}).waitFor();
}

async function queue(kind: string, value?: string): Promise<void> {
  await button('Queue an answer').click();
  await combobox('Kind').selectOption(kind);
  if (value !== undefined) await page.getByRole('textbox', {name: 'Value'}).fill(value);
  await button('Add to the queue').click();
}

const openCard = async () => {
  await open(CARD);
  await page.getByRole('grid', {name: 'Bytes'}).waitFor();
};

const VIEWS: Readonly<Record<string, () => Promise<void>>> = {
  list: async () => {},
  'card open': openCard,
  'byte selected': async () => {
    await openCard();
    await page.locator('[data-i="194"]').first().click();
    await page.getByRole('region', {name: 'Selected field'}).waitFor();
  },
  'numbers shown': async () => {
    await openCard();
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
  },
  'signature refused': () => open(REFUSED),
  'sent again': async () => {
    await open(REFUSED);
    await button('Replay').click();
    await page.getByText('Sent again').waitFor();
  },
  'edited and signed': async () => {
    await open(REFUSED);
    await button('Edit and sign').click();
    await page.getByRole('textbox', {name: 'Body'}).waitFor();
  },
  'answers to queue': () => button('Queue an answer').click(),
  'answers queued': async () => {
    await queue('card');
    await page.getByRole('button', {name: 'Remove card:visa'}).waitFor();
    await queue('error', '2601');
    await page.getByRole('button', {name: 'Remove error:2601'}).waitFor();
  },
  'answer refused': async () => {
    await queue('error', '77');
    await page.getByRole('alert').getByText('error code').waitFor();
  },
  pinned: async () => {
    await rowsOf(page).nth(1).focus();
    await page.keyboard.press('p');
    await page.getByRole('img', {name: 'pinned'}).waitFor();
  },
  paused: async () => {
    await button('Pause').click();
    await send(demo.url);
    await page.getByText('Paused: 1 new request').waitFor();
  },
  'new requests': async () => {
    await rowsOf(page).first().focus();
    await send(demo.url);
    await page.getByRole('button', {name: '1 new'}).waitFor();
  },
  'no match': async () => {
    await page.getByRole('searchbox').fill('text:nothing-like-it');
    await page.getByText('No request matches').waitFor();
  },
  'cleared, to be undone': async () => {
    await page.clock.install();
    onTestFinished(() => page.context().close());
    await button('Clear').click();
    await button('Undo').waitFor();
  },
  'connection lost': async () => {
    await open(REFUSED);
    await demo.close();
    await page.getByText(/Connection lost/).waitFor();
  },
};

describe.skipIf(!CHROMIUM)('the page of requests looks right', {timeout: 60_000}, () => {
  beforeAll(() => browser.start());
  afterAll(() => browser.stop());
  beforeEach(async () => {
    demo = await launch({mode: 'demo', registry: demoRegistry()});
    page = await openInspector(browser, demo.url);
  });
  afterEach(() => demo.close());

  test('wide and narrow, light and dark: empty', async () => {
    await page.getByText('No requests yet').waitFor();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  test.each(Object.keys(VIEWS))('wide and narrow, light and dark: %s', async (view) => {
    await fill(demo.url);
    await VIEWS[view]?.();
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  test.each(['list', 'card open'])('printed: %s', async (view) => {
    await fill(demo.url);
    await VIEWS[view]?.();
    expect(await faultsOfLooks(page, 'print')).toEqual([]);
  });

  describe('in real mode', () => {
    let real: LaunchedService;
    beforeEach(async () => {
      real = await launch({mode: 'real', registry: demoRegistry(), inspectorToken: TOKEN});
    });
    afterEach(() => real.close());

    test('wide and narrow, light and dark: without its token', async () => {
      await page.goto(real.url);
      await page.getByText('this page needs its token').waitFor();
      expect(await faultsOfLooks(page)).toEqual([]);
    });

    test('wide and narrow, light and dark: card open', async () => {
      await page.goto(`${real.url}/#token=${TOKEN}`);
      await page.getByText('No requests yet').waitFor();
      await fill(real.url);
      await openCard();
      expect(await faultsOfLooks(page)).toEqual([]);
    });
  });
});
