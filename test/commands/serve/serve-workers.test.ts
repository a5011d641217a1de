import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {connect, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {PASSPHRASE, TEST_BDK} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {answerDigest, digestNonce} from '../../service/digest-client.js';
import {hmacHeader} from '../../service/node-signature.js';
import {exchange} from '../../service/raw-http.js';
import {HAS_REDIS, startRedis} from '../../service/redis-server.js';
import {
  PARTNER_KEY,
  post,
  put,
  putDevices,
  putKeyfile,
  realFiles,
  SHARED_KEY,
  SWIPE,
} from './real-service.js';
import {type Serving, serve} from './serving.js';
import {isRunning, postAlone, sendTwice, visibleOf, workersOf} from './workers.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';
/** The long run is the proof of the issue: 100,000 requests. */
const NONCES = process.env.SLOW ? 50_000 : 2_000;

/** Connections come to the workers by turns, but not strictly: one that has its two closes the third. */
async function fourHeld(port: number): Promise<Socket[]> {
  const held: Socket[] = [];
  for (let tried = 0; held.length < 4 && tried < 40; tried++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close').then(() => true);
    if (!(await Promise.race([closed, wait(500, false)]))) held.push(socket);
  }
  expect(held).toHaveLength(4);
  return held;
}

describe('workers at their limit of connections', () => {
  it('close what is beyond it at once', async () => {
    const {url} = await serve(['--demo', '--workers', '2', '--max-connections', '2']);
    const {port} = new URL(url);
    const silent = await fourHeld(Number(port));
    const probe = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    // Their room is looked for again after 10 s: until then nobody else is served.
    const beyond = await Promise.all([1, 2, 3].map(() => exchange(url, probe)));
    expect(beyond).toEqual([[], [], []]);
    for (const socket of silent) socket.destroy();
  });
});

describe('serve --workers 2', () => {
  it('prints one ready line with one url', async () => {
    const service = await serve(['--demo', '--workers', '2']);
    service.kill('SIGTERM');
    const {stdout, exitCode} = await service.ended();
    expect([stdout, exitCode]).toEqual([`${JSON.stringify(service.ready)}\n`, 0]);
  });

  it('serves with both, whose messageIds differ', async () => {
    const {url} = await serve(['--demo', '--workers', '2']);
    const draws = new Set<string>();
    for (let sent = 0; sent < 8; sent++) draws.add((await postAlone(url, hmacHeader())).draw);
    expect(draws.size).toBe(2);
  });

  it('accepts one of 200 copies of a request', async () => {
    const {url} = await serve(['--demo', '--workers', '2']);
    const header = hmacHeader();
    const copies = Array.from({length: 200}, () => postAlone(url, header));
    const statuses = (await Promise.all(copies)).map(({status}) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(199);
  });

  it('accepts each of many nonces once, all sent twice at once', {timeout: 600_000}, async () => {
    const {url} = await serve(['--demo', '--workers', '2']);
    expect(await sendTwice(url, NONCES)).toEqual({200: NONCES, 401: NONCES});
  });

  it('takes the challenge of one worker at the other', async () => {
    const service = await serve(['--demo', '--workers', '2']);
    const nonce = await digestNonce(service);
    const statuses: number[] = [];
    for (let count = 1; count <= 4; count++)
      statuses.push((await answerDigest(service, nonce, count)).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  it('joins metrics and received requests of both', async () => {
    const {url} = await serve(['--demo', '--workers', '2']);
    for (let sent = 0; sent < 6; sent++) await postAlone(url, hmacHeader());
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^paylens_requests_total\{.*status="200".*\} 6$/m);
    expect(metrics).toMatch(/^paylens_workers 2$/m);
    expect(metrics).toMatch(/^paylens_replay_store_nonces 6$/m);
    const received = (await (await fetch(`${url}/_requests`)).json()) as {time: string}[];
    expect(received).toHaveLength(6);
    expect(received.map(({time}) => time)).toEqual(received.map(({time}) => time).sort());
  });

  it('passes --now, --latency and --fail-rate on', async () => {
    const now = 1_900_000_000;
    const argv = ['--demo', '--workers', '2', '--fail-rate', '100%', '--latency', '300ms'];
    const {url} = await serve([...argv, '--now', String(now)]);
    const started = performance.now();
    expect((await postAlone(url, hmacHeader({timestamp: now}))).status).toBe(500);
    expect(performance.now() - started).toBeGreaterThan(290);
  });
});

describe('a keyfile with --workers 2', () => {
  it('is opened in the primary: no key is in the environment or arguments of a worker', async () => {
    const {keyfile} = await realFiles(tempFolder());
    const env = {PAYLENS_PASSPHRASE: PASSPHRASE};
    const service = await serve(['--keyfile', keyfile, '--workers', '2'], env);
    expect((await post(service.url, PARSER, SWIPE)).status).toBe(200);
    const workers = workersOf(service);
    expect(workers).toHaveLength(2);
    for (const secret of [PASSPHRASE, TEST_BDK, PARTNER_KEY, SHARED_KEY]) {
      expect(workers.map(visibleOf).join('\n').toLowerCase()).not.toContain(secret.toLowerCase());
      expect(service.stderr().toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it('is replaced in both by SIGHUP', async () => {
    const {argv, keyfile, devices} = await realFiles(tempFolder());
    const service = await serve([...argv, '--workers', '2']);
    await putKeyfile(keyfile, 'a new partnerKey');
    putDevices(devices, [{serial: 'NEW'}]);
    service.kill('SIGHUP');
    await service.logged('reloaded');
    const key = {partnerKey: 'a new partnerKey'};
    for (const status of await eachTimes(4, () => post(service.url, PARTNER, key)))
      expect(status).toBe(200);
    for (const status of await eachTimes(4, () => post(service.url, PARTNER)))
      expect(status).toBe(401);
    const device = {...key, serial: 'new', firmware: '1'};
    for (const status of await eachTimes(4, () => post(service.url, DEVICE, device)))
      expect(status).toBe(200);
  });

  it('stays in force in both when the new one is damaged', async () => {
    const {argv, keyfile} = await realFiles(tempFolder());
    const service = await serve([...argv, '--workers', '2']);
    await put(keyfile, Buffer.from('x'));
    service.kill('SIGHUP');
    await service.logged('reload failed');
    for (const status of await eachTimes(4, () => post(service.url, PARSER, SWIPE)))
      expect(status).toBe(200);
  });

  it('is the new one in a worker that takes the place of a dead one', async () => {
    const {argv, keyfile} = await realFiles(tempFolder());
    const service = await serve([...argv, '--workers', '1']);
    await putKeyfile(keyfile, 'a new partnerKey');
    service.kill('SIGHUP');
    await service.logged('reloaded');
    await replaceWorker(service);
    expect((await post(service.url, PARTNER, {partnerKey: 'a new partnerKey'})).status).toBe(200);
  });
});

describe('a worker that dies', () => {
  it('is replaced, which is logged and counted; used nonces stay used', async () => {
    const service = await serve(['--demo', '--workers', '2']);
    const headers = Array.from({length: 6}, () => hmacHeader());
    for (const header of headers) expect((await postAlone(service.url, header)).status).toBe(200);
    await replaceWorker(service);
    expect(service.stderr()).toContain('worker exited: starting a replacement');
    const again = await Promise.all(headers.map((header) => postAlone(service.url, header)));
    expect(again.map(({status}) => status)).toEqual(headers.map(() => 401));
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^paylens_worker_deaths_total 1$/m);
    expect(metrics).toMatch(/^paylens_workers 2$/m);
  });

  it('as the only one is replaced under the same url', async () => {
    const service = await serve(['--demo', '--workers', '1']);
    await replaceWorker(service);
    expect((await postAlone(service.url, hmacHeader())).status).toBe(200);
  });
});

describe('the end of serve --workers 2', () => {
  it('lets requests in flight at both finish, and exits with 0', async () => {
    const service = await serve(['--demo', '--workers', '2', '--latency', '5s']);
    const inFlight = Array.from({length: 8}, () => postAlone(service.url, hmacHeader()));
    await wait(1500);
    const workers = workersOf(service);
    service.kill('SIGTERM');
    expect((await Promise.all(inFlight)).map(({status}) => status)).toEqual(
      inFlight.map(() => 200),
    );
    expect((await service.ended()).exitCode).toBe(0);
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('comes at once with a second signal: exit code 130', async () => {
    const service = await serve(['--demo', '--workers', '2', '--latency', '15s']);
    const cut = postAlone(service.url, hmacHeader()).catch(() => 'cut');
    await wait(300);
    const workers = workersOf(service);
    service.kill('SIGTERM');
    await service.logged('stopping');
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(130);
    expect(await cut).toBe('cut');
    await gone(workers);
  });

  it('comes for the workers, too, when the primary is killed', async () => {
    const service = await serve(['--demo', '--workers', '2']);
    const workers = workersOf(service);
    process.kill(service.pid, 'SIGKILL');
    await gone(workers);
  });
});

describe('serve --workers 2 does not start', () => {
  it('on a port that is taken: 9020, exit code 6', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    const {port} = taken.address() as {port: number};
    const argv = ['serve', '--demo', '--workers', '2', '--port', String(port)];
    const {stdout, stderr, exitCode} = await runBin(argv);
    expect(stderr).toMatch(/Error 9020: .*port already in use/);
    expect([stdout, exitCode]).toEqual(['', 6]);
  });

  it.each([
    [['--fail-rate', 'often'], 2],
    [['--now', 'then'], 2],
    [['--tls-cert-file', 'no.pem', '--tls-key-file', 'no.pem'], 4],
    [['--replay-store', 'http://127.0.0.1'], 2],
  ])('with %j: exit code %i', async (flags, expected) => {
    const argv = ['serve', '--demo', '--workers', '2', '--port', '0', ...flags];
    const {stdout, exitCode} = await runBin(argv);
    expect([stdout, exitCode]).toEqual(['', expected]);
  });
});

describe.skipIf(!HAS_REDIS)('serve --workers 2 --replay-store', () => {
  it('accepts each of many nonces once, all sent twice at once', {timeout: 600_000}, async () => {
    const redis = await startRedis();
    const {url} = await serve(['--demo', '--workers', '2', '--replay-store', redis.url]);
    expect(await sendTwice(url, NONCES)).toEqual({200: NONCES, 401: NONCES});
  });

  it('is green under verify at level paylens', {timeout: 180_000}, async () => {
    const redis = await startRedis();
    const {url} = await serve(['--demo', '--workers', '2', '--replay-store', redis.url]);
    const argv = ['verify', url, '--config', 'samples/verify-demo.json', '--level', 'paylens'];
    const {stdout, exitCode} = await runBin([...argv, '--json']);
    const {failed, notRun, passed} = JSON.parse(stdout);
    expect({exitCode, failed, notRun, ran: passed > 90}).toEqual({
      exitCode: 0,
      failed: 0,
      notRun: 0,
      ran: true,
    });
  });

  it('answers 503 without Redis, is not ready, and recovers', async () => {
    const redis = await startRedis();
    const service = await serve(['--demo', '--workers', '2', '--replay-store', redis.url]);
    await redis.signal('SIGKILL');
    const statuses = await eachTimes(4, () => postAlone(service.url, hmacHeader()));
    expect(statuses).toEqual([503, 503, 503, 503]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    await redis.start();
    await until(async () => {
      const again = await eachTimes(4, () => postAlone(service.url, hmacHeader()));
      return again.every((status) => status === 200);
    });
  });

  it('reads the address from PAYLENS_REPLAY_STORE and shows its password to nobody', async () => {
    const redis = await startRedis('--requirepass', 'redis-password');
    const address = redis.url.replace('unix://', 'unix://:redis-password@localhost');
    const env = {PAYLENS_REPLAY_STORE: address, DEBUG: '*'};
    const service = await serve(['--demo', '--workers', '2'], env);
    expect((await postAlone(service.url, hmacHeader())).status).toBe(200);
    expect(await redis.cli('-a', 'redis-password', '--no-auth-warning', 'DBSIZE')).not.toBe('0');
    await redis.signal('SIGKILL');
    await postAlone(service.url, hmacHeader());
    await service.logged('replay store unavailable');
    const shown = [service.stderr(), ...workersOf(service).map(visibleOf)].join('\n');
    expect(shown).not.toContain('redis-password');
  });

  it('speaks TLS with rediss://, and takes no certificate that it cannot check', async () => {
    const {cert, key, port} = await tlsFiles();
    const tls = ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key];
    await startRedis(...tls, '--tls-auth-clients', 'no');
    const argv = ['--demo', '--workers', '2', '--replay-store', `rediss://127.0.0.1:${port}`];
    const trusting = await serve(argv, {NODE_EXTRA_CA_CERTS: cert});
    expect((await postAlone(trusting.url, hmacHeader())).status).toBe(200);
    const strict = await serve(argv);
    expect((await postAlone(strict.url, hmacHeader())).status).toBe(503);
    expect(strict.stderr()).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('does not start on a Redis that may evict: 9020, exit code 6', async () => {
    const {url} = await startRedis('--maxmemory-policy', 'allkeys-lru');
    const argv = ['serve', '--demo', '--workers', '2', '--port', '0', '--replay-store', url];
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as {port: number};
  server.close();
  await once(server, 'close');
  return port;
}

async function eachTimes(times: number, send: () => Promise<{status: number}>): Promise<number[]> {
  const all = await Promise.all(Array.from({length: times}, send));
  return all.map(({status}) => status);
}

/** Kills a worker and waits until another serves in its place. */
async function replaceWorker(service: Serving): Promise<void> {
  const before = workersOf(service);
  const serving = () => service.stderr().match(/worker ready/g)?.length ?? 0;
  const served = serving();
  process.kill(before[0] ?? 0, 'SIGKILL');
  await until(async () => serving() > served);
}

async function gone(pids: readonly number[]): Promise<void> {
  await until(async () => !pids.some(isRunning));
}

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await what()); tries++) {
    if (tries > 2000) throw new Error('it did not come to that');
    await wait(25);
  }
}
