import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {Ajv, type ValidateFunction} from 'ajv';
import type {Page} from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import {FURTHER_TYPES} from '../../../src/engine/families/registry.js';
import {simulate} from '../../../src/index.js';
import {startServer} from '../../../src/server.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {tell} from '../../service/control/control-client.js';
import {rowsOf as serverRows, watch} from '../../service/inspector/inspector-client.js';
import {Browser, CHROMIUM} from '../browser.js';
import {
  everythingIn,
  openInspector,
  PARSER,
  rowsOf,
  send,
  sendSigned,
  swipe,
} from './inspector-page.js';

const TOKEN = 'T'.repeat(43);

const browser = new Browser();
let demo: LaunchedService;
let page: Page;

const button = (name: string) => page.getByRole('button', {name, exact: true});
const texts = () => rowsOf(page).allInnerTexts();
const open = async (index = 0) => {
  await rowsOf(page).nth(index).click();
  await page.getByRole('heading', {name: 'Headers'}).waitFor();
};

const validateHar = (() => {
  const ajv = new Ajv({strict: false, validateFormats: false});
  const require = createRequire(import.meta.url);
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'));
  ajv.addSchema(Object.values(require('har-schema')));
  return ajv.getSchema('har.json#') as ValidateFunction;
})();

/** What the published schema of HAR 1.2 says against a file. */
function harFaults(har: object): readonly unknown[] {
  return validateHar(har) ? [] : (validateHar.errors ?? []);
}

