import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {SENT_FRAMES} from '../engine/framing/wire-streams.js';
import {Browser, CHROMIUM, IN_BROWSER, PAGE} from './browser.js';

const browser = new Browser();
let page: Page;

/** The fake of the page: what was done with its port, and how the test sends. */
interface FakePort {
  readonly log: string[];
  readonly push: (bytes: number[]) => void;
  readonly fail: () => void;
  readonly unplug: () => void;
  isBusy: boolean;
}
type WithFake = typeof globalThis & {fake: FakePort};

/** Puts a port into `navigator.serial`, which is given only while a click is being handled. */
function addFake(): void {
  const log: string[] = [];
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        feed = controller;
      },
      cancel: () => void log.push('cancel'),
    });
  const fake = {
    log,
    isBusy: false,
    push: (bytes: number[]) => feed?.enqueue(Uint8Array.from(bytes)),
    fail: () => {
      const broken = feed;
      port.readable = stream();
      broken?.error(new DOMException('', 'FramingError'));
    },
    unplug: () => {
      port.readable = null;
      feed?.error(new DOMException('', 'NetworkError'));
    },
  };
  const port = {
    readable: null as ReadableStream<Uint8Array> | null,
    open: async (settings: object) => {
      if (fake.isBusy) throw new DOMException('', 'NetworkError');
      log.push(`open ${JSON.stringify(settings)}`);
      port.readable = stream();
    },
    close: async () => {
      if (port.readable?.locked) throw new TypeError('the stream is locked');
      port.readable = null;
      log.push('close');
    },
    forget: async () => void log.push('forget'),
  };
  const requestPort = async () => {
    if (!navigator.userActivation.isActive) throw new DOMException('', 'SecurityError');
    log.push('request');
    return port;
  };
  Object.defineProperty(navigator, 'serial', {value: {requestPort}});
  Object.assign(globalThis, {fake});
}

const log = () => page.evaluate(() => (globalThis as WithFake).fake.log);
/** Sends the pieces one right after another: a pause of 150 ms would end the message. */
const push = (...pieces: Uint8Array[]) =>
  page.evaluate(
    (lists) => {
      for (const list of lists) (globalThis as WithFake).fake.push(list);
    },
    pieces.map((piece) => [...piece]),
  );
const piecesOf = (bytes: Buffer) =>
  Array.from({length: Math.ceil(bytes.length / 64)}, (_, i) => bytes.subarray(i * 64, i * 64 + 64));
const button = (name: string | RegExp) => page.getByRole('button', {name});
const shownKsn = () => page.getByRole('region', {name: 'Card'}).textContent();
const [SWIPE, OTHER] = SENT_FRAMES.filter(({form}) => form === 'stx-sum');

async function connect(speed = '115200'): Promise<void> {
  await page.getByLabel('Speed of the reader').selectOption(speed);
  await button('Connect reader').click();
  await page.getByText('Waiting for reads.').waitFor();
}

