import {readdirSync, readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {LABELS} from '../../src/diagnosis/labels.js';
import {decrypt, inspect, type SimulateOptions, simulate} from '../../src/index.js';
import {readPaste} from '../../src/input/paste/read-paste.js';
import {runCommand} from '../cli/run-command.js';
import {readSamples} from '../engine/samples.js';
import {Browser, CHROMIUM, IN_BROWSER, PAGE} from './browser.js';
import {drop, paste} from './paste.js';

const SAMPLES = new URL('../../samples/', import.meta.url);
const sample = (name: string) => readFileSync(new URL(name, SAMPLES), 'utf8');
const SWIPE: {devicePayload: string} = JSON.parse(sample('idtech-swipe.json'));
const PRIVATE = sample('idtech-private-key.json');
const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';
const PAN = '4266841088889999';
const MASKED = '426684******9999';

const browser = new Browser();
let page: Page;

const payload = () => page.getByRole('textbox', {name: 'Payload'});
const key = () => page.getByRole('textbox', {name: 'Key'});
const button = (name: string) => page.getByRole('button', {name});
const testKeys = () => page.getByRole('checkbox', {name: 'Published test keys'});
const card = () => page.getByRole('region', {name: 'Card'});
/** Empty, it is not displayed. */
const alert = () => page.locator('[role=alert]');
const status = () => page.getByRole('status');
const grid = () => page.getByRole('grid', {name: 'Bytes'});
const tree = () => page.getByRole('tree', {name: 'Fields'});
const field = (name: string | RegExp) => tree().getByRole('treeitem', {name}).first();
const cell = (offset: number) => grid().locator(`[data-i="${offset}"]`).first();
const text = async (of: ReturnType<typeof card>) => (await of.textContent()) ?? '';

const give = (given: string) => paste(page, given);

/** What was copied, once the page says so. */
async function copied(): Promise<string> {
  await page.getByText('Copied.').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

const simulated = (settings: SimulateOptions) => simulate({testKeys: true, ...settings});

/** The error of a text that is to be decrypted: before, nothing was asked. */
async function refused(given: string): Promise<string> {
  await give(given);
  expect(await text(alert())).toBe('');
  await payload().press('Enter');
  return text(alert());
}

describe.skipIf(!CHROMIUM)(`the explorer ${IN_BROWSER}`, {timeout: 60_000}, () => {
  beforeAll(() => browser.start(), 60_000);
  afterAll(() => browser.stop());
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(() => expect(browser.faults.splice(0)).toEqual([]));

  describe('shows', () => {
    it('every byte, field and the card of a swipe, to a screen reader too, and every name once', async () => {
      await give(SWIPE.devicePayload);
      expect(await text(card())).toContain(MASKED);
      expect(await text(card())).toContain('BUSH JR / GEORGE W');
      expect(await grid().getAttribute('aria-rowcount')).toBe('26');
      const bytes = await grid().getByRole('gridcell').allTextContents();
      expect(bytes.join('')).toBe(SWIPE.devicePayload.toUpperCase());
      expect(await text(status())).toBe('Decrypted: a card number that ends in 9999');
      const once = [
        payload(),
        key(),
        testKeys(),
        card(),
        grid(),
        tree(),
        page.getByRole('combobox', {name: 'Terminal'}),
        page.getByRole('switch', {name: 'Show card numbers'}),
        ...['Decrypt', 'Diagnose', 'Cancel', 'Forget'].map(button),
      ];
      expect(await Promise.all(once.map((one) => one.count()))).toEqual(once.map(() => 1));
    });

    it('every sample with the answer of the command line', async () => {
      await page.getByRole('switch').click();
      for (const file of readdirSync(SAMPLES).filter((name) => /\.(?:json|txt)$/.test(name))) {
        const argv = [fileURLToPath(new URL(file, SAMPLES)), '--test-keys', '--json'];
        const answer = JSON.parse((await runCommand('decrypt', argv)).stdout);
        const given = sample(file);
        const shown = answer.success ? give(given).then(() => text(card())) : refused(given);
        expect([file, await shown]).toEqual([
          file,
          expect.stringContaining(answer.success ? answer.extracted.PAN : String(answer.errCode)),
        ]);
      }
    });

    it('payloads with the names of inspect', async () => {
      const all = ['generic', 'idtech', 'ingenico-rba', 'miura', 'verifone', 'wisepad'] as const;
      for (const deviceType of [...all, 'wisepad2', 'prima'] as const) {
        const request = await simulated({deviceType});
        await give(JSON.stringify(request));
        const shown = (await tree().locator('.name').allTextContents()).map((one) =>
          one.replace(/^[▸▾]/, ''),
        );
        const names = inspect(request.devicePayload, {deviceType}).parts.map(({name}) => name);
        expect([deviceType, shown]).toEqual([deviceType, expect.arrayContaining(names)]);
        expect(await text(card())).toContain('411111******1111');
      }
    });

    it('terminal verification results, CVM results and capabilities in words', async () => {
      await give((await simulated({deviceType: 'idtech', mode: 'emv'})).devicePayload);
      const shown = await text(tree());
      expect(shown).toContain('card and terminal have different application versions');
      expect(shown).toContain('signature on paper');
      expect(shown).toContain('enciphered PIN for online verification');
      await field(/^95 terminal/).click();
      await page.keyboard.press('ArrowRight');
      expect(await field(/byte 4 bit 8, set, transaction exceeds the floor limit/).count()).toBe(1);
    });

    it('the parts of a KSN, and the service code when card numbers are shown', async () => {
      await give(SWIPE.devicePayload);
      await field(/^KSN,/).click();
      await page.keyboard.press('ArrowRight');
      expect(await text(tree())).toContain('counter 3 (bits 2 and 1)');
      expect(await text(tree())).not.toContain('international interchange');
      await page.getByRole('switch').click();
      expect(await text(tree())).toContain('international interchange');
    });

    it('ciphertext beside plaintext, and the derivation with check values', async () => {
      await give(SWIPE.devicePayload);
      await field(/^track 2 encrypted/).click();
      const steps = page.getByRole('list', {name: 'Derivation'}).getByRole('listitem');
      // Check values that openssl gives for the keys of ANSI X9.24-1, Annex A.
      expect(await steps.first().textContent()).toContain('08D7B4');
      expect(await steps.count()).toBe(5);
      const blocks = await text(page.getByRole('list', {name: /Blocks/}));
      expect(blocks).toContain('A6 84 54 3E 00 70 87 F8');
      expect(blocks).toContain('3B 34 32 36 36 38 34 **');
    });

    it('a payload of 64 KiB', async () => {
      const bytes = Buffer.alloc(65_536, 0xa5);
      await drop(page, 'big.bin', bytes);
      expect(await grid().getAttribute('aria-rowcount')).toBe('4096');
      expect(await grid().getByRole('row').count()).toBeLessThan(120);
      await cell(0).focus();
      await page.keyboard.press('Control+End');
      expect(await cell(65_535).getAttribute('aria-selected')).toBe('true');
    });
  });

  describe('masks', () => {
    it('the card number everywhere until it is asked for, and again', async () => {
      await give(SWIPE.devicePayload);
      const hex = Buffer.from(PAN).toString('hex');
      const shown = () => page.evaluate(() => document.querySelector('#app')?.outerHTML ?? '');
      expect(await shown()).not.toMatch(new RegExp(`${PAN}|${hex}`, 'i'));
      await page.getByRole('switch', {name: 'Show card numbers'}).click();
      expect(await shown()).toContain(PAN);
      await page.getByRole('switch').click();
      expect(await shown()).not.toMatch(new RegExp(`${PAN}|${hex}`, 'i'));
    });

    it('a card number that a request gives as the KSN', async () => {
      const {devicePayload} = SWIPE;
      const ksn = '4761739001010010';
      await give(JSON.stringify({deviceType: 'generic', devicePayload, ksn, deviceSerial: ksn}));
      const rows = page.locator('.keyline.rows');
      expect(await text(rows)).toContain('KSN 476173******0010');
      expect(await text(rows)).not.toContain(ksn);
      await page.getByRole('switch').click();
      expect(await text(rows)).toContain(`KSN ${ksn}`);
    });

    it('digits of a cleartext track in the payload', async () => {
      expect(await refused(`;${PAN}=08091011?`)).toMatch(/2110|2100/);
      expect(await page.evaluate(() => document.body.innerText)).not.toContain(PAN);
      expect(await payload().getAttribute('class')).toContain('discs');
    });

    it('nothing is stored', async () => {
      await give(SWIPE.devicePayload);
      await key().fill(TEST_BDK);
      await button('Decrypt').click();
      const stored = await page.evaluate(() => [
        ...Object.keys(localStorage),
        ...Object.keys(sessionStorage),
        document.cookie,
        location.hash,
      ]);
      expect(stored.join('')).toBe('');
    });
  });

  describe('decrypts with', () => {
    it.each([
      ['the BDK', TEST_BDK, 'the typed BDK'],
      // Initial key of KSN FFFF9876543210E00000, ANSI X9.24-1:2009, Annex A.
      ['the initial key', '6AC292FAA1315B4D858AB3A3D7D5933A', 'the typed initial key'],
    ])('%s', async (_, typed, role) => {
      await testKeys().uncheck();
      await give((await simulated({deviceType: 'idtech'})).devicePayload);
      expect(await card().count()).toBe(0);
      expect(await text(status())).toContain('Encrypted');
      await key().fill(typed);
      await button('Decrypt').click();
      expect(await text(card())).toContain('411111******1111');
      expect(await text(card())).toContain(role);
    });

    it('Enter in the key field', async () => {
      await testKeys().uncheck();
      await give(SWIPE.devicePayload);
      await key().fill(TEST_BDK.toLowerCase());
      await key().press('Enter');
      expect(await text(card())).toContain(MASKED);
    });

    it('no wrong key', async () => {
      await testKeys().uncheck();
      await give(SWIPE.devicePayload);
      await key().fill('00112233445566778899AABBCCDDEEFF');
      await button('Decrypt').click();
      expect(await text(alert())).toContain('2601');
      expect(await card().count()).toBe(0);
    });

    it('no key of another length, and says what was expected', async () => {
      await give(SWIPE.devicePayload);
      await key().fill(TEST_BDK.slice(1));
      expect(await text(page.locator('#key-line'))).toContain('found 31');
      expect(await key().getAttribute('aria-invalid')).toBe('true');
      await button('Decrypt').click();
      expect(await text(alert())).toContain('9015');
      expect(await text(alert())).not.toContain(TEST_BDK.slice(1));
    });

    it('no key at all', async () => {
      await testKeys().uncheck();
      await give(SWIPE.devicePayload);
      await button('Decrypt').click();
      expect(await text(alert())).toContain('2600');
    });
  });

  it('Forget deletes key, payload, card and results', async () => {
    await give(SWIPE.devicePayload);
    await key().fill(TEST_BDK);
    await page.getByRole('switch').click();
    await button('Decrypt').click();
    expect(await text(card())).toContain(PAN);
    await button('Forget').click();
    expect(await key().inputValue()).toBe('');
    expect((await payload().inputValue()).trim()).toBe('');
    expect(await card().count()).toBe(0);
    expect(await text(status())).toContain('deleted');
    const cut = status().evaluate(({scrollHeight, clientHeight}) => scrollHeight - clientHeight);
    expect(await cut).toBe(0);
    const html = await page.evaluate(() => document.querySelector('#app')?.outerHTML);
    expect(html).not.toContain(PAN);
    expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('false');
  });

  describe('takes', () => {
    it('a payload in other notations, and says so', async () => {
      const bytes = Buffer.from(SWIPE.devicePayload, 'hex');
      for (const given of [
        dumpOf(SWIPE.devicePayload),
        bytes.toString('base64'),
        `[${[...bytes].join(', ')}]`,
        `reader said: ${SWIPE.devicePayload} at 12:00`,
      ]) {
        await give(given);
        expect(await text(card())).toContain(MASKED);
        const note = readPaste(given)?.note ?? '?';
        expect(await page.evaluate(() => document.body.innerText)).toContain(note);
        await button('Forget').click();
      }
    });

    it('a binary file that is dropped', async () => {
      await drop(page, 'read.bin', Buffer.from(SWIPE.devicePayload, 'hex'));
      expect(await text(card())).toContain(MASKED);
      expect(await payload().inputValue()).toBe(SWIPE.devicePayload.toUpperCase());
    });

    it('no text of 10 MB', async () => {
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.setData('text', 'A'.repeat(10_485_760));
        document
          .querySelector('textarea')
          ?.dispatchEvent(
            new ClipboardEvent('paste', {clipboardData: data, cancelable: true, bubbles: true}),
          );
      });
      expect(await text(alert())).toContain('2006');
      expect(await text(alert())).toContain('10,485,760');
      expect((await payload().inputValue()).length).toBeLessThan(2);
    });

    it('no file of 12 MB', async () => {
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(12_000_000)], 'big'));
        dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
      });
      expect(await text(alert())).toContain('2006');
    });

    it.each([
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      '${alert(1)}',
      'javascript:alert(1)',
    ])('%s as text', async (given) => {
      expect(await refused(given)).toContain('2100');
      expect(await page.locator('img').count()).toBe(0);
      const bytes = await grid().getByRole('gridcell').allTextContents();
      expect(Buffer.from(bytes.join(''), 'hex').toString()).toBe(given);
    });
  });

  describe('a damaged payload', () => {
    it('that is cut shows what was read and where it stopped', async () => {
      await page.getByRole('combobox', {name: 'Terminal'}).selectOption('idtech');
      expect(await refused(SWIPE.devicePayload.slice(0, 400))).toContain('2102');
      expect(await text(page.locator('main'))).toContain('Parsing stopped at byte 189: 11 bytes');
      expect(await grid().locator('.stop').count()).toBe(1);
    });

    it('with a wrong LRC names the check', async () => {
      const {devicePayload} = await simulated({deviceType: 'idtech', damage: 'lrc'});
      await page.getByRole('combobox', {name: 'Terminal'}).selectOption('idtech');
      expect(await refused(devicePayload)).toContain('2101');
      expect(await text(alert())).toContain('LRC');
      expect(await text(tree())).toContain('✗');
      await field(/^KSN,/).click();
      expect(await grid().locator('.k-key').count()).toBe(10);
    });
  });

  describe('bytes and fields are linked', () => {
    it('by click, in both directions', async () => {
      await give(SWIPE.devicePayload);
      await cell(195).click();
      expect(await field(/^track 2 encrypted/).getAttribute('aria-selected')).toBe('true');
      expect(await cell(195).getAttribute('aria-label')).toBe(
        '87, offset 195, track 2 encrypted, byte 7 of 40',
      );
      await field(/^KSN,/).click();
      expect(await cell(401).getAttribute('class')).toContain('in');
      expect(await cell(195).getAttribute('class')).not.toMatch(/\bin\b/);
    });

    it('by the keyboard alone', async () => {
      await payload().focus();
      await page.keyboard.insertText(SWIPE.devicePayload);
      await grid().waitFor();
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press('Tab');
        if ((await focusedRole()) === 'gridcell') break;
      }
      expect(await focusedRole()).toBe('gridcell');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      expect(await focusedLabel()).toContain('offset 17');
      await page.keyboard.press(']');
      expect(await focusedLabel()).toContain('offset 82');
      await page.keyboard.press('Enter');
      // The byte is of the same field, and has its name.
      await expect.poll(focusedRole).not.toBe('gridcell');
      expect(await focusedLabel()).toContain('track 2 masked');
      await page.keyboard.press('ArrowDown');
      expect(await focusedLabel()).toContain('track 1 encrypted');
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      expect(await focusedLabel()).toContain('STX');
    });

    it('copies what is marked, as it is seen', async () => {
      await give(SWIPE.devicePayload);
      await cell(0).click();
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Control+c');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('0298');
    });
  });

  describe('diagnose', () => {
    it('finds a mistyped key, and applies it', async () => {
      await testKeys().uncheck();
      const bdk = 'C1D0F8FB4958670DBA40AB1F3752EF0D';
      const {devicePayload} = await simulate({deviceType: 'idtech', keys: [{bdk}]});
      await give(devicePayload);
      await key().fill(`${bdk.slice(0, 10)}0${bdk.slice(11)}`);
      await button('Decrypt').click();
      expect(await text(alert())).toContain('2601');
      await button('Diagnose').click();
      await page.getByText(/trials in/).waitFor();
      expect(await text(status().locator('.lead'))).toBe(LABELS['key-mistyped'].text);
      await button('Apply').click();
      expect(await text(card())).toContain('411111******1111');
    });

    it('says why a read failed without being asked', async () => {
      await testKeys().uncheck();
      await give(SWIPE.devicePayload);
      await key().fill('00112233445566778899AABBCCDDEEFF');
      await button('Decrypt').click();
      expect(await text(alert())).toContain('2601');
      await alert().getByText(LABELS['key-wrong'].text).waitFor();
    });

    it('is cancelled, and nothing is changed', async () => {
      const ciphertexts = [{name: 'data', hex: 'A1B2C3D4E5F60718'.repeat(40)}];
      await give(
        JSON.stringify({
          ciphertexts,
          ksn: '62994901190000000003',
          keys: [{kind: 'unknown', hex: '0011223344556677'.repeat(2)}],
        }),
      );
      await button('Diagnose').click();
      if (await button('Cancel').isEnabled()) {
        await button('Cancel').click();
        expect(await text(status())).toContain('Nothing was changed');
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Diagnose');
      }
    });
  });

  describe('the other views', () => {
    it('simulate what every terminal would send', async () => {
      await button('Simulate').click();
      const types = ['generic', 'idtech', 'miura', 'verifone', 'wisepad', 'prima'];
      for (const [i, type] of types.entries()) {
        await page.getByRole('combobox', {name: 'Terminal'}).selectOption(type);
        const [name, pan] =
          i % 2 === 0 ? ['amex', '378282*****0005'] : ['visa', '411111******1111'];
        await page.getByRole('combobox', {name: 'Test card'}).selectOption(name);
        await button('Generate').click();
        await expect.poll(() => text(card())).toContain(pan);
      }
    });

    it('simulate damage', async () => {
      await button('Simulate').click();
      await page.locator('summary').click();
      await page.getByRole('combobox', {name: 'Damage'}).selectOption('lrc');
      await button('Generate').click();
      await expect.poll(() => text(status())).toContain('2101');
      // Nobody asked to decrypt it yet.
      expect(await text(alert())).toBe('');
      expect(await page.locator('button.filled').allInnerTexts()).toEqual(['Generate']);
      await button('Decrypt').click();
      expect(await text(alert())).toContain('2101');
    });

    it('compare with what is pasted outside of every field', async () => {
      await button('Compare').click();
      const second = page.getByRole('textbox', {name: 'Second read'});
      for (const given of [SWIPE.devicePayload, JSON.parse(PRIVATE).devicePayload]) {
        await page.evaluate((one) => navigator.clipboard.writeText(one), given);
        await page.keyboard.press('Control+V');
        await page.getByRole('grid').first().waitFor();
      }
      expect(await payload().inputValue()).toBe(SWIPE.devicePayload);
      expect(await second.inputValue()).toBe(JSON.parse(PRIVATE).devicePayload);
    });

    it('keep a clear card number of the second read out of the document', async () => {
      await give(SWIPE.devicePayload);
      await button('Compare').click();
      const second = page.getByRole('textbox', {name: 'Second read'});
      await second.fill(`;${PAN}=08091011?`);
      await page.getByRole('region', {name: 'Read 2'}).waitFor();
      const session = await page.context().newCDPSession(page);
      const told = JSON.stringify(await session.send('Accessibility.getFullAXTree'));
      expect(told + (await second.inputValue())).not.toContain(PAN);
      await second.press('End');
      await second.press('Backspace');
      await page.getByRole('switch', {name: 'Show card numbers'}).click();
      expect(await second.inputValue()).toBe(`;${PAN}=08091011`);
    });

    it('compare two payloads field by field', async () => {
      await give(SWIPE.devicePayload);
      await button('Compare').click();
      const other = `${SWIPE.devicePayload.slice(0, -30)}FF${SWIPE.devicePayload.slice(-28)}`;
      const second = page.getByRole('textbox', {name: 'Second read'});
      await second.fill(other);
      const [one, two] = ['Read 1', 'Read 2'].map((name) => page.getByRole('region', {name}));
      if (!one || !two) throw new Error('There are two.');
      await two.getByRole('alert').getByText('2101').waitFor();
      expect(await text(one.getByRole('region', {name: 'Card'}))).toContain(MASKED);
      // The grid draws only what is seen.
      for (const side of [one, two]) {
        await side.getByRole('grid').evaluate((grid) => grid.parentElement?.scrollTo(0, 1e4));
        const differing = side.locator('.differs');
        await differing.waitFor();
        expect(await differing.getAttribute('data-i')).toBe('399');
      }
      await page.getByText(/\d+ the same, \d+ changed/).click();
      await second.fill('hello world');
      await two.getByRole('alert').getByText('2100').waitFor();
      expect(await page.getByText('the same').count()).toBe(0);
    });
  });

  describe('a link', () => {
    it('opens the payload that it holds, and does not stay in the address', async () => {
      await give(SWIPE.devicePayload);
      await button('Copy link').click();
      const link = await copied();
      page = await browser.open({url: PAGE + new URL(link, PAGE).hash});
      expect(await text(card())).toContain(MASKED);
      expect(page.url()).toBe(PAGE);
    });

    it('holds nothing that stands around the payload', async () => {
      for (const [before, after] of [
        [`INFO Authorization: Bearer hush, reference ${PAN}, payload=`, ' partnerKey=hush'],
        [`partnerKey=hush&reference=${PAN}&payload=`, '&token=hush'],
        [`partnerKey: hush\nreference: ${PAN}\npayload: `, '\nAuthorization: Bearer hush'],
        [`{"partnerKey":"hush","reference":"${PAN}","payload":"`, '","token":"hush"}'],
      ] as const) {
        await give(before + SWIPE.devicePayload + after);
        await button('Copy link').click();
        await page.getByText('Copied.').or(alert().getByText('published test')).waitFor();
        const links = (await page.getByText('Copied.').count()) === 0 ? [] : [await copied()];
        const held = links.map((link) => Buffer.from(link.slice(3), 'base64url').toString());
        expect(held.join('')).not.toMatch(/hush|Bearer|4266841088889999/);
        // What cannot be taken out of the text is refused.
        const isRefused = (await text(alert())).includes('published test cards only');
        expect([isRefused, ...held.map((one) => JSON.parse(one).payload)]).toEqual(
          isRefused ? [true] : [false, SWIPE.devicePayload],
        );
        await button('Forget').click();
      }
    });

    it('holds the read alone: terminal, payload, KSN and IV', async () => {
      const around = {partnerKey: 'hush', reference: PAN, Authorization: 'Bearer hush'};
      await give(JSON.stringify({...JSON.parse(sample('generic-tracks.json')), ...around}));
      await button('Copy link').click();
      const link = await copied();
      const {deviceType, devicePayload, ksn} = JSON.parse(sample('generic-tracks.json'));
      const linked = JSON.parse(Buffer.from(link.slice('#p='.length), 'base64url').toString());
      expect(linked).toEqual({terminal: deviceType, payload: devicePayload, ...(ksn && {ksn})});
      page = await browser.open({url: PAGE + link});
      expect(await text(card())).toMatch(/\d{6}\*{6}\d{4}/);
    });

    it('is refused for any other card', async () => {
      const devicePayload: string = JSON.parse(PRIVATE).devicePayload;
      const other = devicePayload.replace(/.(?=.{20}$)/, (digit) => (digit === '0' ? '1' : '0'));
      await give(JSON.stringify({...JSON.parse(PRIVATE), devicePayload: other}));
      await button('Copy link').click();
      expect(await text(alert())).toContain('published test cards only');
      expect(await page.getByText('Copied.').count()).toBe(0);
    });

    it.each([
      ['Copy link', 'published test cards only'],
      ['Copy request', 'would hold card data'],
      ['Copy command', 'would hold card data'],
    ])(
      'and every copy is refused where a card number was typed as the KSN: %s',
      async (name, why) => {
        await give(JSON.stringify({...SWIPE, ksn: '4111111111111111'}));
        await button(name).click();
        expect(await text(alert())).toContain(why);
        expect(await page.getByText('Copied.').count()).toBe(0);
      },
    );

    it.each(['#p=!!', '#p=AAAA', '#<img>', '#p=eyJfX3Byb3RvX18iOnt9fQ'])(
      'that is %s opens nothing',
      async (fragment) => {
        page = await browser.open({url: PAGE + fragment});
        expect(await text(alert())).toContain('This link holds no payload');
        expect(await grid().count()).toBe(0);
      },
    );
  });

  describe('gives away', () => {
    it('the command and the code of other languages that do the same, and JSON, masked', async () => {
      await give(SWIPE.devicePayload);
      await button('Copy command').click();
      const command = await copied();
      const [paylens, name, ...argv] = command.split(' ');
      expect([paylens, name]).toEqual(['paylens', 'decrypt']);
      const {stdout} = await runCommand('decrypt', [...argv, '--json']);
      expect(JSON.parse(stdout).extracted.PAN).toBe(PAN);
      for (const form of ['curl', 'Node.js', 'Python']) {
        await page.evaluate(() => navigator.clipboard.writeText(''));
        await button(`Copy ${form}`).click();
        await expect.poll(copied).toContain(SWIPE.devicePayload);
      }
      const waiting = page.waitForEvent('download');
      await button('Save JSON').click();
      const saved = await readFile(await (await waiting).path(), 'utf8');
      expect(JSON.parse(saved).deviceType).toBe('idtech');
      expect(saved).not.toContain(PAN);
    });

    it('a type that a request may name, where only the plaintext tells it', async () => {
      const swipe = readSamples('wisepad').find(({id}) => id === 'wisepad-fid60-t1');
      await give(`KSN: ${swipe?.request.ksn}\nDATA: ${swipe?.request.devicePayload}`);
      await page.getByRole('switch', {name: 'Show card numbers'}).click();
      await button('Copy request').click();
      const {devicePayload, ...settings} = JSON.parse(await copied());
      const {extracted} = decrypt(devicePayload, {...settings, testKeys: true});
      expect(settings.deviceType).toBe('wisepad');
      expect(swipe?.expect.response).toMatchObject({extracted});
    });

    it.each(['magtek', 'miura', 'spire'])('a generated read of %s whole', async (type) => {
      await button('Simulate').click();
      await page.getByRole('combobox', {name: 'Terminal'}).selectOption(type);
      await button('Generate').click();
      await expect.poll(() => text(card())).toContain('411111******1111');
      await button('Copy request').click();
      const {devicePayload, ...settings} = JSON.parse(await copied());
      const {extracted} = decrypt(devicePayload, {...settings, testKeys: true});
      expect(extracted.PAN).toBe('4111111111111111');
      const saved = page.waitForEvent('download');
      await button('Save request').click();
      expect((await saved).suggestedFilename()).toBe('request.json');
    });

    it('no card number that is not published, while it is masked', async () => {
      await button('Simulate').click();
      await page.getByRole('combobox', {name: 'Terminal'}).selectOption('magtek');
      await page.getByRole('textbox', {name: 'PAN'}).fill('5018000000000009');
      await button('Generate').click();
      await expect.poll(() => text(card())).toContain('501800******0009');
      await button('Copy request').click();
      await alert().getByText('The copy would hold card data.').waitFor();
      expect(await page.getByText('Copied.').count()).toBe(0);
    });

    it('nothing where the browser refuses, and says so', async () => {
      await give(SWIPE.devicePayload);
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowed'));
      });
      await button('Copy link').click();
      await alert().getByText('does not let this page copy').waitFor();
      expect(await page.getByText('Copied.').count()).toBe(0);
    });
  });

  it('asked for nothing but its own file', () => {
    const others = browser.requests.filter(
      (url) => !/^(?:file:.*explorer\.html|blob:|data:)/.test(url),
    );
    expect(others).toEqual([]);
    expect(browser.requests.length).toBeGreaterThan(10);
  });
});

async function focusedRole(): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('role'));
}

async function focusedLabel(): Promise<string> {
  return page.evaluate(
    () =>
      document.activeElement?.getAttribute('aria-label') ??
      document.activeElement?.textContent ??
      '',
  );
}

/** As xxd prints it. */
function dumpOf(hex: string): string {
  const lines = hex.match(/.{1,32}/g) ?? [];
  return lines
    .map((line, i) => {
      const offset = (16 * i).toString(16).padStart(8, '0');
      const pairs = (line.match(/.{1,4}/g) ?? []).join(' ').toLowerCase().padEnd(39);
      const shown = Buffer.from(line, 'hex')
        .toString('latin1')
        .replaceAll(/[^ -~]/g, '.');
      return `${offset}: ${pairs}  ${shown}`;
    })
    .join('\n');
}
