import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {
  type BrowserContext,
  chromium,
  type Page,
  type Browser as PlaywrightBrowser,
} from 'playwright-core';

/**
 * The browser of the system; undefined where there is none. The one without windows is preferred: it
 * starts and opens pages in half the time. Debian's command for it is a script that outlives a signal.
 */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(path.delimiter).map((in_) => `${in_}/${name}`))
  .toSpliced(0, 0, '/usr/lib/chromium/chromium-headless-shell')
  .find((file) => existsSync(file));

/** What the tests are called where there is no browser. */
export const IN_BROWSER = CHROMIUM ? 'in Chromium' : 'in Chromium, which is not installed: skipped';

/** The page as `paylens explore --write` writes it. */
export const PAGE = pathToFileURL(
  fileURLToPath(new URL('../../dist/page/explorer.html', import.meta.url)),
).href;

export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export interface Look {
  readonly url?: string;
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
}

/** Files that share their modules share it too; it ends with their process, whose pipe it reads. */
let shared: Promise<PlaywrightBrowser> | undefined;

function launched(): Promise<PlaywrightBrowser> {
  const args = [...FLAGS, '--in-process-gpu'];
  const launch = () =>
    chromium.launch({executablePath: CHROMIUM ?? '', args, handleSIGTERM: false});
  // Of thousands of starts, one ends in a segmentation fault of Chromium.
  return launch().catch(launch);
}

/**
 * A browser with one page, every address that it asked for, and what went wrong in it. Loading a page
 * again takes a third of the time of a fresh one, which a test gets only after one that closed its own.
 */
export class Browser {
  readonly requests: string[] = [];
  readonly faults: string[] = [];
  #browser: PlaywrightBrowser | undefined;
  #contexts: BrowserContext[] = [];
  #page: Page | undefined;

  async start(): Promise<void> {
    if (!(await shared)?.isConnected()) shared = launched();
    this.#browser = await shared;
  }

  /** Loads an address, the explorer unless another is given. */
  async open(look: Look = {}): Promise<Page> {
    const {url = PAGE, width = 1280, height = 800, scheme = 'light'} = look;
    if (!this.#page || this.#page.isClosed()) this.#page = await this.fresh();
    const page = this.#page;
    await page.setViewportSize({width, height});
    await page.emulateMedia({colorScheme: scheme, media: null});
    // Another fragment alone would load nothing.
    if (url.includes('#')) await page.goto('about:blank');
    await page.goto(url);
    return page;
  }

  /** An empty page with storage, permissions and a clock of its own. */
  async fresh(): Promise<Page> {
    const context = await this.#browser?.newContext({viewport: {width: 1280, height: 800}});
    if (!context) throw new Error('The browser has not been started.');
    this.#contexts.push(context);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    context.on('request', (request) => this.requests.push(request.url()));
    context.on('page', (page) => this.#watch(page));
    return context.newPage();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()));
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      // What the browser says of every answer that is not 200.
      const isStatus = message.text().startsWith('Failed to load resource');
      const isFile = page.url().startsWith('file:');
      if (message.type() === 'error' && (isFile || !isStatus)) this.faults.push(message.text());
    });
  }
}
