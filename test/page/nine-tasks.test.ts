import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {Locator, Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {LABELS} from '../../src/diagnosis/labels.js';
import {decrypt} from '../../src/index.js';
import {explore} from '../../src/page/model/explore.js';
import {startServer} from '../../src/server.js';
import {draws} from '../long.js';
import {Browser, CHROMIUM, IN_BROWSER, PAGE} from './browser.js';
import {openInspector, rowsOf, sendSigned} from './inspector/inspector-page.js';

const payloadIn = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8')).devicePayload;
const SWIPE = payloadIn('idtech-swipe.json');
/** A track under the test BDK: ciphertext alone, as a log has it. */
const {ksn: KSN, track2: DATA} = JSON.parse(payloadIn('generic-tracks.json'));
const MISTYPED_KSN = KSN.replace('9949', '9449');
/** ANSI X9.24-1:2009, Annex A. */
const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';
const PAN = '4266841088889999';
const MASKED = '426684******9999';
const CARD = /\d{6}\*{6}\d{4}/;
/** Passes the check of its last digit. */
const OWN_PAN = '5018000000000009';
const MAX_CLICKS = 4;

const browser = new Browser();
let page: Page;
let clicks = 0;

const box = (name: string) => page.getByRole('textbox', {name, exact: true});
const button = (name: string) => page.getByRole('button', {name, exact: true});
const testKeys = () => page.getByRole('checkbox', {name: 'Published test keys'});
const card = () => page.getByRole('region', {name: 'Card'});
const rows = () => page.locator('.keyline.rows');

async function calm(): Promise<void> {
  expect((await page.locator('[role=alert]').allTextContents()).join('')).toBe('');
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
}

/** Pastes as a user does who has clicked nothing yet. */
async function paste(text: string): Promise<void> {
  clicks = 0;
  await page.evaluate((given) => {
    (document.activeElement as HTMLElement | null)?.blur();
    return navigator.clipboard.writeText(given);
  }, text);
  await page.keyboard.press('Control+V');
  await page.locator('main[aria-busy="false"] .pane').first().waitFor();
  await calm();
}

async function click(what: Locator): Promise<void> {
  await calm();
  clicks++;
  await what.click();
}

async function type(name: string, text: string): Promise<void> {
  await click(box(name));
  await page.keyboard.insertText(text);
  await calm();
}

describe.skipIf(!CHROMIUM)(`a task ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  it('1: a sample of ID TECH to its card, pasted outside of every field', async () => {
    await paste(SWIPE);
    await card().getByText(MASKED).waitFor();
    expect(await box('Payload').inputValue()).toBe(SWIPE);
  });

  it('2: bare ciphertext with its KSN and key', async () => {
    await paste(DATA);
    await click(testKeys());
    await type('KSN', KSN);
    await type('Key', TEST_BDK);
    await page.keyboard.press('Enter');
    await card().getByText(CARD).waitFor();
    await calm();
  });

  it('3: a wrong key, explained', async () => {
    await paste(SWIPE);
    await click(testKeys());
    await type('Key', '00112233445566778899AABBCCDDEEFF');
    await click(button('Diagnose'));
    await page.getByText(/trials in/).waitFor({timeout: 30_000});
    expect(await page.getByRole('status').textContent()).toContain(LABELS['key-wrong'].text);
    expect(await card().count()).toBe(0);
    await calm();
  });

  it('4: a mistyped KSN, diagnosed and applied', async () => {
    await paste(`KSN: ${MISTYPED_KSN} DATA: ${DATA}`);
    await click(button('Diagnose'));
    await click(button('Apply'));
    await card().getByText(CARD).waitFor();
    expect(await rows().textContent()).toContain(`Changed: KSN ${KSN} in place of ${MISTYPED_KSN}`);
    expect(await box('KSN').inputValue()).toBe(KSN);
    await calm();
  });

  it('5: two reads compared', async () => {
    await paste(SWIPE);
    await click(button('Compare'));
    await type('Second read', payloadIn('idtech-keyed.json'));
    await page.getByText(/\d+ the same, \d+ changed/).waitFor();
    expect(await card().count()).toBe(2);
    await calm();
  });

  it('6: a generated read, of a card of the user, copied into a request', async () => {
    clicks = 0;
    await click(button('Simulate'));
    await type('PAN', OWN_PAN);
    await click(button('Generate'));
    await card().getByText('5018').first().waitFor();
    await click(button('Copy request'));
    const request = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    const {devicePayload, ...settings} = request;
    const {extracted} = decrypt(devicePayload, {...settings, testKeys: true});
    expect(extracted.PAN).toBe(OWN_PAN);
    await calm();
  });

  it('7 and 8: a 401 explained in the inspector, then edited, signed and sent again', async () => {
    await using demo = await startServer({mode: 'demo'});
    await sendSigned(demo.url, '{"reference":"before"}\n', '{"reference":"before"}');
    page = await openInspector(browser, demo.url);
    clicks = 0;
    await click(rowsOf(page).first());
    await page.getByText('The body was trimmed before it was hashed.').first().waitFor();
    await calm();
    await click(button('Edit and sign'));
    await click(box('Body'));
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{"reference":"after"}');
    await click(button('Sign and send'));
    await page.getByText('Sent: 200.').waitFor();
    await expect.poll(() => rowsOf(page).first().innerText()).toContain('after');
    await calm();
  });

  it('9: a link of a published test card, shared and opened elsewhere', async () => {
    await paste(SWIPE);
    await click(button('Copy link'));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.close();
    page = await browser.open({url: `${PAGE}${new URL(link, PAGE).hash}`});
    await card().getByText(MASKED).waitFor();
    await calm();
  });

  it.each([
    ['labels in one line', `KSN: ${KSN} DATA: ${DATA}`],
    ['a label in words', `Key Serial Number: ${KSN}\r\nCiphertext: ${DATA}\r\n`],
    ['a label with a sign', `KSN# ${KSN.match(/.{4}/g).join(' ')}\nEncrypted data: ${DATA}`],
    ['members', JSON.stringify({key_serial_number: KSN, enc_track_2: DATA})],
    ['a line of its own', `${KSN}\n${DATA}\n`],
    ['a table, by its length', `"track2","ksn"\n"${DATA}","0x${KSN}"`],
  ])('takes the KSN from %s', async (_, given) => {
    await paste(given);
    await card().getByText(CARD).waitFor();
    expect(await rows().textContent()).toContain(`KSN ${KSN}`);
    expect(await box('Payload').inputValue()).toBe(DATA);
  });

  const REQUEST = JSON.stringify({deviceType: 'idtech', devicePayload: SWIPE, partnerKey: 'hush'});
  const TRACKS = readFileSync(
    new URL('../../samples/generic-tracks.json', import.meta.url),
    'utf8',
  );
  it.each([
    ['a curl command', `curl -s http://localhost/x \\\n  -u A:b -d '${REQUEST}'`],
    ['a curl command of Windows', `curl http://localhost/x -d ${JSON.stringify(REQUEST)}`],
    ['a line of a log', `[10:22:31] POST /parser ${REQUEST} -> 200 {"success":true}`],
    [
      'a log in JSON',
      JSON.stringify({level: 30, req: {method: 'POST', body: JSON.parse(REQUEST)}}),
    ],
    ['a string in a log', JSON.stringify({level: 30, body: REQUEST})],
    [
      'a quoted mail',
      `On Monday she wrote:\n> Look:\n> ${JSON.stringify(JSON.parse(REQUEST), null, 2).replaceAll('\n', '\n> ')}\n`,
    ],
    ['a command with a payload in JSON', `curl http://localhost/x -d '${TRACKS.trim()}'`],
  ])('takes the request out of %s, and nothing else', async (_, given) => {
    await paste(given);
    await card().getByText(MASKED).waitFor();
    expect(await rows().textContent()).toContain('text around it ignored');
    expect(given).not.toBe(await box('Payload').inputValue());
    expect(await box('Payload').inputValue()).not.toContain('hush');
  });

  it('takes neither of two requests in a log', async () => {
    const other = REQUEST.replace('hush', 'other');
    await paste(`POST /parser ${REQUEST}\nPOST /parser ${other}\n`);
    await page.locator('[role=grid] .row').first().waitFor();
    expect(await page.locator('main').textContent()).not.toContain(MASKED);
    expect(await rows().textContent()).not.toContain('text around it ignored');
  });

  it('is pointed to the KSN by 2400, once it was asked', async () => {
    await paste(DATA);
    await click(button('Decrypt'));
    expect(await page.locator('[role=alert]').textContent()).toContain('2400');
    expect(await box('KSN').evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('gives no key and no card number away while they are masked', async () => {
    await paste(SWIPE);
    await click(testKeys());
    await type('Key', TEST_BDK);
    await page.keyboard.press('Enter');
    await card().getByText(MASKED).waitFor();
    const session = await page.context().newCDPSession(page);
    const tree = async () => JSON.stringify(await session.send('Accessibility.getFullAXTree'));
    const secret = new RegExp(`${TEST_BDK}|${PAN}|${Buffer.from(PAN).toString('hex')}`, 'i');
    const told = await tree();
    expect(told).toContain(MASKED);
    expect(told).not.toMatch(secret);
    await click(button('Copy command'));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('paylens ');
    expect(copied).not.toMatch(secret);
    await box('Payload').fill(`;${PAN}=08091011?`);
    await page.waitForTimeout(300);
    expect(await tree()).not.toMatch(secret);
  });
});

describe('bare ciphertext', () => {
  const opened = (typed: string) =>
    explore({text: DATA, ksn: KSN, keys: {testKeys: false, typed}}).opened;

  it('opens under its key, and under none of many others', () => {
    expect(opened(TEST_BDK)?.result.extracted.PAN).toBe(PAN);
    const drawn = Array.from({length: draws(200)}, (_, i) =>
      createHash('sha256').update(`wrong ${i}`).digest('hex').slice(0, 32),
    );
    expect(drawn.filter(opened)).toEqual([]);
  });
});
