import {createHash, createHmac, generateKeyPairSync} from 'node:crypto';
import {chmodSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {emptyKeyfile} from '../../src/keyfile/keyfile.js';
import {createKeyfile} from '../../src/keyfile/save-keyfile.js';
import {secret, TARGET, VECTORS} from '../auth/auth-fixture.js';
import {runBin} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';
import {PASSPHRASE, passphraseEncryption} from '../keyfile/sample-keyfile.js';
import {tempFolder} from '../keyfile/temp-folder.js';

const PARTNER_KEY = 'ef1ad938150fb15a1384b883a104ce70';
const SHARED_KEY = '5d1f0c2b7a9e4f6388c1d2e3f4a5b6c7';
const VECTOR = VECTORS.hmac.find(({name}) => name === 'leading-trailing-whitespace');
const BODY = Buffer.from(VECTOR?.bodyHex ?? '', 'hex');
const TERMS = ['--nonce', VECTOR?.nonce ?? '', '--timestamp', String(VECTOR?.timestamp)];

let folder = '';
const file = (name: string, content: string | Uint8Array = '') => {
  const whole = path.join(folder, name);
  writeFileSync(whole, content);
  chmodSync(whole, 0o600);
  return whole;
};
const sign = (...argv: string[]) => runCommand('sign', argv);

beforeEach(() => {
  folder = tempFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('PAYLENS_SHARED_KEY', SHARED_KEY);
  vi.stubEnv('PAYLENS_PARTNER_KEY', PARTNER_KEY);
});
afterEach(() => vi.unstubAllEnvs());

const request = () => [file('body.json', BODY), '--target', TARGET, '--partner', 'WATERFORD'];

describe('sign prints the header', () => {
  it('of HMAC, over the bytes of a file as they are', async () => {
    const {stdout, stderr} = await sign(...request(), ...TERMS);
    expect([stdout, stderr]).toEqual([`${VECTOR?.authorization}\n`, '']);
  });

  it('of HMAC, over the bytes of stdin as they are', async () => {
    const argv = ['sign', '-', '--target', TARGET, '--partner', 'WATERFORD', ...TERMS];
    const env = {PAYLENS_SHARED_KEY: SHARED_KEY, XDG_CONFIG_HOME: folder};
    expect((await runBin(argv, {input: BODY, env})).stdout).toBe(`${VECTOR?.authorization}\n`);
  });

  it.each(['nul-in-body', 'invalid-utf8-body', 'bom-body', 'empty-body', 'crlf-lines'])(
    'of HMAC over a body that text would spoil: %s',
    async (name) => {
      const vector = VECTORS.hmac.find((other) => other.name === name);
      const body = file('body.bin', Buffer.from(vector?.bodyHex ?? '', 'hex'));
      const {stdout} = await sign(body, '--target', TARGET, '--partner', 'WATERFORD', ...TERMS);
      expect(stdout).toBe(`${vector?.authorization}\n`);
    },
  );

  it('of HMAC with a key in hex or base64', async () => {
    for (const name of ['key-hex-decoded', 'key-base64-decoded']) {
      const vector = VECTORS.hmac.find((other) => other.name === name);
      vi.stubEnv('PAYLENS_SHARED_KEY', vector?.sharedKey ?? '');
      const body = file('body.json', Buffer.from(vector?.bodyHex ?? '', 'hex'));
      const argv = [body, '--target', TARGET, '--partner', 'WATERFORD', ...TERMS];
      const {stdout} = await sign(...argv, '--key-encoding', vector?.encoding ?? '');
      expect(stdout).toBe(`${vector?.authorization}\n`);
    }
  });

  it('of RSA', async () => {
    const vector = VECTORS.rsa.find(({name}) => name === 'rsa-parser');
    const body = file('body.json', Buffer.from(vector?.bodyHex ?? '', 'hex'));
    const key = file('key.pem', VECTORS.rsaKeys['test-rsa-2048']?.privateKey);
    const argv = [body, '--target', TARGET, '--partner', 'WATERFORD', ...TERMS];
    const {stdout} = await sign(...argv, '--method', 'rsa', '--rsa-private-key', key);
    expect(stdout).toBe(`${vector?.authorization}\n`);
  });

  it('of Basic', async () => {
    const {stdout} = await sign(...request(), '--method', 'basic');
    expect(stdout).toBe('Basic V0FURVJGT1JEOmVmMWFkOTM4MTUwZmIxNWExMzg0Yjg4M2ExMDRjZTcw\n');
  });

  it('of pre-emptive Digest', async () => {
    const vector = VECTORS.digestPreemptive.find(({name}) => name === 'legacy-parser');
    const {stdout} = await sign(...request(), '--method', 'digest-preemptive', ...TERMS);
    expect(stdout).toBe(`${vector?.authorization}\n`);
  });

  it('of Digest, for a challenge', async () => {
    const vector = VECTORS.digest.find(({name}) => name === 'api-auth-SHA-256');
    const challenge = `Digest realm="Users", qop="auth", algorithm=SHA-256, nonce="${vector?.nonce}"`;
    const argv = ['--method', 'digest', '--challenge', challenge, '--nonce', vector?.cnonce ?? ''];
    const {stdout} = await sign(...request(), ...argv);
    expect(stdout).toBe(`${vector?.authorization}\n`);
  });

  it('with a new nonce and the time of now', async () => {
    const first = (await sign(...request())).stdout;
    const second = (await sign(...request())).stdout;
    const timestamp = Number(/timestamp=(\d+)/.exec(first)?.[1]);
    expect([first === second, Math.abs(timestamp - Date.now() / 1000) < 10]).toEqual([false, true]);
  });

  it('for the path and query of a URL', async () => {
    const vector = VECTORS.hmac.find(({name}) => name === 'query-string');
    const body = file('body.json', Buffer.from(vector?.bodyHex ?? '', 'hex'));
    const url = `https://host:8443${vector?.target}#part`;
    const {stdout} = await sign(body, '--url', url, '--partner', 'WATERFORD', ...TERMS);
    expect(stdout).toBe(`${vector?.authorization}\n`);
  });
});

describe('sign finds the key', () => {
  beforeEach(async () => {
    vi.stubEnv('PAYLENS_SHARED_KEY', '');
    const partners = [
      {partnerId: 'WATERFORD', sharedKey: secret(SHARED_KEY), methods: ['hmac']},
      {partnerId: 'OTHER', sharedKey: secret('AP8Q'), encoding: 'base64', methods: ['hmac']},
    ] as const;
    const keyfile = {...emptyKeyfile('2026-01-02T03:04:05Z'), partners};
    await createKeyfile(path.join(folder, 'keys.age'), keyfile, passphraseEncryption());
    vi.stubEnv('PAYLENS_PASSPHRASE', PASSPHRASE);
  });
  const keyfile = () => ['--keyfile', path.join(folder, 'keys.age')];

  it('in the keyfile', async () => {
    const {stdout} = await sign(...request(), ...TERMS, ...keyfile());
    expect(stdout).toBe(`${VECTOR?.authorization}\n`);
  });

  it('in a file first', async () => {
    const key = file('shared.txt', `${SHARED_KEY}\n`);
    vi.stubEnv('PAYLENS_SHARED_KEY', 'another');
    const {stdout} = await sign(...request(), ...TERMS, '--shared-key-file', key);
    expect(stdout).toBe(`${VECTOR?.authorization}\n`);
  });

  it.each([
    ['nobody is named', ['--target', TARGET], 9001],
    ['the partner is not in the keyfile', ['--target', TARGET, '--partner', 'NOBODY'], 9015],
  ])('not when %s', async (_, argv, code) => {
    const {stdout} = await sign(file('body.json', BODY), ...argv, ...keyfile(), '--json');
    expect(JSON.parse(stdout)).toMatchObject({success: false, errCode: code});
  });

  it('not in a keyfile that is missing', async () => {
    const missing = ['--keyfile', path.join(folder, 'missing.age')];
    const {exitCode, stderr} = await sign(...request(), ...missing);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('Error 9010')]);
  });
});

