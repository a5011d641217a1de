import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it, onTestFinished} from 'vitest';
import {BIN} from '../../cli/run-bin.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {PARTNER_KEY, post, putKeyfile, realFiles} from './real-service.js';
import {serve} from './serving.js';

const PARTNER = '/api/v1/partner/validate';
const SWIPE_FILE = fileURLToPath(new URL('../../../samples/idtech-swipe.json', import.meta.url));

describe('a keyfile that is replaced while it is loaded', () => {
  it('is always the old one or the new one', {timeout: 60_000}, async () => {
    const {argv, keyfile} = await realFiles(tempFolder());
    const service = await serve(argv);
    const keys = [PARTNER_KEY, 'ffffffffffffffffffffffffffffffff'];
    for (let round = 1; round <= 60; round++) {
      await putKeyfile(keyfile, keys[round % 2]);
      service.kill('SIGHUP');
      const statuses = await Promise.all(
        keys.map(async (partnerKey) => (await post(service.url, PARTNER, {partnerKey})).status),
      );
      expect(statuses.every((status) => status === 200 || status === 401)).toBe(true);
    }
    await service.logged('reloaded');
    expect(service.stderr()).not.toContain('reload failed');
  });

  it('by half of one is refused, and the old one stays', async () => {
    const {argv, keyfile} = await realFiles(tempFolder());
    const service = await serve(argv);
    writeFileSync(keyfile, 'age-encryption.org/v1\n-> scrypt', {mode: 0o600});
    service.kill('SIGHUP');
    await service.logged('reload failed');
    expect((await post(service.url, PARTNER)).status).toBe(200);
    await putKeyfile(keyfile);
    service.kill('SIGHUP');
    await service.logged('"reloaded"');
  });
});

describe.skipIf(process.platform === 'win32')('out of file handles', () => {
  it('a service turns connections away, keeps its registry, and recovers', {
    timeout: 60_000,
  }, async () => {
    const {argv} = await realFiles(tempFolder());
    const service = await limitedService(300, argv);
    const sockets = await openMany(service.url, 500);
    await expect(post(service.url, PARTNER)).rejects.toThrow();
    service.kill('SIGHUP');
    await service.logged('reload failed');
    for (const socket of sockets) socket.destroy();
    await untilAnswered(service.url);
    service.kill('SIGHUP');
    await service.logged('"reloaded"');
  });

  it('a command says so, whenever it is', {timeout: 60_000}, async () => {
    // Node.js itself needs some twenty, and opens modules side by side: which file is one too many
    // is not for a test to say.
    const limits = [18, 19, 20, 21, 22, 23, 24, 26, 28, 32];
    const outcomes = await Promise.all(limits.map((handles) => decryptWith(handles)));
    // With fewer Node.js dies before it reads a line of ours.
    const failed = outcomes.filter(({exitCode, stderr}) => exitCode && !/^$|^node:/.test(stderr));
    for (const {stderr} of failed) expect(stderr).toMatch(OUT_OF_HANDLES);
    expect(failed).not.toEqual([]);
  });
});

const OUT_OF_HANDLES =
  /^Error(?: 9002: Cannot read input: .* \(EMFILE\)\n.*ulimit -n.*|: paylens cannot be started: EMFILE.*)$/;

function decryptWith(handles: number) {
  const script = `ulimit -n ${handles}; exec "$0" '${BIN}' decrypt '${SWIPE_FILE}' --test-keys --quiet`;
  // bash also complains of a locale that is not installed.
  const options = {reject: false, env: {LC_ALL: 'C'}} as const;
  return execa('bash', ['-c', script, process.execPath], options);
}

/** A service that may open so many files, and how to make it load its files anew. */
function limitedService(handles: number, argv: readonly string[]) {
  return serve(argv, {}, ['bash', '-c', `ulimit -n ${handles}; exec "$0" "$@"`]);
}

async function openMany(url: string, count: number): Promise<Socket[]> {
  const sockets = Array.from({length: count}, () =>
    connect(Number(new URL(url).port), '127.0.0.1'),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map((socket) =>
      once(
        socket.on('error', () => {}),
        'connect',
      ),
    ),
  );
  return sockets;
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < 800; tries++) {
    const answered = await post(url, PARTNER).catch(() => undefined);
    if (answered?.status === 200) return;
    await wait(50);
  }
  throw new Error('the service does not recover');
}
