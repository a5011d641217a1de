/**
 * The longest tasks of the page's main thread while payloads of 64 KiB are pasted, shown and scrolled,
 * in ms of its processor time and of the clock: `npm run bench:page [-- ROUNDS]`. Each round has a
 * fresh page, each figure is the median of the rounds.
 */
import {type Browser, chromium, type Page} from 'playwright-core';
import {CHROMIUM, FLAGS, PAGE} from './browser.js';
import {largePayloads} from './large-payloads.js';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: {readonly name?: string};
}

/** The longest task, in ms. */
interface Longest {
  readonly cpu: number;
  readonly wall: number;
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'blink.user_timing', '__metadata'];
const TASK = 'ThreadControllerImpl::RunTask';
const ROUNDS = Number(process.argv[2] ?? 5);

const STEPS: readonly (readonly [name: string, act: (page: Page) => Promise<void>])[] = [
  ['paste', paste],
  ['scroll bytes', (page) => scrolled(page, '.bytes .scroll')],
  ['scroll fields', (page) => scrolled(page, '.fields .scroll')],
  ['select', (page) => page.locator('[role=gridcell]').nth(40).click()],
  ['reveal', (page) => page.getByRole('switch', {name: 'Show card numbers'}).click()],
];

await main();

async function main(): Promise<void> {
  const browser = await chromium.launch({executablePath: CHROMIUM ?? '', args: FLAGS});
  const names = STEPS.map(([name]) => name.padStart(14));
  console.log(`${'longest task: cpu / wall, ms'.padEnd(28)}${names.join('')}`);
  for (const [name, text] of await largePayloads()) {
    const rounds: Longest[][] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await measured(browser, text));
    const cells = STEPS.map((_, step) => {
      const of = (key: keyof Longest) => median(rounds.map((one) => one[step]?.[key] ?? 0));
      return `${of('cpu').toFixed(0)} / ${of('wall').toFixed(0)}`.padStart(14);
    });
    console.log(`${name.padEnd(28)}${cells.join('')}`);
  }
  await browser.close();
}

async function measured(browser: Browser, text: string): Promise<Longest[]> {
  const context = await browser.newContext({
    viewport: {width: 1280, height: 800},
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await page.goto(PAGE);
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await page.waitForTimeout(200);
  await browser.startTracing(page, {categories: CATEGORIES});
  for (const [name, act] of STEPS) {
    await page.evaluate((mark) => void performance.mark(mark), `step ${name}`);
    await act(page);
    await page.waitForTimeout(200);
  }
  const {traceEvents} = JSON.parse(String(await browser.stopTracing()));
  await context.close();
  return longestOf(traceEvents);
}

async function paste(page: Page): Promise<void> {
  await page.getByRole('textbox', {name: 'Payload'}).focus();
  await page.keyboard.press('Control+V');
  await page.locator('[role=grid] .row').first().waitFor({timeout: 60_000});
}

/** A turn of the wheel a frame, down and up again. */
async function scrolled(page: Page, selector: string): Promise<void> {
  await page.evaluate(async (given) => {
    const box = document.querySelector(given) as HTMLElement;
    for (const step of [100, 900, 5000, -5000]) {
      for (let i = 0; i < 12; i++) {
        box.scrollTop += step;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }
  }, selector);
}

/** By step, of the thread that has the marks. */
function longestOf(events: readonly TraceEvent[]): Longest[] {
  const marks = STEPS.map(([name]) => events.find((event) => event.name === `step ${name}`));
  const [first] = marks;
  const own = events.filter(({pid, tid}) => pid === first?.pid && tid === first?.tid);
  const tasks = own.filter(({name, ph}) => ph === 'X' && name === TASK);
  return marks.map((mark, i) => {
    const from = mark?.ts ?? 0;
    const to = marks[i + 1]?.ts ?? Number.POSITIVE_INFINITY;
    const within = tasks.filter(({ts}) => ts >= from && ts < to);
    return {
      cpu: Math.max(0, ...within.map(({tdur = 0}) => tdur)) / 1000,
      wall: Math.max(0, ...within.map(({dur = 0}) => dur)) / 1000,
    };
  });
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
