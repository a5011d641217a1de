import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {runBin, runBins} from '../cli/run-bin.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {post} from './serve/real-service.js';
import {serve} from './serve/serving.js';

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));
const KEY = '0123456789ABCDEFFEDCBA9876543210';
const PAN = '4266841088889999';
const WORD = 'canary7391';
const SECRETS = [KEY, KEY.toLowerCase(), PAN, WORD];
const TRACE = {PAYLENS_TRACE: '1'};
/** What a frame of ours looks like. */
const FRAMES =
  /^(?:caused by )?[A-Z]\w*(?: \w+)?\n(?: {4}at [\w$.<>[\]# ]+ \([\w@.+/:-]+:\d+:\d+\)\n)+/m;

function file(name: string, text: string): string {
  const written = path.join(tempFolder(), name);
  writeFileSync(written, text, {mode: 0o600});
  return written;
}

/** A defect whose message quotes what it met, and looks like frames of a stack. */
function breaking(code: string): Record<string, string> {
  const script = `const broken = (input) => { throw new TypeError('of ' + input + '\\n    at ${WORD} (/x/src/${WORD}.ts:1:2)') };${code}`;
  return {NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`};
}
const DEFECT = breaking(`
  const {trimStart} = String.prototype;
  String.prototype.trimStart = function () {
    return this.includes('canary') ? broken(this) : trimStart.call(this);
  };
  const {hasOwn} = Object;
  Object.hasOwn = (object, name) => {
    const text = JSON.stringify(object) ?? '';
    return text.includes('canary') ? broken(text) : hasOwn(object, name);
  };`);

/** Failures of every kind, with keys and card data in arguments and files. */
const FAILURES: readonly (readonly [name: string, argv: () => string[]])[] = [
  ['a payload that is none', () => ['decrypt', `${KEY}${PAN}`, '--test-keys']],
  [
    'a request that is none',
    () => ['decrypt', '--payload', `{"deviceType": "${WORD}"}`, '--test-keys'],
  ],
  ['a flag that does not exist', () => ['decrypt', `--${WORD}`, KEY]],
  ['a command that does not exist', () => ['dekrypt', KEY]],
  ['an argument too many', () => ['errors', '1', KEY]],
  ['keys that are none', () => ['key', 'import', file('keys.json', `[{"hex": "${KEY}", x]`)]],
  ['a file that is missing', () => ['decrypt', '--file', `/${WORD}/${KEY}`, '--test-keys']],
  [
    'a lookup that fails',
    () => ['send', 'partner', '--base-url', 'http://127.0.0.1:1', '--partner', WORD],
  ],
];
const DEFECTS: typeof FAILURES = [
  [
    'a defect',
    () => [
      'decrypt',
      file('a.json', `{"${WORD}": "${KEY}", "deviceType": "${PAN}"}`),
      '--test-keys',
    ],
  ],
  [
    'a defect in a batch',
    () => ['decrypt', '--batch', file('a.jsonl', `{"${WORD}": "${KEY}"}\n`), '--test-keys'],
  ],
];

/** What each failure prints; only a defect runs with what breaks. */
async function failed(more: Record<string, string>) {
  const env = {...more, PAYLENS_SHARED_KEY: KEY};
  const run = (cases: typeof FAILURES, with_: Record<string, string>) =>
    runBins(
      cases.map(([, argv]) => argv()),
      with_,
    );
  return [...(await run(FAILURES, env)), ...(await run(DEFECTS, {...env, ...DEFECT}))];
}

describe('PAYLENS_TRACE=1', () => {
  it('shows where each failure comes from, and no value', async () => {
    for (const {argv, stderr} of await failed(TRACE)) {
      expect([argv, stderr]).toEqual([argv, expect.stringMatching(FRAMES)]);
      expect(stderr).toContain('(dist/');
      expect(SECRETS.filter((secret) => stderr.includes(secret))).toEqual([]);
    }
  });

  it('unset, shows nothing of it', async () => {
    const runs = await failed({PAYLENS_TRACE: ''});
    expect(runs).toHaveLength(FAILURES.length + DEFECTS.length);
    for (const {argv, stdout, stderr} of runs) {
      expect([argv, stdout + stderr]).toEqual([argv, expect.not.stringMatching(/^ +at /m)]);
      expect(SECRETS.filter((secret) => stderr.includes(secret))).toEqual([]);
    }
  });

  it('leaves the JSON of a failure as it is', async () => {
    const {stdout, stderr} = await runBin(['decrypt', 'XX', '--json'], {env: TRACE});
    expect(JSON.parse(stdout)).toMatchObject({success: false});
    expect(stderr).toMatch(FRAMES);
  });

  it('has the service log where every error comes from', async () => {
    const service = await serve(['--demo'], TRACE);
    await post(service.url, '/api/v1/partner/validate', {partnerId: WORD, partnerKey: KEY});
    await service.logged('"stack"');
    expect(service.log().find(({stack}) => stack)).toMatchObject({
      errCode: 1003,
      stack: expect.stringMatching(/^PaylensError 1003\n {4}at .*\(dist\//),
    });
    expect(SECRETS.filter((secret) => service.stderr().includes(secret))).toEqual([]);
  });
});

describe('without it', () => {
  it('a service logs where a defect comes from, and no value', async () => {
    const service = await serve(['--demo'], DEFECT);
    const body = {partnerId: WORD, partnerKey: KEY, devicePayload: PAN};
    const {status} = await post(service.url, '/api/v1/partner/validate', body);
    expect(status).toBe(500);
    await service.logged('"stack"');
    expect(service.log().find(({msg}) => msg === 'defect')).toMatchObject({
      errCode: 1,
      defect: 'TypeError',
      stack: expect.stringMatching(/^TypeError\n {4}at \w+ \(dist\//),
    });
    expect(SECRETS.filter((secret) => service.stderr().includes(secret))).toEqual([]);
  });

  it('a service logs no place of other errors', async () => {
    const service = await serve(['--demo']);
    await post(service.url, '/api/v1/partner/validate', {partnerId: WORD, partnerKey: KEY});
    await service.logged('1003');
    expect(service.stderr()).not.toContain('"stack"');
  });
});

it('a sample is decrypted as ever with it', async () => {
  const argv = ['decrypt', path.join(SAMPLES, 'idtech-swipe.json'), '--test-keys', '--json'];
  const {exitCode, stderr} = await runBin(argv, {env: TRACE});
  expect([exitCode, stderr]).toEqual([0, '']);
});
