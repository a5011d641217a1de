import axe from 'axe-core';
import type {Page} from 'playwright-core';

/** Each view is looked at in a wide and a narrow window, in both schemes. */
const LOOKS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({width, scheme})),
);
/** The narrowest and the widest window that the pages are made for. */
const EXTREMES = [360, 2560];

/** What is wrong with a view as it stands: what axe finds in each look, and where it scrolls sideways. */
export async function faultsOfLooks(page: Page, media?: 'print'): Promise<string[]> {
  const faults: string[] = [];
  for (const {width, scheme} of LOOKS) {
    await page.setViewportSize({width, height: 800});
    await page.emulateMedia({colorScheme: scheme, media: media ?? null});
    await drawn(page);
    const found = [...(await axeFinds(page)), ...(await sideways(page))];
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

/** In a world of its own: the pages' policy lets no script in. */
async function axeFinds(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const {frameTree} = await session.send('Page.getFrameTree');
  const {executionContextId: contextId} = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', {expression: axe.source, contextId});
  const expression =
    'axe.run().then(({violations}) => JSON.stringify(violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html.slice(0, 150)).join(" | ")}`)))';
  const {result} = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(String(result.value));
}
