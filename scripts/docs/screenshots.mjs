// Takes the pictures of docs/images with the Chromium of the system, from the built pages: a fixed
// window, published test cards, and fixed times in place of those of the machine.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = path.join(root, 'bin/run.js');
const swipe = readFileSync(path.join(root, 'samples/idtech-swipe.json'), 'utf8');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text'],
});
try {
  await explorer('explorer-swipe', async (page) => {
    await payload(page).fill(JSON.stringify(JSON.parse(swipe)));
    await page.locator('[data-i="194"]').first().click();
  });
  await explorer('explorer-diagnose', async (page) => {
    await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
    const {devicePayload} = JSON.parse(
      paylens('simulate', '-t', '-j', '-d', 'idtech', '--mode', 'emv'),
    );
    await payload(page).fill(devicePayload);
    await page.getByRole('textbox', {name: 'Key'}).fill('0123456789ABCDEFFEDCBA9876543201');
    await page.getByRole('button', {name: 'Diagnose'}).click();
    await page.locator('.verdicts').waitFor({timeout: 60_000});
    await fix(page, '[role=status] > .quiet', '2,000 trials in 0.4 s');
  });
  await inspector();
} finally {
  await browser.close();
}

async function explorer(name, act) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  await page.goto(`file://${path.join(root, 'dist/page/explorer.html')}`);
  await act(page);
  await take(page, name);
}

/** A demo service with an answered request and one whose signature is wrong. */
async function inspector() {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-pictures-'));
  const server = spawn(process.execPath, [bin, 'serve', '--demo', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = await once(createInterface({input: server.stdout}), 'line');
    const {url, partner} = JSON.parse(line);
    const key = path.join(folder, 'shared.txt');
    writeFileSync(key, partner.sharedKey, {mode: 0o600});
    const file = path.join(root, 'samples/idtech-swipe.json');
    const send = ['send', 'payload', file, '--base-url', url, '--quiet', '--partner', 'DEMO'];
    send.push('--shared-key-file', key);
    paylens(...send, '--reference', 'order-1042');
    const body = JSON.stringify({...JSON.parse(swipe), reference: 'order-1043'});
    await fetch(`${url}/api/v1/decrypt/parser`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization:
          'Hmac username="DEMO", nonce="1", timestamp="1", response="' + '0'.repeat(64) + '"',
      },
      body,
    });
    paylens(...send, '--reference', 'order-1044');
    const page = await browser.newPage({viewport: {width: 1280, height: 800}});
    await page.goto(url);
    const rows = page.getByRole('grid', {name: 'Requests'}).getByRole('row');
    await rows.nth(1).click();
    await page.waitForTimeout(500);
    await withoutClock(page);
    await take(page, 'inspector');
  } finally {
    server.kill();
    rmSync(folder, {recursive: true});
  }
}

function payload(page) {
  return page.getByRole('textbox', {name: 'Payload'});
}

function paylens(...argv) {
  const {stdout, stderr, status} = spawnSync(process.execPath, [bin, ...argv], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`paylens ${argv.join(' ')}: ${stderr}`);
  return stdout;
}

function fix(page, selector, text) {
  return page.evaluate(
    ([where, what]) => {
      for (const one of document.querySelectorAll(where)) one.textContent = what;
    },
    [selector, text],
  );
}

/** Times, durations and ports differ from run to run. */
function withoutClock(page) {
  return page.evaluate(() => {
    document.body.normalize();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      node.data = node.data
        .replaceAll(/\b\d\d:\d\d:\d\d(?:\.\d+)?/g, '07:50:56.5')
        .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T07:50:56Z')
        .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
        .replaceAll(/\b\d+(?:\.\d+)? ms/g, '3.4 ms')
        .replace(/^\d+\.\d$/, '3.4');
    }
  });
}

async function take(page, name) {
  await page.waitForTimeout(300);
  const png = await page.screenshot();
  writeFileSync(path.join(root, 'docs/images', `${name}.png`), png);
  console.log(`docs/images/${name}.png: ${Math.round(png.length / 1000)} kB`);
  await page.close();
}
