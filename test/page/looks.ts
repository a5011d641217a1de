import axe from 'axe-core';
import type {Page} from 'playwright-core';
import {expect} from 'vitest';
import {IS_LONG, seedOf} from '../long.js';

/** Each view is looked at in a wide and a narrow window, in both schemes. */
const LOOKS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({width, scheme})),
);
/** The halves of those: either width and either scheme once. */
const PAIRS = [
  LOOKS.filter(({width, scheme}) => (width === 390) === (scheme === 'dark')),
  LOOKS.filter(({width, scheme}) => (width === 390) === (scheme === 'light')),
];
/** The narrowest and the widest window that the pages are made for. */
const EXTREMES = [360, 2560];

/**
 * What is wrong with a view as it stands: what axe finds in each look, and where it scrolls sideways.
 * A run of the long tests takes every look, any other one of the pairs, by the seed and the test's name.
 */
export async function faultsOfLooks(page: Page, media?: 'print'): Promise<string[]> {
  const faults: string[] = [];
  const axeFinds = await openAxe(page);
  const pair = PAIRS[seedOf(expect.getState().currentTestName ?? '') & 1] ?? LOOKS;
  for (const {width, scheme} of IS_LONG ? LOOKS : pair) {
    await page.setViewportSize({width, height: 800});
    await page.emulateMedia({colorScheme: scheme, media: media ?? null});
    await drawn(page);
    const found = [...(await axeFinds()), ...(await sideways(page))];
    faults.push(...found.map((fault) => `${width} px, ${scheme}: ${fault}`));
  }
  for (const width of EXTREMES) {
    await page.setViewportSize({width, height: 800});
    await drawn(page);
    faults.push(...(await sideways(page)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
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
    'axe.run().then(({violations}) => JSON.stringify(violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html.slice(0, 150)).join(" | ")}`)))';
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