describe('sign --curl', () => {
  const curl = (...argv: string[]) => sign(...argv, '--partner', "O'NEIL", '--curl');

  it('names the file of the body', async () => {
    const body = file("it's.json", BODY);
    const {stdout} = await curl(body, '--url', `http://127.0.0.1:1${TARGET}`);
    expect(stdout).toContain(`--data-binary '@${body.replace("'", `'\\''`)}'`);
  });

  it('gives curl the very bytes and header in a shell', async () => {
    const body = `{"reference":"it's $HOME \\n \u00e9"}\n`;
    const argv = [
      'sign',
      '-',
      '--url',
      `http://127.0.0.1:1${TARGET}`,
      '--partner',
      "O'NEIL",
      '--curl',
    ];
    const env = {PAYLENS_SHARED_KEY: SHARED_KEY, XDG_CONFIG_HOME: folder};
    const {stdout} = await runBin(argv, {input: body, env});
    const script = `curl() { for word; do printf '%s\\0' "$word"; done; }\n${stdout}`;
    const words = (await execa('sh', ['-c', script], {stripFinalNewline: false})).stdout.split(
      '\0',
    );
    expect(words).toEqual([
      `http://127.0.0.1:1${TARGET}`,
      '-H',
      'Content-Type: application/json',
      '-H',
      expect.stringMatching(/^Authorization: Hmac username="O'NEIL", nonce=/),
      '--data-raw',
      body,
      '',
    ]);
  });

  it('refuses bytes that no shell can pass on', async () => {
    const argv = ['sign', '-', '--url', `http://127.0.0.1:1${TARGET}`, '--partner', 'A', '--curl'];
    const env = {PAYLENS_SHARED_KEY: SHARED_KEY, XDG_CONFIG_HOME: folder};
    expect((await runBin(argv, {input: Buffer.of(0, 255), env})).exitCode).toBe(2);
  });

  it('needs the whole URL', async () => {
    expect((await sign(...request(), '--curl')).exitCode).toBe(2);
  });
});

