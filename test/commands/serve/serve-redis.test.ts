import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {freePort} from '../../free-port.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {answerDigest, digestNonce} from '../../service/digest-client.js';
import {hmacHeader} from '../../service/node-signature.js';
import {HAS_REDIS, startRedis} from '../../service/redis-server.js';
import {postAlone, sendToBoth} from './processes.js';
import {serve} from './serving.js';

/** The long run sends 100,000 requests. */
const NONCES = process.env.SLOW ? 50_000 : 2_000;

describe.skipIf(!HAS_REDIS)('two servers that share a Redis', () => {
  it('accept each of many nonces once, all sent to both at once', {timeout: 600_000}, async () => {
    const redis = await startRedis();
    const argv = ['--demo', '--quiet', '--replay-store', redis.url];
    const [first, second] = [await serve(argv), await serve(argv)];
    const counts = await sendToBoth([first.url, second.url], NONCES);
    expect(counts).toEqual({200: NONCES, 401: NONCES});
  });

  it('accept each of 200 copies of a request once', async () => {
    const redis = await startRedis();
    const argv = ['--demo', '--replay-store', redis.url];
    const urls = [(await serve(argv)).url, (await serve(argv)).url];
    const header = hmacHeader();
    const copies = Array.from({length: 200}, (_, i) => postAlone(urls[i % 2] ?? '', header));
    const statuses = (await Promise.all(copies)).map(({status}) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(199);
  });

  it('accept the Digest challenge of each other', async () => {
    const redis = await startRedis();
    const argv = ['--demo', '--replay-store', redis.url];
    const [first, second] = [await serve(argv), await serve(argv)];
    const nonce = await digestNonce(first);
    expect((await answerDigest(second, nonce, 1)).status).toBe(200);
    expect((await answerDigest(first, nonce, 2)).status).toBe(200);
  });
});

describe.skipIf(!HAS_REDIS)('serve --replay-store', () => {
  it('is green under verify at level paylens', {timeout: 180_000}, async () => {
    const redis = await startRedis();
    const [, server] = /run_id:(\w+)/.exec(await redis.cli('INFO', 'server')) ?? [];
    // In use for longer than a request may be old: a new Redis refuses what is dated before it.
    const since = Math.floor(Date.now() / 1000) - 1000;
    await redis.cli('SET', 'paylens:beginning', `${since}:${server}:new`, 'PX', '20000');
    const {url} = await serve(['--demo', '--replay-store', redis.url]);
    const argv = ['verify', url, '--config', 'samples/verify-demo.json', '--level', 'paylens'];
    const {stdout, exitCode} = await runBin([...argv, '--json']);
    const {failed, notRun, passed} = JSON.parse(stdout);
    const result = {exitCode, failed, notRun, ran: passed > 90};
    expect(result).toEqual({exitCode: 0, failed: 0, notRun: 0, ran: true});
  });

  it('answers 503 without Redis, is not ready, and recovers', async () => {
    const redis = await startRedis();
    const {url} = await serve(['--demo', '--replay-store', redis.url]);
    await redis.signal('SIGKILL');
    const statuses = await Promise.all([1, 2, 3, 4].map(() => postAlone(url, hmacHeader())));
    expect(statuses.map(({status}) => status)).toEqual([503, 503, 503, 503]);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await redis.start();
    for (let tries = 0; (await postAlone(url, hmacHeader())).status !== 200; tries++) {
      expect(tries).toBeLessThan(2000);
      await wait(25);
    }
  });

  it('reads the address from PAYLENS_REPLAY_STORE and shows its password to nobody', async () => {
    const redis = await startRedis('--requirepass', 'redis-password');
    const address = redis.url.replace('unix://', 'unix://:redis-password@localhost');
    const service = await serve(['--demo'], {PAYLENS_REPLAY_STORE: address, DEBUG: '*'});
    expect((await postAlone(service.url, hmacHeader())).status).toBe(200);
    expect(await redis.cli('-a', 'redis-password', '--no-auth-warning', 'DBSIZE')).not.toBe('0');
    await redis.signal('SIGKILL');
    await postAlone(service.url, hmacHeader());
    await service.logged('replay store unavailable');
    expect(service.stderr()).not.toContain('redis-password');
  });

  it('speaks TLS with rediss://, and refuses a certificate that it cannot check', async () => {
    const {cert, key, port} = await tlsFiles();
    const tls = ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key];
    await startRedis(...tls, '--tls-auth-clients', 'no');
    const argv = ['--demo', '--replay-store', `rediss://127.0.0.1:${port}`];
    const trusting = await serve(argv, {NODE_EXTRA_CA_CERTS: cert});
    expect((await postAlone(trusting.url, hmacHeader())).status).toBe(200);
    const strict = await serve(argv);
    expect((await postAlone(strict.url, hmacHeader())).status).toBe(503);
    expect(strict.stderr()).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('does not start on a Redis that may evict: 9020, exit code 6', async () => {
    const {url} = await startRedis('--maxmemory-policy', 'allkeys-lru');
    const argv = ['serve', '--demo', '--port', '0', '--replay-store', url];
    const {stdout, stderr, exitCode} = await runBin(argv);
    expect(stderr).toMatch(/Error 9020: .*maxmemory-policy is allkeys-lru, expected noeviction/);
    expect([stdout, exitCode]).toEqual(['', 6]);
  });
});

/** A certificate for 127.0.0.1, its key, and a free port. */
async function tlsFiles() {
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(tempFolder(), name));
  const argv = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=r'];
  const san = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...argv, ...san, '-keyout', String(key), '-out', String(cert)], {
    stdio: 'ignore',
  });
  return {cert: String(cert), key: String(key), port: await freePort()};
}
