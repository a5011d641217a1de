import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {type BrowserContext, chromium, type Page} from 'playwright-core';

/** The browser of the system; undefined where there is none. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) =>
    (process.env.PATH ?? '').split(path.delimiter).map((in_) => path.join(in_, name)),
  )
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
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly fragment?: string;
}

/** A browser with a profile of its own, and every address that its pages asked for. */
export class Browser {
  readonly requests: string[] = [];
  readonly faults: string[] = [];
  readonly #profile = mkdtempSync(path.join(tmpdir(), 'paylens-page-'));
  #context: BrowserContext | undefined;

  async start(): Promise<void> {
    this.#context = await chromium.launchPersistentContext(this.#profile, {
      executablePath: CHROMIUM ?? '',
      args: FLAGS,
      acceptDownloads: true,
    });
    this.#context.on('request', (request) => this.requests.push(request.url()));
    await this.#context.grantPermissions(['clipboard-read', 'clipboard-write']);
  }

  /** A fresh page with the explorer. */
  async open({
    width = 1280,
    height = 800,
    scheme = 'light',
    fragment = '',
  }: Look = {}): Promise<Page> {
    const page = (await this.#context?.newPage()) as Page;
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text());
    });
    await page.setViewportSize({width, height});
    await page.emulateMedia({colorScheme: scheme});
    await page.goto(`${PAGE}${fragment}`);
    return page;
  }

  async stop(): Promise<void> {
    await this.#context?.close();
    rmSync(this.#profile, {recursive: true, force: true, maxRetries: 5});
  }
}
