import {execFileSync} from 'node:child_process';
import {createServer} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import path from 'node:path';
import {afterEach, expect, it, vi} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {runCommand} from '../../cli/run-command.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

const ONE = ['--config', 'samples/verify-demo.json', '--only', 'partner-valid', '--json'];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

async function demo(options: Partial<Parameters<typeof launch>[0]> = {}): Promise<LaunchedService> {
  const service = await launch({mode: 'demo', registry: demoRegistry(), ...options});
  closers.push(service.close);
  return service;
}

/** The address of a service with a self-signed certificate. */
async function tlsDemo(): Promise<string> {
  const folder = tempFolder();
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const argv = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject];
  execFileSync('openssl', [...argv, '-keyout', key, '-out', cert], {stdio: 'ignore'});
  return (await demo({tls: {cert, key}})).url;
}

/** A proxy that tunnels, and what it was asked to reach. */
async function proxy() {
  const tunnels: (string | undefined)[] = [];
  const server = createServer();
  server.on('connect', ({url = ''}, socket) => {
    tunnels.push(url);
    const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket);
      socket.pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels};
}

it('verify trusts no self-signed certificate, and says what to do', async () => {
  const url = await tlsDemo();
  const {exitCode, stdout} = await runCommand('verify', [url, ...ONE]);
  expect([exitCode, JSON.parse(stdout).errMessage]).toEqual([
    6,
    expect.stringContaining('self-signed certificate: trust it with NODE_EXTRA_CA_CERTS'),
  ]);
});

it('verify goes through the proxy of HTTP_PROXY', async () => {
  const {url} = await demo({allowedHosts: ['parser.test']});
  const {url: through, tunnels} = await proxy();
  const host = `parser.test:${new URL(url).port}`;
  vi.stubEnv('HTTP_PROXY', through);
  const {exitCode} = await runCommand('verify', [`http://${host}`, ...ONE]);
  expect([exitCode, tunnels]).toEqual([0, [host]]);
});

it('verify reaches this machine without a proxy', async () => {
  const {url} = await demo();
  const {url: through, tunnels} = await proxy();
  vi.stubEnv('HTTP_PROXY', through);
  const {exitCode} = await runCommand('verify', [url, ...ONE]);
  expect([exitCode, tunnels]).toEqual([0, []]);
});

it.each([
  ['of more than 1 MiB', ' '.repeat(2 ** 21), 'expected at most 1048576 bytes'],
  ['that comes by drops', undefined, 'the response (HTTP 200) was not complete within 0.3 s'],
])('verify fails a scenario with an answer %s', async (_, body, received) => {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    if (body !== undefined) return response.end(body);
    const drops = setInterval(() => response.write(' '), 20);
    return response.on('close', () => clearInterval(drops));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const {exitCode, stdout} = await runCommand('verify', [url, ...ONE, '--timeout', '300ms']);
  expect(exitCode).toBe(7);
  expect(JSON.parse(stdout).scenarios[0].received).toContain(received);
});
