import {readdirSync} from 'node:fs';
import {expect, it} from 'vitest';
import {PASSPHRASE, TEST_BDK} from '../keyfile/sample-keyfile.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {PAN, PARTNER_KEY, post, realFiles, SERIAL, SHARED_KEY, SWIPE} from './real-service.js';
import {serve} from './serving.js';

/** Breaks the service at a signal as a defect of ours would, and says which dumps Node would write. */
const HOOK = `
  const {reportOnFatalError, reportOnSignal, reportOnUncaughtException} = process.report;
  console.error(JSON.stringify({dumps: [reportOnFatalError, reportOnSignal, reportOnUncaughtException]}));
  process.on('SIGUSR2', () => { throw new Error('a defect') });
  process.on('SIGWINCH', () => { Promise.reject(new Error('a defect')) });`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(HOOK)}`;

it.skipIf(process.platform === 'win32').each(['SIGUSR2', 'SIGWINCH'] as const)(
  'a service that crashes (%s) shows no key and no card, and leaves no dump',
  async (signal) => {
    const {argv} = await realFiles(tempFolder(), [{serial: SERIAL}]);
    const service = await serve(argv, {NODE_OPTIONS});
    const {answer} = await post(service.url, '/api/v1/decrypt/parser', SWIPE);
    expect(JSON.stringify(answer)).toContain(PAN);
    process.kill(service.pid, signal);
    const {exitCode, stdout} = await service.ended();
    expect(exitCode).toBeGreaterThan(0);
    expect(service.stderr()).toContain('Error: a defect');
    expect(service.stderr()).toContain('{"dumps":[false,false,false]}');
    const said = stdout + service.stderr();
    const secrets = [PAN, PARTNER_KEY, SHARED_KEY, TEST_BDK, PASSPHRASE];
    const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
    expect(forms.filter((form) => said.includes(form))).toEqual([]);
    expect(readdirSync('.').filter((name) => /^(?:report|core|Heap)/.test(name))).toEqual([]);
  },
);