describe('sign --explain', () => {
  it('shows the string to hash with its line feeds', async () => {
    const {stdout} = await sign(...request(), ...TERMS, '--explain');
    expect(stdout).toContain(
      [
        `string to hash  POST ${TARGET}\\n`,
        `                ${VECTOR?.nonce}\\n`,
        `                ${VECTOR?.timestamp}\\n`,
        '                \\n',
        `                ${VECTOR?.contentHash}`,
      ].join('\n'),
    );
  });

  it('ends with the header', async () => {
    const {stdout} = await sign(...request(), ...TERMS, '--explain');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(VECTOR?.authorization);
  });

  it('gives the steps as JSON too', async () => {
    const {stdout} = await sign(...request(), ...TERMS, '--explain', '--json');
    const {authorization, steps} = JSON.parse(stdout);
    expect([authorization, steps]).toEqual([
      VECTOR?.authorization,
      expect.arrayContaining([{name: 'string to hash', value: VECTOR?.stringToHash}]),
    ]);
  });

  it.each(['basic', 'digest-preemptive'])('of %s never shows the key', async (method) => {
    const {stdout} = await sign(...request(), '--method', method, '--explain');
    expect(stdout).not.toContain(PARTNER_KEY);
  });
});

describe('sign --check', () => {
  it('says that a header is right, however old', async () => {
    const {stdout, exitCode} = await sign(...request(), '--check', VECTOR?.authorization ?? '');
    expect(stdout).toMatch(/^valid\n/);
    expect(exitCode).toBe(0);
  });

  it.each([
    [900, ''],
    [
      901,
      'but a server would reject it now: the timestamp is 901 s old: at most 900 are accepted\n',
    ],
    [
      -901,
      'but a server would reject it now: the timestamp is 901 s ahead of the clock: at most 900 are accepted\n',
    ],
  ])('says how a server takes a right header %i s later', async (later, expected) => {
    const {stdout, stderr} = await checkLater(later);
    expect([stdout, stderr]).toEqual([`valid\n${expected}`, '']);
  });

  it.each([
    [900, {right: true, fresh: true}],
    [901, {right: true, fresh: false, timeFault: expect.stringContaining('901 s old')}],
  ])('tells a program so, too, %i s later', async (later, expected) => {
    const {stdout, exitCode} = await checkLater(later, '--json');
    expect([JSON.parse(stdout), exitCode]).toEqual([expect.objectContaining(expected), 0]);
  });

  it('names the usual mistake and ends with exit code 7', async () => {
    const trimmed = file('trimmed.json', BODY.toString().trim());
    const argv = [trimmed, '--target', '/api/decrypt/parser', '--partner', 'WATERFORD'];
    const {stdout: header} = await sign(...argv);
    const {stdout, exitCode} = await sign(...request(), '--check', header.trim());
    expect([stdout, exitCode]).toEqual([
      'invalid: the body was trimmed before it was hashed\ninvalid: the path was signed without its version\n',
      7,
    ]);
  });

  it('finds the host in the signed path by the URL', async () => {
    const url = `http://host:8080${TARGET}`;
    const message = `POST ${url}\nn\n1\n\n${createHash('sha256').update(BODY).digest('hex')}`;
    const response = createHmac('sha256', SHARED_KEY).update(message).digest('hex');
    const header = `Hmac username="WATERFORD", nonce="n", timestamp=1, response="${response}"`;
    const argv = [file('body.json', BODY), '--url', url, '--partner', 'WATERFORD'];
    const {stdout} = await sign(...argv, '--check', header);
    expect(stdout).toBe('invalid: the path was signed with protocol or host before it\n');
  });

  it('gives JSON', async () => {
    vi.stubEnv('PAYLENS_SHARED_KEY', 'another key');
    const {stdout, exitCode} = await sign(
      ...request(),
      '--json',
      '--check',
      VECTOR?.authorization ?? '',
    );
    expect([JSON.parse(stdout), exitCode]).toEqual([
      expect.objectContaining({
        right: false,
        faults: ['the response is wrong, and no common mistake explains it'],
        stringToHash: VECTOR?.stringToHash,
      }),
      7,
    ]);
  });

  it('never shows the response that would be right', async () => {
    const wrong = VECTOR?.authorization.replace(/[0-9a-f]{64}/, '0'.repeat(64)) ?? '';
    const {stdout, stderr} = await sign(...request(), '--explain', '--check', wrong);
    expect(stdout + stderr).not.toContain(VECTOR?.response);
  });

  it.each([
    ['rsa', () => VECTORS.rsa.find(({name}) => name === 'rsa-parser')?.authorization, 'valid\n'],
    [
      'digest',
      () => VECTORS.digest.find(({name}) => name === 'api-auth-SHA-256')?.authorization,
      'valid\n',
    ],
    [
      'digest',
      () =>
        VECTORS.digest
          .find(({name}) => name === 'api-auth-MD5')
          ?.authorization.replace('parser', 'x'),
      'invalid: its uri is not the target of the request\n',
    ],
    [
      'digest-preemptive',
      () => VECTORS.digestPreemptive.find(({name}) => name === 'legacy-parser')?.authorization,
      'valid\n',
    ],
    [
      'digest-preemptive',
      () =>
        VECTORS.digestPreemptive
          .find(({name}) => name === 'legacy-parser')
          ?.authorization.replace('WATER', 'W'),
      'invalid: unknown username: paylens has no key of this partner\n',
    ],
    [
      'digest-preemptive',
      () =>
        VECTORS.digestPreemptive
          .find(({name}) => name === 'legacy-parser')
          ?.authorization.replace('nonce="', 'nonce="a:'),
      'invalid: its nonce contains a colon: it could be a response to a challenge\n',
    ],
  ])('judges %s', async (_, header, expected) => {
    const vector = VECTORS.rsa.find(({name}) => name === 'rsa-parser');
    const body = file('body.json', Buffer.from(vector?.bodyHex ?? '', 'hex'));
    const key = file('key.pem', VECTORS.rsaKeys['test-rsa-2048']?.privateKey);
    const argv = [body, '--target', TARGET, '--partner', 'WATERFORD', '--rsa-private-key', key];
    const at = ['--timestamp', String(vector?.timestamp)];
    expect((await sign(...argv, ...at, '--check', header() ?? '')).stdout).toBe(expected);
  });

  it('takes no Basic header as an argument', async () => {
    const header = 'Basic V0FURVJGT1JEOmVmMWFkOTM4MTUwZmIxNWExMzg0Yjg4M2ExMDRjZTcw';
    expect((await sign(...request(), '--check', header)).exitCode).toBe(2);
  });
});