describe.skipIf(!CHROMIUM)(`a reader ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(async () => {
    await browser.start();
    page = await browser.fresh();
    await page.addInitScript(addFake);
  }, 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    await page.goto(PAGE);
  });
  afterEach(() => {
    expect(browser.faults.splice(0)).toEqual([]);
    expect(browser.requests.splice(0).filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual(
      [],
    );
  });

  it('is not offered where the browser has no serial ports', async () => {
    const plain = await browser.fresh();
    await plain.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serial'));
    await plain.goto(PAGE);
    await plain.getByRole('button', {name: 'Decrypt'}).waitFor();
    expect(await plain.getByRole('button', {name: 'Connect reader'}).count()).toBe(0);
    await plain.context().close();
  });

  it('is offered until there is a payload', async () => {
    const field = page.getByRole('textbox', {name: 'Payload'});
    await field.fill(SWIPE?.wire.toString('hex') ?? '');
    await expect.poll(() => button('Connect reader').count()).toBe(0);
    await button('Forget').click();
    await button('Connect reader').waitFor();
    await button('Simulate').click();
    expect(await button('Connect reader').count()).toBe(0);
  });

  it('is asked for by a click alone, and opened with the chosen speed', async () => {
    expect(await log()).toEqual([]);
    await connect('9600');
    expect(await log()).toEqual(['request', 'open {"baudRate":9600,"bufferSize":16384}']);
  });

  it('gives each read of every form, in pieces, to the page', async () => {
    await connect();
    const forms = ['stx-sum', 'vivopay', 'link', 'text', 'line'];
    for (const [i, form] of forms.entries()) {
      const {wire = Buffer.of()} = SENT_FRAMES.find((frame) => frame.form === form) ?? {};
      await push(...piecesOf(wire));
      await expect.poll(() => button(/^Read \d/).count()).toBe(i + 1);
      await expect.poll(shownKsn).toContain('411111');
    }
  });

  it('goes back to an earlier read', async () => {
    await connect();
    await push(SWIPE?.wire ?? Buffer.of());
    const payload = page.getByRole('textbox', {name: 'Payload'});
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
    await expect.poll(() => payload.inputValue()).toBe(SWIPE?.wire.toString('hex').toUpperCase());
    await push(OTHER?.wire ?? Buffer.of());
    await expect.poll(() => payload.inputValue()).toBe(OTHER?.wire.toString('hex').toUpperCase());
    await button(/^Read \d/)
      .last()
      .click();
    await expect.poll(() => payload.inputValue()).toBe(SWIPE?.wire.toString('hex').toUpperCase());
  });

  it('keeps twenty reads, shows a damaged one, and no message without a read', async () => {
    await connect();
    const pong = Buffer.from('5669564F74656368320018000000FA83', 'hex');
    for (let i = 0; i < 25; i++)
      await push(Buffer.concat([pong, SENT_FRAMES[i % SENT_FRAMES.length]?.wire ?? pong]));
    await expect.poll(() => button(/^Read \d/).count()).toBe(20);
    const bad = Buffer.from(SWIPE?.wire ?? []);
    bad[20] = (bad[20] ?? 0) ^ 1;
    await push(bad);
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
    const payload = page.getByRole('textbox', {name: 'Payload'});
    await expect.poll(() => payload.inputValue()).toBe(bad.toString('hex').toUpperCase());
  });

  it('goes on after an error of the line, and says when the reader has gone', async () => {
    await connect();
    await page.evaluate(() => (globalThis as WithFake).fake.fail());
    await push(SWIPE?.wire ?? Buffer.of());
    await expect.poll(() => button(/^Read \d/).count()).toBe(1);
    await page.evaluate(() => (globalThis as WithFake).fake.unplug());
    await page.getByText('The reader has gone').waitFor();
    expect(await button(/^Read \d/).count()).toBe(1);
    await connect();
  });

  it('is closed by Disconnect, and forgotten by Forget with all its reads', async () => {
    await connect();
    await button('Disconnect reader').click();
    await expect.poll(log).toEqual(['request', expect.any(String), 'cancel', 'close']);
    await connect();
    await push(SWIPE?.wire ?? Buffer.of());
    await expect.poll(() => button(/^Read \d/).count()).toBe(1);
    await button('Forget').click();
    await expect.poll(log).toHaveLength(9);
    expect((await log()).slice(-3)).toEqual(['cancel', 'close', 'forget']);
    expect(await button(/^Read \d/).count()).toBe(0);
    expect(await button('Connect reader').count()).toBe(1);
  });

  it('says that a port cannot be opened', async () => {
    await page.evaluate(() => {
      (globalThis as WithFake).fake.isBusy = true;
    });
    await button('Connect reader').click();
    await page.getByText('The port cannot be opened').waitFor();
    expect(await button('Connect reader').isEnabled()).toBe(true);
  });
});
