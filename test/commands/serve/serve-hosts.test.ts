import {describe, expect, it} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {exchange} from '../../service/raw-http.js';
import {serve} from './serving.js';

const statusOf = async (url: string, host: string) =>
  (await exchange(url, `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`))[0]?.status;

describe('serve --allowed-host', () => {
  it('answers to every name that it was given, and to no other', async () => {
    const names = ['--allowed-host', 'one.example', '--allowed-host', 'two.example'];
    const {url} = await serve(['--demo', ...names]);
    const hosts = ['one.example', 'TWO.example:443', 'localhost', 'three.example', '10.0.0.1'];
    const statuses = await Promise.all(hosts.map((host) => statusOf(url, host)));
    expect(statuses).toEqual([200, 200, 200, 421, 421]);
  });
});

describe('serve', () => {
  it('answers to the name of --host', async () => {
    const {url} = await serve(['--demo', '--host', 'localhost']);
    expect(await statusOf(url, 'localhost')).toBe(200);
    expect(await statusOf(url, 'example')).toBe(421);
  });

  it('takes any address beyond loopback, but no name', async () => {
    const {url} = await serve(['--demo', '--host', '0.0.0.0', '--insecure-http']);
    const loopback = url.replace('0.0.0.0', '127.0.0.1');
    expect(await statusOf(loopback, '198.51.100.7:80')).toBe(200);
    expect(await statusOf(loopback, 'rebound.example')).toBe(421);
  });

  it('refuses what is no name: exit code 2', async () => {
    const argv = ['serve', '--demo', '--allowed-host', 'http://a.example'];
    const {exitCode, stderr} = await runBin(argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--allowed-host')]);
  });
});
