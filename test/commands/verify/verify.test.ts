import {generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {chmodSync, copyFileSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startServer, type TestServer} from '../../../src/service/start-server.js';
import {runCommand} from '../../cli/run-command.js';
import {readXml} from '../../cli/verify/strict-xml.js';

const PAGE_AND_HEADING = /^docs\/(?:interface|contract)\.md#[a-z-]+$/;
const NOBODY = {serial: 'NOBODY', firmware: '1'};
const CONFIG = ['--config', 'samples/verify-demo.json'];
const folder = mkdtempSync(path.join(tmpdir(), 'paylens-verify-'));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('verify', () => {
  test('is green at level paylens against our own demo server', async () => {
    const argv = [server.url, ...CONFIG, '--level', 'paylens', '--json'];
    const {exitCode, stdout} = await runCommand('verify', argv);
    const {failed, notRun, passed} = JSON.parse(stdout);
    expect({exitCode, failed, notRun, ran: passed > 90}).toEqual({
      exitCode: 0,
      failed: 0,
      notRun: 0,
      ran: true,
    });
  });

  test('ends with 7 and says what was expected and received when a rule is broken', async () => {
    const config = path.join(folder, 'wrong.json');
    const demo = JSON.parse(readFileSync('samples/verify-demo.json', 'utf8'));
    writeFileSync(
      config,
      JSON.stringify({...demo, partner: {...demo.partner, rsaPrivateKeyFile: ''}, device: NOBODY}),
    );
    const argv = [server.url, '--config', config, '--only', 'device-valid'];
    const {exitCode, stdout} = await runCommand('verify', argv);
    expect(exitCode).toBe(7);
    expect(stdout).toMatch(/expected success true[\s\S]*received[\s\S]*1202/);
  });

  test('warns of a signing key that others can read, but not of the published one', async () => {
    const only = ['--only', 'partner-valid'];
    const published = await runCommand('verify', [server.url, ...CONFIG, ...only]);
    const config = path.join(folder, 'own.json');
    copyFileSync('samples/verify-demo.json', config);
    const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
    const pem = privateKey.export({type: 'pkcs8', format: 'pem'});
    writeFileSync(path.join(folder, 'demo-rsa-key.pem'), pem);
    chmodSync(path.join(folder, 'demo-rsa-key.pem'), 0o644);
    const own = await runCommand('verify', [server.url, '--config', config, ...only]);
    expect([published.stderr, own.stderr].map((text) => text.includes('chmod 600'))).toEqual([
      false,
      true,
    ]);
  });

  test('refuses a configuration with a member that it does not know', async () => {
    const config = path.join(folder, 'mistyped.json');
    writeFileSync(config, JSON.stringify({partners: {}}));
    const {stderr, exitCode} = await runCommand('verify', [server.url, '--config', config]);
    expect({exitCode, stderr}).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(
        /configuration: expected members partner, .*, found partners$/m,
      ),
    });
  });

  test('says what the configuration lacks for what was not run', async () => {
    const {stdout} = await runCommand('verify', [server.url, '--only', 'hmac-valid']);
    expect(stdout).toMatch(/not run.*not in the configuration: hmac/s);
  });

  test('says it once for all that lack the same', async () => {
    const {stdout, stderr} = await runCommand('verify', [server.url]);
    const counts = [...stdout.matchAll(/^- (\d+) scenarios? not run/gm)];
    const total = counts.reduce((sum, [, count]) => sum + Number(count), 0);
    expect(counts.length).toBeLessThan(8);
    expect(stderr).toContain(`${total} not run`);
  });

  test('fails with --config for a scenario that was not run, in the report as well', async () => {
    const config = path.join(folder, 'half.json');
    const file = path.join(folder, 'half.xml');
    const {device: _, ...half} = JSON.parse(readFileSync('samples/verify-demo.json', 'utf8'));
    half.partner.rsaPrivateKeyFile = path.resolve('samples/demo-rsa-key.pem');
    writeFileSync(config, JSON.stringify(half), {mode: 0o600});
    const run = (...more: string[]) =>
      runCommand('verify', [server.url, '--config', config, '--only', 'device', ...more]);
    const incomplete = await run('--junit', file);
    expect(incomplete.exitCode).toBe(7);
    expect(incomplete.stderr).toMatch(/\d passed, 0 failed, 4 not run\n/);
    expect(incomplete.stderr).toContain(
      '4 scenarios were not run: the configuration lacks device.',
    );
    const {attributes} = readXml(readFileSync(file, 'utf8'));
    expect(attributes).toMatchObject({failures: '4', skipped: '0'});
    const skipping = ['hmac-validate-device', 'device-valid', 'device-firmware-missing'];
    const skips = [...skipping, 'device-unauthenticated'].flatMap((id) => ['--skip', id]);
    expect(await run(...skips)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/, 0 not/),
    });
    const allowed = await run('--allow-not-run', '--junit', file);
    expect(allowed).toMatchObject({exitCode: 0, stderr: expect.not.stringContaining('Warning')});
    expect(readXml(readFileSync(file, 'utf8')).attributes).toMatchObject({
      failures: '0',
      skipped: '4',
    });
  });

  test('counts without --config what needs one, and does not fail', async () => {
    const {exitCode, stderr} = await runCommand('verify', [server.url]);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/^\d+ passed, 0 failed, \d+ not run without --config\n$/),
    ]);
  });

  test('writes JUnit XML with failures and skips', async () => {
    const file = path.join(folder, 'out.xml');
    await runCommand('verify', [server.url, '--junit', file]);
    const xml = readFileSync(file, 'utf8');
    const {attributes, children} = readXml(xml);
    expect(attributes).toMatchObject({failures: '0', errors: '0', tests: String(children.length)});
    expect(Number(attributes.skipped)).toBeGreaterThan(0);
  });

  test.each([
    ['nothing listens on its port', 'http://127.0.0.1:1'],
    ['its name does not exist', 'http://nobody.invalid'],
  ])('ends with 6 and 9020 when %s', async (_case, url) => {
    const {exitCode, stdout} = await runCommand('verify', [url, ...CONFIG, '--json']);
    expect([exitCode, JSON.parse(stdout).errCode]).toEqual([6, 9020]);
  });

  test('an endpoint that hangs up fails every scenario that runs', async () => {
    const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const {port} = rude.address() as AddressInfo;
    const argv = [`http://127.0.0.1:${port}`, ...CONFIG, '--only', 'partner-valid', '--json'];
    const {exitCode, stdout} = await runCommand('verify', argv);
    rude.close();
    expect([exitCode, JSON.parse(stdout).scenarios[0].expected]).toEqual([7, 'a response']);
  });

  test.each([
    [[], /missing argument BASE_URL/],
    [['ftp://x'], /BASE_URL/],
    [['http://user:word@x'], /without credentials/],
    [['http://x', '--only', 'nothing'], /no such scenario/],
  ])('%j is wrong usage', async (argv, message) => {
    const {exitCode, stderr} = await runCommand('verify', argv);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('--list names every scenario of the level with its clause', async () => {
    const {stdout} = await runCommand('verify', ['--list', '--json']);
    const list: {level: string; clause: string}[] = JSON.parse(stdout);
    expect(list.length).toBeGreaterThan(40);
    expect(new Set(list.map(({level}) => level))).toEqual(new Set(['interface']));
    expect(list.filter(({clause}) => !PAGE_AND_HEADING.test(clause))).toEqual([]);
  });

  test('--list names a page and a heading of our contract, too', async () => {
    const {stdout} = await runCommand('verify', ['--list', '--level', 'paylens', '--json']);
    const list: {clause: string}[] = JSON.parse(stdout);
    expect(list.filter(({clause}) => !PAGE_AND_HEADING.test(clause))).toEqual([]);
  });
});
