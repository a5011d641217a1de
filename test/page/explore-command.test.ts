import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {type IncomingMessage, request} from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {startServer} from '../../src/server.js';
import {launch} from '../../src/service/launch.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {BIN, runBin} from '../cli/run-bin.js';

const PAGE = readFileSync(new URL('../../dist/page/explorer.html', import.meta.url), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'paylens-explore-'));
afterAll(() => rmSync(folder, {recursive: true}));

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly target?: string;
}

/** Asks as no library does: with any Host, and any target. */
async function ask(url: string, {method = 'GET', headers = {}, target}: Asked = {}) {
  const sent = request(url, {method, headers, ...(target === undefined ? {} : {path: target})});
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {status: response.statusCode, headers: response.headers, body: await text(response)};
}

describe('explore --write', () => {
  it('writes the page that the build made', async () => {
    const {exitCode, stdout} = await runBin(['explore', '--write', 'page.html'], {cwd: folder});
    expect({exitCode, stdout}).toEqual({exitCode: 0, stdout: ''});
    expect(readFileSync(path.join(folder, 'page.html'), 'utf8')).toBe(PAGE);
  });

  it('reports a file that cannot be written', async () => {
    const {exitCode, stderr} = await runBin(['explore', '--write', folder]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('9014');
  });
});

describe('the page', () => {
  it('may load nothing, and run no other script, style or frame', () => {
    const policy = /content-security-policy" content="([^"]*)"/.exec(PAGE)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'sha256-");
    for (const rule of [
      "connect-src 'none'",
      'worker-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types paylens',
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    // The search of `diagnose` compiles WebAssembly; nothing else is compiled from text or bytes.
    expect(policy).toMatch(/script-src 'sha256-[^' ]+' 'wasm-unsafe-eval';/);
    expect(policy.replace("'wasm-unsafe-eval'", '')).not.toContain('unsafe');
  });

  it('has one script and one style, no handler and no style of an element', () => {
    expect(PAGE.match(/<script/g)).toHaveLength(1);
    expect(PAGE.match(/<\/script/g)).toHaveLength(1);
    const [head = ''] = PAGE.split('<script>');
    expect(head).not.toMatch(/ (?:on\w+|style)=/);
  });
});

describe('explore', () => {
  let url = '';
  const child = spawn(process.execPath, [BIN, 'explore', '--no-open', '--json']);

  beforeAll(async () => {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    url = JSON.parse(line.toString()).url;
  });
  afterAll(() => child.kill());

  it('listens on loopback and serves the page with its policy', async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    for (const target of ['/', '/explore', '/?x']) {
      const {status, body, headers} = await ask(url, {target});
      expect([status, body === PAGE]).toEqual([200, true]);
      expect(headers['content-security-policy']).toMatch(/connect-src 'none'.*frame-ancestors/);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    }
  });

  it.each([
    [400, {headers: {host: 'attacker.example'}}],
    [400, {headers: {host: '127.0.0.1.attacker.example'}}],
    [400, {target: 'http://attacker.example/'}],
    [404, {target: '/etc/passwd'}],
    [404, {target: '/../package.json'}],
    [405, {method: 'POST'}],
    [405, {method: 'DELETE'}],
  ])('answers %i to %j', async (expected, asked) => {
    const {status, body} = await ask(url, asked);
    expect(status).toBe(expected);
    expect(body).not.toContain('<');
  });

  it('names a port that is taken', async () => {
    const {port} = new URL(url);
    const {exitCode, stderr} = await runBin(['explore', '--no-open', '--port', port]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('9020');
  });

  it('ends without a failure when it is stopped', async () => {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});

describe('serve', () => {
  it('offers the page at /explore in demo mode', async () => {
    const server = await startServer({mode: 'demo'});
    const {status, body} = await ask(`${server.url}/explore`);
    await server.close();
    expect([status, body === PAGE]).toEqual([200, true]);
  });

  it('does not offer it in real mode', async () => {
    const server = await launch({mode: 'real', registry: demoRegistry(), port: 0});
    const {status} = await ask(`${server.url}/explore`);
    await server.close();
    expect(status).toBe(404);
  });
});
