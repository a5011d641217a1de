import axe from 'axe-core';
import type {Page} from 'playwright-core';
import {expect} from 'vitest';
import {IS_LONG, seedOf} from '../long.js';

/** Of the runs that are not long, axe is asked about one view in as many: it takes most of the time. */
const ONE_IN = 3;

/** Each view is looked at in a wide and a narrow window, in both schemes. */
const WIDTHS = [1280, 390];
const LOOKS = WIDTHS.flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({width, scheme})),
);
/** The narrowest and the widest window that the pages are made for. */
const EXTREMES = [360, 2560];

/**
 * What is wrong with a view as it stands: what axe finds, and where it scrolls sideways. A run of the
 * long tests asks axe about every look of every view, any other one about one look of a third of them,
 * by the seed and the test's name.
 */
export async function faultsOfLooks(page: Page, media?: 'print'): Promise<string[]> {
  const faults: string[] = [];
  const looks = looksFor(seedOf(expect.getState().currentTestName ?? '') >>> 0);
  const axeFinds = looks.length > 0 ? await openAxe(page) : async () => [];
  for (const {width, scheme} of looks) {
    await page.setViewportSize({width, height: 800});
    await page.emulateMedia({colorScheme: scheme, media: media ?? null});
    await drawn(page);
    faults.push(...(await axeFinds()).map((fault) => `${width} px, ${scheme}: ${fault}`));
  }
  for (const width of widthsFor(seedOf(expect.getState().currentTestName ?? '') >>> 0)) {
    await page.setViewportSize({width, height: 800});
    await drawn(page);
    faults.push(...(await sideways(page)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

/** Where sideways scrolling begins first, and one more: all of them in a run of the long tests. */
function widthsFor(seed: number): readonly number[] {
  const [narrowest = 0, widest = 0] = EXTREMES;
  const others = [...WIDTHS, widest];
  return [narrowest, ...(IS_LONG ? others : others.slice(seed % others.length).slice(0, 1))];
}

function looksFor(seed: number) {
  if (IS_LONG) return LOOKS;
  const at = seed % (ONE_IN * LOOKS.length);
  return LOOKS.slice(at, at + 1);
}

async function sideways(page: Page): Promise<string[]> {
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return excess > 0 ? [`scrolls ${excess} px sideways`] : [];
}

/** Two frames: one in which the page hears of its new size, one in which it is drawn. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** In an isolated world, since the policy of the pages allows no other script. */
async function openAxe(page: Page): Promise<() => Promise<string[]>> {
  const session = await page.context().newCDPSession(page);
  const {frameTree} = await session.send('Page.getFrameTree');
  const {executionContextId: contextId} = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', {expression: axe.source, contextId});
  const expression =
    'axe.run({resultTypes: ["violations"]}).then(({violations}) => JSON.stringify(violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html.slice(0, 150)).join(" | ")}`)))';
  return async () => {
    const {result} = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    return JSON.parse(String(result.value));
  };
}
