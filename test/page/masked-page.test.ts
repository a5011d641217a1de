import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import {hasCheckDigit} from '../../src/engine/card/track-data.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import {writerOf} from '../../src/engine/families/terminal.js';
import {simulated} from '../../src/page/model/simulated.js';
import {TEST_SEED, tenthOf} from '../long.js';
import {Browser, CHROMIUM, IN_BROWSER} from './browser.js';

const browser = new Browser();
let page: Page;

/** A card and a key that nobody published, drawn by the seed, in all forms that the page could show them in. */
function planted(title: string) {
  const drawn = createHash('sha256').update(`${TEST_SEED} ${title}`).digest();
  const head = `4${Array.from(drawn.subarray(0, 14), (byte) => byte % 10).join('')}`;
  const pan = [...'0123456789'].map((digit) => head + digit).find(hasCheckDigit) ?? '';
  const bdk = drawn.toString('hex', 16).toUpperCase();
  const inHex = (text: string) => Buffer.from(text).toString('hex');
  return {pan, bdk, secrets: [pan, inHex(pan), pan.slice(5, 13), bdk]};
}

/** As a text: the types of these tests know no browser. */
const SEEN = `[
  document.title, document.body.innerText, document.getElementById('app').textContent,
  ...[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].map(({value}) => value)),
  ...[...document.querySelectorAll('input, textarea')].map(({value}) => value),
]`;

/** Everything that is told of the page now, by where: what eyes, screen readers and printers get. */
async function told(): Promise<Map<string, string>> {
  const session = await page.context().newCDPSession(page);
  const tree = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const seen = async () => JSON.stringify(await page.evaluate(SEEN));
  const texts = new Map([
    ['accessibility tree', JSON.stringify(tree)],
    ['document', await seen()],
  ]);
  await page.emulateMedia({media: 'print'});
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  texts.set('print', await seen());
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({media: null});
  return texts;
}

/** What every button of the exports gives. */
async function exported(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const group = page.getByRole('group', {name: 'Export'});
  const names = await group
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  for (const name of names.filter((one) => one.startsWith('Copy'))) {
    await group.getByRole('button', {name, exact: true}).click();
    texts.set(name, await page.evaluate(() => navigator.clipboard.readText()));
  }
  const download = page.waitForEvent('download');
  await group.getByRole('button', {name: 'Save JSON'}).click();
  texts.set('Save JSON', readFileSync(await (await download).path(), 'utf8'));
  return texts;
}

function leaksIn(texts: ReadonlyMap<string, string>, secrets: readonly string[]): string[] {
  return [...texts].flatMap(([where, text]) => {
    const compact = text.replaceAll(/[^\dA-Za-z]/g, '').toUpperCase();
    return secrets.some((secret) => compact.includes(secret.toUpperCase())) ? [where] : [];
  });
}

const button = (name: string) => page.getByRole('button', {name, exact: true});

async function opened(request: object, bdk: string): Promise<void> {
  page = await browser.open();
  await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
  await page.getByRole('textbox', {name: 'Key', exact: true}).fill(bdk);
  await page.getByRole('textbox', {name: 'Payload'}).fill(JSON.stringify(request));
  await button('Decrypt').click();
  await page.getByRole('region', {name: 'Card'}).waitFor();
}

/** Those that read what they write under a BDK alone. */
const TYPES = TERMINAL_TYPES.filter((type) => TERMINALS[type].write && type !== 'ingenico-ra1');

describe.skipIf(!CHROMIUM)(`while it is masked ${IN_BROWSER}`, {timeout: 90_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  it.each(tenthOf<TerminalType>(TYPES, String))(
    'the page gives no card number and no key of %s away',
    async (type) => {
      const {pan, bdk, secrets} = planted(type);
      const writer = await writerOf(TERMINALS[type]);
      const request = simulated(type, writer, {pan}, bdk);
      await opened(request, bdk);
      expect(leaksIn(await told(), secrets)).toEqual([]);
      expect(leaksIn(await exported(), secrets)).toEqual([]);
      await button('Compare').click();
      await page.getByRole('textbox', {name: 'Second read'}).fill(JSON.stringify(request));
      await page.getByText(/\d+ the same, 0 changed/).waitFor();
      expect(leaksIn(await told(), secrets)).toEqual([]);
    },
  );

  it('gives the card number in each way once it is asked for, and never the key', async () => {
    const {pan, bdk} = planted('shown');
    await opened(simulated('idtech', await writerOf(TERMINALS.idtech), {pan}, bdk), bdk);
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
    const texts = await told();
    expect(leaksIn(texts, [pan])).toEqual([...texts.keys()]);
    expect(leaksIn(texts, [bdk])).toEqual([]);
    expect(leaksIn(await exported(), [bdk])).toEqual([]);
  });
});