function checkLater(seconds: number, ...more: string[]) {
  const at = ['--timestamp', String((VECTOR?.timestamp ?? 0) + seconds)];
  return sign(...request(), '--check', `Authorization: ${VECTOR?.authorization}`, ...at, ...more);
}

describe('sign refuses', () => {
  it.each([
    [
      'JSON with a partnerKey as an argument',
      '{"partnerKey":"x"}',
      'keys are not accepted as arguments: other users can see them in the process list',
    ],
    [
      'JSON with an escaped partnerKey',
      '{"\\u0070artnerKey":"x"}',
      'keys are not accepted as arguments: other users can see them in the process list',
    ],
    ['a file that is not there', 'missing.json', 'no such file'],
    ['a folder', '.', 'is a directory'],
  ])('%s', async (_, body, message) => {
    const {exitCode, stderr} = await sign(body, '--target', TARGET, '--partner', 'A');
    expect([exitCode > 0, stderr]).toEqual([true, expect.stringContaining(message)]);
  });

  it.each([
    ['no target', []],
    ['a target without a slash', ['--target', 'api']],
    ['a target with a blank', ['--target', '/a b']],
    ['another protocol', ['--url', 'ftp://host/a']],
    ['a nonce with a line feed', ['--target', TARGET, '--nonce', 'a\nb']],
    [
      'a nonce of pre-emptive Digest with a colon',
      ['--target', TARGET, '--method', 'digest-preemptive', '--nonce', 'a:b'],
    ],
    ['Digest without a challenge', ['--target', TARGET, '--method', 'digest']],
    [
      'a challenge of another realm',
      [
        '--target',
        TARGET,
        '--method',
        'digest',
        '--challenge',
        'Digest realm="x", nonce="n", qop="auth"',
      ],
    ],
  ])('%s', async (_, argv) => {
    const {exitCode} = await sign(file('body.json', BODY), '--partner', 'A', ...argv);
    expect(exitCode).toBe(2);
  });

  it('Digest without a challenge by the name of the flag', async () => {
    const argv = [file('body.json', BODY), '--partner', 'A', '--target', TARGET];
    const {stderr} = await sign(...argv, '--method', 'digest');
    expect(stderr).toContain('--method digest requires --challenge');
  });

  it('an RSA key that is not one', async () => {
    const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'});
    const pem = privateKey.export({type: 'pkcs8', format: 'pem'}).toString();
    const argv = [...request(), '--method', 'rsa', '--rsa-private-key'];
    const exits = [
      await sign(...argv, file('ec.pem', pem)),
      await sign(...argv, file('none.pem', 'none')),
    ].map(({exitCode}) => exitCode);
    expect(exits).toEqual([3, 3]);
  });
});
