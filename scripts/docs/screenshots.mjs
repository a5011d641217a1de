// Takes the pictures of docs/images with the Chromium of the system, from the built pages, with
// published test cards, in 256 colours by pngquant: `npm run docs:pictures`.
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
const explorer = `file://${path.join(root, 'dist/page/explorer.html')}`;
const file = path.join(root, 'samples/idtech-swipe.json');
const swipe = JSON.parse(readFileSync(file, 'utf8'));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text'],
});
try {
  await take('explorer-swipe', explorer, async (page) => {
    await payload(page).fill(JSON.stringify(swipe));
    await page.locator('[data-i="194"]').first().click();
  });
  await take('explorer-diagnose', explorer, async (page) => {
    await page.getByRole('checkbox', {name: 'Published test keys'}).uncheck();
    const {stdout} = run('simulate', '-t', '-j', '-d', 'idtech', '--mode', 'emv');
    await payload(page).fill(JSON.parse(stdout).devicePayload);
    await page.getByRole('textbox', {name: 'Key'}).fill('0123456789ABCDEFFEDCBA9876543201');
    await page.getByRole('button', {name: 'Diagnose'}).click();
    await page.locator('.verdicts').waitFor({timeout: 60_000});
  });
  await inspector();
} finally {
  await browser.close();
}

/** A demo service with answered requests and one whose signature is wrong. */
async function inspector() {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-pictures-'));
  const server = spawn(process.execPath, [bin, 'serve', '--demo', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = await once(createInterface({input: server.stdout}), 'line');
    const {url, partner} = JSON.parse(line);
    const keys = ['shared.txt', 'wrong.txt'].map((name) => path.join(folder, name));
    writeFileSync(keys[0], partner.sharedKey, {mode: 0o600});
    writeFileSync(keys[1], '0'.repeat(64), {mode: 0o600});
    for (const [i, key] of [keys[0], keys[1], keys[0]].entries()) {
      const argv = ['send', 'payload', file, '--base-url', url, '--partner', 'DEMO'];
      run(...argv, '--shared-key-file', key, '--reference', `order-${1042 + i}`);
    }
    await take('inspector', url, async (page) => {
      await page.getByRole('grid', {name: 'Requests'}).getByRole('row').nth(1).click();
      await page.getByText('String to sign').waitFor();
    });
  } finally {
    server.kill();
    rmSync(folder, {recursive: true});
  }
}

function payload(page) {
  return page.getByRole('textbox', {name: 'Payload'});
}

function run(...argv) {
  return spawnSync(process.execPath, [bin, ...argv], {encoding: 'utf8'});
}

async function take(name, url, act) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  await page.goto(url);
  await act(page);
  await page.waitForTimeout(500);
  const colours = ['--quality', '90-100', '--speed', '1', '--nofs', '256', '-'];
  const {stdout} = spawnSync('pngquant', colours, {input: await page.screenshot()});
  writeFileSync(path.join(root, 'docs/images', `${name}.png`), stdout);
  await page.close();
}