describe.skipIf(!CHROMIUM)('the page of requests', () => {
  beforeAll(() => browser.start());
  afterAll(() => browser.stop());
  beforeEach(async () => {
    demo = await launch({mode: 'demo', registry: demoRegistry()});
    page = await openInspector(browser, demo.url);
  });
  afterEach(async () => {
    await demo.close();
    expect(browser.faults.splice(0)).toEqual([]);
  });

  test('says what to do when there are no requests yet', async () => {
    await expect.poll(() => page.getByText('No requests yet').isVisible()).toBe(true);
    expect(await page.getByText(demo.url).first().isVisible()).toBe(true);
    await send(demo.url, {reference: 'first'});
    await expect.poll(texts).toHaveLength(1);
  });

  test('shows requests as they come, the newest on top', async () => {
    await send(demo.url, {reference: 'one'});
    await expect.poll(texts).toHaveLength(1);
    await send(demo.url, {reference: 'two'});
    await expect.poll(async () => (await texts())[0]).toContain('two');
  });

  test('has every name that is promised, each once', async () => {
    await send(demo.url);
    await expect.poll(texts).toHaveLength(1);
    await open();
    for (const name of ['Replay', 'Pause', 'Clear'])
      expect(await page.getByRole('button', {name}).filter({visible: true}).count()).toBe(1);
    expect(await page.getByRole('grid', {name: 'Requests'}).count()).toBe(1);
    expect(await page.getByRole('switch', {name: 'Show card numbers'}).count()).toBe(1);
  });

  test('filters by every field', async () => {
    await send(demo.url, {reference: 'plain'});
    await send(demo.url, {...swipe(), reference: 'card'}, PARSER);
    await send(demo.url, {serial: 'DEMO0003', reference: 'device'}, '/api/v1/device/validate');
    await sendSigned(demo.url, '{"reference":"signed"}', 'x');
    await expect.poll(texts).toHaveLength(4);
    for (const [filter, expected] of [
      ['401', ['signed']],
      ['errCode:1204', ['device']],
      ['operation:validate-device', ['device']],
      ['partner:demo status:200', ['card', 'plain']],
      ['device:idtech', ['card']],
      ['reference:pla', ['plain']],
      ['text:nothing-like-it', []],
      ['card', ['card']],
    ] as const) {
      await page.getByRole('searchbox', {name: 'Search requests'}).fill(filter);
      await expect.poll(texts).toEqual(expected.map((name) => expect.stringContaining(name)));
    }
  });

  test('explains a refusal first, then shows the steps and the string to sign', async () => {
    await sendSigned(demo.url, '{"reference":"r"}\n', '{"reference":"r"}');
    await expect.poll(texts).toHaveLength(1);
    await open();
    const said = await page.getByRole('region', {name: 'Details'}).innerText();
    const order = [
      '401',
      'The body was trimmed before it was hashed.',
      'Body hash',
      'String to sign',
      'Headers',
      '\nBody\n',
    ];
    const places = order.map((text) => said.indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const steps = page.getByRole('region', {name: 'Details'}).getByRole('listitem');
    expect(await steps.filter({hasText: 'Partner'}).innerText()).toMatch(/^\W*passed/);
    expect(await steps.filter({hasText: 'Signature'}).innerText()).toMatch(/^\W*failed/);
    expect(await steps.filter({hasText: 'Nonce'}).innerText()).toMatch(/^\W*not reached/);
  });

  test('shows the payload as the explorer does, masked until asked', async () => {
    await send(demo.url, {...swipe(), reference: 'r'}, PARSER);
    await expect.poll(texts).toHaveLength(1);
    await open();
    await page.getByRole('grid', {name: 'Bytes'}).waitFor();
    expect(await page.getByRole('treeitem').count()).toBeGreaterThan(5);
    expect(await everythingIn(page)).not.toContain('4266841088889999');
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
    await expect.poll(() => everythingIn(page)).toContain('4266841088889999');
    await page.getByRole('switch', {name: 'Show card numbers'}).click();
    await expect.poll(() => everythingIn(page)).not.toContain('4266841088889999');
  });

  test('sends a request again, as it was', async () => {
    await sendSigned(demo.url, '{"reference":"again"}');
    await expect.poll(texts).toHaveLength(1);
    await open();
    await button('Replay').click();
    await page.getByText('Sent again: 401.').waitFor();
    await page.getByRole('searchbox').click();
    await expect.poll(texts).toHaveLength(2);
    await open();
    await page.getByText('The nonce was already used', {exact: false}).first().waitFor();
  });

  test('sends a request edited and signed again', async () => {
    await sendSigned(demo.url, '{"reference":"before"}', 'x');
    await expect.poll(texts).toHaveLength(1);
    await open();
    await button('Edit and sign').click();
    const body = page.getByRole('textbox', {name: 'Body'});
    await expect.poll(() => body.inputValue()).toBe('{"reference":"before"}');
    await body.fill('{"reference":"after"}');
    await button('Sign and send').click();
    await page.getByText('Sent: 200.').waitFor();
    await expect.poll(async () => (await texts()).join()).toContain('after');
  });

  test('says why an edit cannot be sent', async () => {
    await send(demo.url);
    await expect.poll(texts).toHaveLength(1);
    await open();
    await button('Edit and sign').click();
    await page.getByRole('textbox', {name: 'Path'}).fill('/_reset');
    // Its credentials are in the body: there is nothing to sign.
    await page.getByText('Its credentials are in the body').waitFor();
    await button('Send').click();
    await expect
      .poll(() => page.getByRole('alert').filter({visible: true}).innerText())
      .toContain('expected a path of the interface');
  });

  test('pauses, counts what comes, and goes on', async () => {
    await send(demo.url, {reference: 'seen'});
    await expect.poll(texts).toHaveLength(1);
    await button('Pause').click();
    await send(demo.url, {reference: 'later'});
    await page.getByText('Paused: 1 new request').waitFor();
    expect(await texts()).toHaveLength(1);
    await button('Pause').click();
    await expect.poll(texts).toHaveLength(2);
  });

  test('holds still while it has the focus, and says how many are new', async () => {
    await send(demo.url, {reference: 'focused'});
    await expect.poll(texts).toHaveLength(1);
    await rowsOf(page).first().focus();
    await send(demo.url, {reference: 'one'});
    await send(demo.url, {reference: 'two'});
    const fresh = page.getByRole('button', {name: '2 new'});
    await fresh.waitFor();
    expect(await texts()).toHaveLength(1);
    await fresh.click();
    await expect.poll(texts).toHaveLength(3);
  });

  test('clears the list, here and on the server', async () => {
    await send(demo.url);
    await expect.poll(texts).toHaveLength(1);
    await button('Clear').click();
    await expect.poll(texts).toHaveLength(0);
    expect(await (await fetch(`${demo.url}/_requests`)).json()).toEqual([]);
  });

  test('brings a cleared list back, by the keyboard, with what came with each request', async () => {
    for (const reference of ['one', 'two']) await send(demo.url, {reference});
    await expect.poll(texts).toHaveLength(2);
    await button('Clear').focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 requests cleared.').waitFor();
    await expect.poll(texts).toHaveLength(0);
    await send(demo.url, {reference: 'three'});
    await expect.poll(texts).toHaveLength(1);
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Undo');
    await page.keyboard.press('Enter');
    await expect.poll(texts).toHaveLength(3);
    const shown = await texts();
    for (const [i, reference] of ['three', 'two', 'one'].entries())
      expect(shown[i]).toContain(reference);
    expect(await button('Undo').count()).toBe(0);
    await rowsOf(page).nth(2).click();
    await page.getByText('The server no longer keeps what came with this request.').waitFor();
    await page.getByText('"reference":"one"').first().waitFor();
    expect(await button('Replay').isDisabled()).toBe(true);
    // It stays when the connection is made anew, which tells again what was cleared.
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.waitForTimeout(600);
    expect(await texts()).toHaveLength(3);
  });

  test('leaves pinned rows when it clears, with what came with them', async () => {
    for (const reference of ['one', 'two', 'three']) await send(demo.url, {reference});
    await expect.poll(texts).toHaveLength(3);
    await rowsOf(page).nth(1).focus();
    await page.keyboard.press('p');
    await button('Clear').click();
    await expect.poll(texts).toHaveLength(1);
    expect((await texts())[0]).toContain('two');
    await page.waitForTimeout(600);
    expect(await texts()).toHaveLength(1);
    await rowsOf(page).first().click();
    await page.getByText('"reference":"two"').first().waitFor();
  });

  test('is cleared for good after some seconds', async () => {
    await send(demo.url);
    await expect.poll(texts).toHaveLength(1);
    await page.clock.install();
    onTestFinished(() => page.context().close());
    await button('Clear').click();
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Undo');
    await page.clock.fastForward(11_000);
    await expect.poll(() => button('Undo').count()).toBe(0);
    expect(await texts()).toHaveLength(0);
  });

  test('is cleared in another tab as well', async () => {
    await send(demo.url);
    await expect.poll(texts).toHaveLength(1);
    const other = await page.context().newPage();
    await other.goto(demo.url);
    await expect.poll(() => rowsOf(other).count()).toBe(1);
    await button('Clear').click();
    await expect.poll(() => rowsOf(other).count()).toBe(0);
    await other.close();
  });

  test('pins a row above the others', async () => {
    for (const reference of ['one', 'two', 'three']) await send(demo.url, {reference});
    await expect.poll(texts).toHaveLength(3);
    await rowsOf(page).nth(2).focus();
    await page.keyboard.press('p');
    await expect.poll(async () => (await texts())[0]).toContain('one');
    expect(await rowsOf(page).first().getByRole('img', {name: 'pinned'}).count()).toBe(1);
  });

  test('is used by the keyboard alone', async () => {
    for (const reference of ['one', 'two', 'three']) await send(demo.url, {reference});
    await expect.poll(texts).toHaveLength(3);
    await page.keyboard.press('F6');
    await page.keyboard.press('F6');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'Headers'}).waitFor();
    const chosen = page.locator('[role="row"][aria-selected="true"]');
    expect(await chosen.innerText()).toContain('two');
    await page.keyboard.press('Home');
    await expect.poll(() => chosen.innerText()).toContain('three');
    await page.keyboard.press('/');
    await page.keyboard.type('one');
    await expect.poll(texts).toHaveLength(1);
  });

  test('queues answers, shows them and removes them', async () => {
    await button('Queue an answer').click();
    await page.getByRole('combobox', {name: 'Kind'}).selectOption('error');
    await page.getByRole('textbox', {name: 'Value'}).fill('2601');
    await button('Add to the queue').click();
    const chip = page.getByRole('button', {name: 'Remove error:2601'});
    await chip.waitFor();
    await chip.click();
    await expect.poll(() => chip.count()).toBe(0);
    await button('Queue an answer').click();
    await page.getByRole('combobox', {name: 'Kind'}).selectOption('card');
    await page.getByRole('combobox', {name: 'Value'}).selectOption('amex');
    await button('Add to the queue').click();
    await page.getByRole('button', {name: 'Remove card:amex'}).waitFor();
    const [answer] = (await (await fetch(`${demo.url}/_answers`)).json()) as {answer: object}[];
    expect(answer?.answer).toEqual({card: 'amex'});
    await send(demo.url, {...swipe()}, PARSER);
    await expect.poll(() => page.getByRole('button', {name: 'Remove card:amex'}).count()).toBe(0);
  });

  test('says why an answer cannot be queued', async () => {
    await button('Queue an answer').click();
    await page.getByRole('combobox', {name: 'Kind'}).selectOption('error');
    await page.getByRole('textbox', {name: 'Value'}).fill('77');
    await button('Add to the queue').click();
    await expect
      .poll(() => page.getByRole('alert').filter({visible: true}).innerText())
      .toContain('expected an error code of the service');
  });

  test('copies as curl, which bash sends as it was', async () => {
    const body = `{"reference":"it's $(id) \`id\` \\u0041 \\"x\\" ! \u00e9"}`;
    await sendSigned(demo.url, body, 'x');
    await expect.poll(texts).toHaveLength(1);
    await open();
    await page.getByRole('combobox', {name: 'Copy as'}).selectOption('curl');
    await page.getByText('Copied.').waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    const {stdout} = await runShell('bash', command);
    expect(JSON.parse(stdout).success).toBe(true);
    expect(JSON.parse(stdout).reference).toBe(JSON.parse(body).reference);
  });

  test.each(['Python', 'fetch'])('copies as %s, which runs', async (form) => {
    await sendSigned(demo.url, '{"reference":"caf\u00e9 \\" </script> \u{1f600}"}', 'x');
    await expect.poll(texts).toHaveLength(1);
    await open();
    await page.getByRole('combobox', {name: 'Copy as'}).selectOption(form);
    await page.getByText('Copied.').waitFor();
    const script = String(await page.evaluate('navigator.clipboard.readText()'));
    const run = form === 'Python' ? ['python3', '-'] : ['node', '--input-type=module'];
    const {stdout, stderr} = await runShell(run[0] ?? '', script, run.slice(1));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^200 /);
  });

  test('saves what it shows as HAR and JSON lines, without secrets', async () => {
    await send(demo.url, {reference: 'saved'});
    await send(demo.url, {...swipe(), reference: 'other'}, `${PARSER}?a=1&b=%20`);
    await fetch(`${demo.url}/api/v1/nowhere`);
    await sendSigned(demo.url, '{}', 'x');
    await expect.poll(texts).toHaveLength(4);
    const save = async (form: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('combobox', {name: 'Save as'}).selectOption(form),
      ]);
      return readFileSync(await download.path(), 'utf8');
    };
    const har = JSON.parse(await save('HAR'));
    expect(harFaults(har)).toEqual([]);
    expect(harFaults({log: {...har.log, creator: {}}})).not.toEqual([]);
    const [saved, other, nowhere] = har.log.entries;
    expect(saved.request.postData).toMatchObject({mimeType: 'application/json'});
    expect(other.request.queryString).toEqual([
      {name: 'a', value: '1'},
      {name: 'b', value: ' '},
    ]);
    expect(nowhere.request).toMatchObject({method: 'GET', url: `${demo.url}/api/v1/nowhere`});
    expect(nowhere.request.postData).toBeUndefined();
    expect(har.log.entries.map(({response}: {response: object}) => response)).toMatchObject(
      [200, 200, 404, 401].map((status) => ({status})),
    );
    expect(har.log.entries[0].request.postData.text).toContain('"reference":"saved"');
    const lines = (await save('JSON lines'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({reference}) => reference)).toEqual(['saved', 'other', undefined, undefined]);
    expect(JSON.stringify([har, lines])).not.toContain('d3m0d3m0');
  });

  test('shows a queued card, signed strings and a new row after Replay', async () => {
    await tell(demo.url, 'POST /_answers', {answer: {card: 'amex'}});
    await send(demo.url, {...swipe()}, PARSER);
    await expect.poll(texts).toHaveLength(1);
    await open();
    await page.getByText('the response has another one: 378282*****0005').waitFor();
    expect(await page.getByRole('link', {name: 'Open in explorer'}).getAttribute('href')).toMatch(
      /^\/explore#p=[\w-]+$/,
    );
    await page.getByText('bytes as sent').last().click();
    await page.getByText('0000 48 54 54 50 2F 31 2E 31').waitFor();
    await button('Replay').click();
    await expect.poll(texts).toHaveLength(2);
    await sendSigned(demo.url, '{"a": 1}', '{"a":1}');
    await expect.poll(texts).toHaveLength(3);
    await open();
    await page.getByText('They differ from line 5, character 1.').waitFor();
    expect(await page.locator('mark').count()).toBe(2);
    await page.getByText('Compare with the string of your code').click();
    await page
      .getByRole('textbox', {name: 'String of your code'})
      .fill('POST /api/partner/validate');
    await page.getByText('They differ from line 1, character 11.').waitFor();
  });

  test('keeps a thousand rows, and paints only those that are seen', async () => {
    await Promise.all(
      Array.from({length: 8}, async () => {
        for (let i = 0; i < 125; i++) await send(demo.url, {reference: `r-${i}`});
      }),
    );
    await send(demo.url, {reference: 'last'});
    await expect.poll(async () => (await texts())[0]).toContain('last');
    await page.getByText('1,000 of 1,000 kept').waitFor();
    expect(await page.getByRole('grid', {name: 'Requests'}).getAttribute('aria-rowcount')).toBe(
      '1000',
    );
    expect(await rowsOf(page).count()).toBeLessThan(120);
    await rowsOf(page).first().focus();
    await page.keyboard.press('End');
    await expect.poll(() => rowsOf(page).last().getAttribute('aria-rowindex')).toBe('1000');
  });

  test('connects again, says so, and tells what a restart means', async () => {
    await send(demo.url, {reference: 'before'});
    await expect.poll(texts).toHaveLength(1);
    const port = Number(new URL(demo.url).port);
    await demo.close();
    await page.getByText(/Connection lost\. Next attempt in \d+ s\./).waitFor();
    expect(await button('Clear').isDisabled()).toBe(true);
    expect(await texts()).toHaveLength(1);
    demo = await launch({mode: 'demo', registry: demoRegistry(), port});
    await page.getByText('The server restarted; 1 request below is from before.').waitFor();
    await send(demo.url, {reference: 'after'});
    await expect.poll(texts).toHaveLength(2);
    expect((await texts())[0]).toContain('after');
  });

  test('a page that is older than its server says so', async () => {
    onTestFinished(() => page.unrouteAll());
    let hellos = 0;
    await page.route('**/_inspector/stream**', (route) => {
      hellos += 1;
      const hello = {server: `s${hellos}`, mode: 'demo', version: `${hellos}.0.0`, kept: 1000};
      return route.fulfill({status: 200, body: `${JSON.stringify({hello})}\n`});
    });
    await page.reload();
    await page.getByText('This page is older than the server.').waitFor();
    expect(await page.getByRole('button', {name: 'Reload'}).isVisible()).toBe(true);
  });

  test('says how many requests it has missed', async () => {
    await send(demo.url, {reference: 'first'});
    const [line] = await watch(demo.url, (all) => all.length > 0);
    const [row] = await serverRows(demo.url, 1);
    if (!row) throw new Error('no row');
    // More than the server keeps, while the page is away.
    await page.goto('about:blank');
    for (let i = 0; i < 1010; i += 10)
      await Promise.all(Array.from({length: 10}, () => send(demo.url)));
    onTestFinished(() => page.unrouteAll());
    let connections = 0;
    await page.route('**/_inspector/stream**', (route) => {
      connections += 1;
      if (connections > 1) return route.continue();
      const lines = [line, {requests: [row], cursor: {[row.process]: row.sequence}}];
      return route.fulfill({
        status: 200,
        body: lines.map((each) => `${JSON.stringify(each)}\n`).join(''),
      });
    });
    await page.goto(demo.url);
    await page.getByText('Connection lost').waitFor();
    await page.getByText('10 requests were not kept.').waitFor();
    expect((await texts())[0]).toContain('validate-partner');
  });

  test('in a narrow window a request takes the place of the list', async () => {
    await send(demo.url, {reference: 'narrow'});
    await page.setViewportSize({width: 390, height: 800});
    await expect.poll(texts).toHaveLength(1);
    await open();
    expect(await page.getByRole('grid', {name: 'Requests'}).isVisible()).toBe(false);
    await button('Back to requests').click();
    expect(await page.getByRole('grid', {name: 'Requests'}).isVisible()).toBe(true);
  });

  test('filters the requests of serve --extended by each further family', async () => {
    const types = ['idtech' as const, ...FURTHER_TYPES];
    const server = await startServer({mode: 'demo', extended: true});
    await openInspector(browser, server.url);
    for (const deviceType of types) {
      const request = await simulate({deviceType, card: 'amex', testKeys: true});
      const status = await send(server.url, {...request, reference: `read ${deviceType}`}, PARSER);
      expect([deviceType, status]).toEqual([deviceType, 200]);
    }
    await expect.poll(() => rowsOf(page).count()).toBe(types.length);
    for (const type of types) {
      await page.getByRole('searchbox').fill(`device:${type} 200`);
      await expect
        .poll(() => rowsOf(page).allInnerTexts())
        .toEqual([expect.stringContaining(`read ${type}`)]);
    }
    await page.getByRole('searchbox').fill('device:nobody');
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    await server.close();
  });

  describe('in real mode', () => {
    let real: LaunchedService;
    beforeEach(async () => {
      real = await launch({mode: 'real', registry: demoRegistry(), inspectorToken: TOKEN});
    });
    afterEach(() => real.close());

    test('asks for the token, keeps it in memory, and sets no cookie', async () => {
      await page.goto(real.url);
      await page.getByText('this page needs its token').waitFor();
      const own = await browser.fresh();
      await own.goto(`${real.url}/#token=${TOKEN}`);
      await own.getByText('No requests yet').waitFor();
      expect(own.url()).toBe(`${real.url}/`);
      expect(await everythingIn(own)).not.toContain(TOKEN);
      expect(await own.context().cookies()).toEqual([]);
      await own.reload();
      await own.getByText('this page needs its token').waitFor();
      // The printed address in the same tab changes the fragment alone, and loads nothing.
      await own.evaluate(`location.href = '${real.url}/#token=${TOKEN}'`);
      await own.getByText('No requests yet').waitFor();
      expect(own.url()).toBe(`${real.url}/`);
      await page.goto(`${real.url}/#token=${TOKEN}`);
      await page.getByText('No requests yet').waitFor();
      await own.context().close();
    });

    test('shows fields without card numbers, replays nothing, queues nothing', async () => {
      await page.goto(`${real.url}/#token=${TOKEN}`);
      await page.getByText('No requests yet').waitFor();
      await send(real.url, {...swipe(), reference: 'real'}, PARSER);
      await expect.poll(texts).toHaveLength(1);
      await open();
      await page.getByRole('treeitem').first().waitFor();
      expect(await button('Replay').isDisabled()).toBe(true);
      expect(await button('Edit and sign').isDisabled()).toBe(true);
      expect(await page.getByRole('switch', {name: 'Show card numbers'}).isDisabled()).toBe(true);
      expect(await button('Queue an answer').count()).toBe(0);
      expect(await everythingIn(page)).not.toContain('4266841088889999');
    });
  });
});

/** Another process, so that this one can answer it. */
async function runShell(program: string, input: string, args: readonly string[] = []) {
  const {spawn} = await import('node:child_process');
  const {text} = await import('node:stream/consumers');
  const child = spawn(program, [...args], {stdio: 'pipe'});
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return {stdout, stderr};
}
