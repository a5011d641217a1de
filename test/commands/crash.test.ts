import {readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {PASSPHRASE, TEST_BDK} from '../keyfile/sample-keyfile.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {
  PAN,
  PARTNER_KEY,
  post,
  realFiles,
  SERIAL,
  SHARED_KEY,
  SWIPE,
} from './serve/real-service.js';
import {serve} from './serve/serving.js';

/** Breaks the service at a signal as a defect of ours would, and says which dumps Node would write. */
const HOOK = hook(`
  const {reportOnFatalError, reportOnSignal, reportOnUncaughtException} = process.report;
  console.error(JSON.stringify({dumps: [reportOnFatalError, reportOnSignal, reportOnUncaughtException]}));
  process.on('SIGUSR2', () => { throw new Error('a defect') });
  process.on('SIGWINCH', () => { Promise.reject(new Error('a defect')) });`);
/** Fills the memory at a signal, as a leak would. */
const LEAK = hook(`
  process.on('SIGUSR2', () => { for (const held = [];;) held.push(held.slice(), {}) });`);
const SMALL_HEAP = '--max-old-space-size=160';
/** The system would write a core dump of what ends by a signal, where that is turned on. */
const NO_CORE = ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh'];

describe.skipIf(process.platform === 'win32')('a service shows no key and no card', () => {
  it.each(['SIGUSR2', 'SIGWINCH'] as const)(
    'when it crashes (%s), and leaves no dump',
    async (signal) => {
      const {service, exitCode, said} = await crash(signal, [HOOK], []);
      expect(exitCode).toBeGreaterThan(0);
      expect(service.stderr()).toContain('Error: a defect');
      expect(service.stderr()).toContain('{"dumps":[false,false,false]}');
      expect(secretsIn(said)).toEqual([]);
      expect(dumps()).toEqual([]);
    },
  );

  it('when its memory is full, ends at once, and leaves no dump', async () => {
    const {service, exitCode, said} = await crash('SIGUSR2', [LEAK, SMALL_HEAP], NO_CORE);
    expect(exitCode).not.toBe(0);
    expect(service.stderr()).toContain('JavaScript heap out of memory');
    expect(secretsIn(said)).toEqual([]);
    expect(dumps()).toEqual([]);
  });
});

/** A service that has answered with a card, and then got `signal`, until its end. */
async function crash(signal: NodeJS.Signals, options: string[], under: string[]) {
  const {argv} = await realFiles(tempFolder(), [{serial: SERIAL}]);
  const service = await serve(argv, {NODE_OPTIONS: options.join(' ')}, under);
  const {answer} = await post(service.url, '/api/v1/decrypt/parser', SWIPE);
  expect(JSON.stringify(answer)).toContain(PAN);
  process.kill(service.pid, signal);
  const {exitCode, stdout} = await service.ended();
  return {service, exitCode, said: stdout + service.stderr()};
}

function secretsIn(text: string): string[] {
  const secrets = [PAN, PARTNER_KEY, SHARED_KEY, TEST_BDK, PASSPHRASE];
  const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
  return forms.filter((form) => text.includes(form));
}

function dumps(): string[] {
  return readdirSync('.').filter((name) => /^(?:report|core|Heap)/.test(name));
}

/** The option of Node that runs `script` before the program. */
function hook(script: string): string {
  return `--import data:text/javascript,${encodeURIComponent(script)}`;
}
