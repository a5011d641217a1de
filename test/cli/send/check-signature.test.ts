import {createHmac} from 'node:crypto';
import {chmodSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {contentHash} from '../../../src/auth/string-to-hash.js';
import {Secret} from '../../../src/contract/secret.js';
import {emptyKeyfile} from '../../../src/keyfile/keyfile.js';
import {createKeyfile} from '../../../src/keyfile/save-keyfile.js';
import {wrongSignatures} from '../../auth/explain/wrong-signatures.js';
import {PASSPHRASE, passphraseEncryption} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {runBin} from '../run-bin.js';
import {runCommand} from '../run-command.js';

const PARTNER_KEY = 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0';
const SHARED_KEY = '5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00';
const RSA_KEY = fileURLToPath(new URL('../../../samples/demo-rsa-key.pem', import.meta.url));
const TARGET = '/api/v1/partner/validate';
const HOST = 'parser.example.com';
const BODY = '{"reference":"caf\u00e9 \'1\'"}\n';
const NOW = 1_795_000_000;

let folder = '';
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => vi.unstubAllEnvs());

function file(name: string, content: string | Uint8Array): string {
  const whole = path.join(folder, name);
  writeFileSync(whole, content);
  chmodSync(whole, 0o600);
  return whole;
}

function check(...argv: string[]) {
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('PAYLENS_SHARED_KEY', SHARED_KEY);
  vi.stubEnv('PAYLENS_PARTNER_KEY', PARTNER_KEY);
  return runCommand('sign', argv);
}

const AT = ['--timestamp', String(NOW), '--rsa-private-key', RSA_KEY, '--partner', 'DEMO'];

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const asCurl = (authorization: string, body = BODY) =>
  `curl -k --compressed ${quoted(`https://${HOST}${TARGET}`)} \\\n` +
  `  -H ${quoted(`Authorization: ${authorization}`)} \\\n  --data-raw ${quoted(body)}\n`;
const asHar = (authorization: string, body = BODY) => ({
  startedDateTime: new Date(NOW * 1000).toISOString(),
  request: {
    method: 'POST',
    url: `https://${HOST}${TARGET}`,
    headers: [{name: 'authorization', value: authorization}],
    postData: {mimeType: 'application/json', text: body},
  },
});

function signed({target = TARGET, body = BODY, key = SHARED_KEY, join = '\n'} = {}): string {
  const lines = [`POST ${target}`, 'nonce-1', NOW, '', contentHash(Buffer.from(body))];
  const response = createHmac('sha256', key).update(lines.join(join)).digest('hex');
  return `Hmac username="DEMO", nonce="nonce-1", timestamp=${NOW}, response="${response}"`;
}

describe('sign --request-file explains every wrong signature', () => {
  const terms = {partnerId: 'DEMO', partnerKey: PARTNER_KEY, sharedKey: SHARED_KEY};
  const table = wrongSignatures({...terms, target: TARGET, host: HOST, body: BODY, now: NOW});

  it.each(table)('$name', async ({authorization, explanation}) => {
    const request = file('request.sh', asCurl(authorization));
    const {stdout, exitCode} = await check('--request-file', request, ...AT, '--json');
    const {faults, timeFault} = JSON.parse(stdout);
    expect([faults.join('; '), timeFault].join('\n')).toContain(explanation);
    expect(exitCode).toBe(timeFault && faults.length === 0 ? 0 : 7);
  });
});

describe('sign --request-file', () => {
  const http = (authorization: string) =>
    `POST ${TARGET} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: ${authorization}\r\n\r\n${BODY}`;

  it.each([
    ['a curl command', asCurl],
    ['a HAR', (header: string) => JSON.stringify({log: {entries: [asHar(header)]}})],
    ['a HAR entry', (header: string) => JSON.stringify(asHar(header))],
    ['an HTTP request', http],
  ])('reads %s', async (_, write) => {
    const at = ['--timestamp', String(NOW)];
    const right = await check('--request-file', file('right', write(signed())), ...at);
    expect(right).toEqual({stdout: 'valid\n', stderr: '', exitCode: 0});
    const wrong = signed({target: `http://${HOST}${TARGET}`});
    const {stdout, exitCode} = await check('--request-file', file('wrong', write(wrong)), ...at);
    expect([stdout, exitCode]).toEqual([
      'invalid: the path was signed with protocol or host before it\n',
      7,
    ]);
  });

  it('takes the time of a HAR for the time of the check', async () => {
    const {stdout} = await check('--request-file', file('har', JSON.stringify(asHar(signed()))));
    expect(stdout).toBe('valid\n');
  });

  it.each([[['--request-file', 'FILE']], [['--check', 'TEXT']]])(
    'is the same as %j',
    async (argv) => {
      const request = file('request.sh', asCurl(signed()));
      const words = argv.map((word) =>
        word.replace('FILE', request).replace('TEXT', asCurl(signed())),
      );
      const {stdout} = await check(...words, '--timestamp', String(NOW));
      expect(stdout).toBe('valid\n');
    },
  );

  it('reads stdin', async () => {
    const env = {XDG_CONFIG_HOME: folder, PAYLENS_SHARED_KEY: SHARED_KEY};
    const argv = ['sign', '--request-file', '-', '--timestamp', String(NOW)];
    expect(await runBin(argv, {input: asCurl(signed()), env})).toMatchObject({
      stdout: 'valid\n',
      exitCode: 0,
    });
    const both = await runBin(['sign', '-', '--request-file', '-'], {input: 'x', env});
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('stdin cannot be')]);
  });

  it('never reads a file that the request names, but takes its body as the argument', async () => {
    const body = file('body.json', BODY);
    const request = file(
      'request.sh',
      asCurl(signed()).replace(/--data-raw[\s\S]*/, `-d @${body}`),
    );
    const argv = ['--request-file', request, '--timestamp', String(NOW)];
    const refused = await check(...argv);
    expect([refused.exitCode, refused.stderr]).toEqual([
      4,
      expect.stringContaining('Pass the file of the body as the argument BODY.'),
    ]);
    expect((await check(body, ...argv)).stdout).toBe('valid\n');
  });

  it('takes target and body of the command line in place of its own', async () => {
    const request = file(
      'request.sh',
      asCurl(signed({target: '/api/partner/validate', body: 'x'})),
    );
    const argv = ['--request-file', request, '--timestamp', String(NOW)];
    const {stdout} = await check(file('x', 'x'), ...argv, '--target', '/api/partner/validate');
    expect(stdout).toBe('valid\n');
  });

  it('checks the only request with a header, and refuses several with a list', async () => {
    const [first, last] = [asHar(signed({key: 'x'})), asHar(signed())];
    const page = {request: {method: 'GET', url: 'https://me:word@page/?token=word', headers: []}};
    const at = ['--timestamp', String(NOW)];
    const one = file('one.har', JSON.stringify({log: {entries: [page, last]}}));
    expect(await check('--request-file', one, ...at)).toMatchObject({
      stdout: 'valid\n',
      stderr: expect.stringContaining('Request 2 of 2 is checked'),
    });
    const har = file('all.har', JSON.stringify({log: {entries: [first, page, last]}}));
    const {stderr, exitCode} = await check('--request-file', har, ...at);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('expected one request, found 3');
    expect(stderr).toContain('  2  GET https://page/?token=[hidden]\n');
    expect((await check('--request-file', har, ...at, '--entry', '3')).stdout).toBe('valid\n');
    expect((await check('--request-file', har, ...at, '--entry', '4')).exitCode).toBe(2);
  });

  it.each([
    ['two headers', (text: string) => text.replace('-H ', "-H 'Authorization: x' -H ")],
    ['two', (text: string) => text.replace('-H ', "--header 'authorization: Hmac a=b' -H ")],
  ])('finds %s', async (_, change) => {
    const {stdout} = await check('--request-file', file('r', change(asCurl(signed()))));
    expect(stdout).toBe('invalid: two Authorization headers\n');
  });

  it('checks the credentials in a body without a header', async () => {
    const request = (partnerKey: string) => {
      const command = asCurl('x', JSON.stringify({partnerId: 'DEMO', partnerKey}));
      return file('request.sh', command.replace(/ {2}-H.*\n/, ''));
    };
    expect((await check('--request-file', request(PARTNER_KEY))).stdout).toBe('valid\n');
    const {stdout, exitCode} = await check('--request-file', request(SHARED_KEY));
    expect([stdout, exitCode]).toEqual([
      'invalid: the shared key was used instead of the partnerKey\n',
      7,
    ]);
  });

  it('says that a browser left the header out', async () => {
    const {request, ...entry} = asHar('x');
    const har = JSON.stringify({...entry, request: {...request, headers: []}});
    const {stderr, exitCode} = await check('--request-file', file('har', har));
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringContaining('exported with sensitive data'),
    ]);
  });

  it('warns of another method than POST, which a server would refuse', async () => {
    const command = asCurl(signed()).replace('curl ', 'curl -X PUT ');
    const {stdout, stderr} = await check('--request-file', file('r', command));
    expect(stdout).toMatch(/^invalid: /m);
    expect(stderr).toContain('The interface has POST only');
  });

  it.each([
    asCurl(`Basic ${Buffer.from(`DEMO:${PARTNER_KEY}`).toString('base64')}`),
    `curl -u DEMO:${PARTNER_KEY} http://${HOST}`,
    asCurl('Hmac a="b"', JSON.stringify({partnerId: 'DEMO', partnerKey: PARTNER_KEY})),
  ])(
    'is demanded for a command with a key: it would be visible as an argument',
    async (command) => {
      const {stderr, exitCode} = await check('--check', command);
      expect(exitCode).toBe(2);
      expect(stderr).not.toContain(PARTNER_KEY);
      expect(stderr).toMatch(/visible to other users|not accepted as arguments/);
    },
  );

  it('checks Basic from a file, keys never shown', async () => {
    const token = Buffer.from(`DEMO:${SHARED_KEY}`).toString('base64');
    const {stdout, stderr} = await check('--request-file', file('r', asCurl(`Basic ${token}`)));
    expect(stdout).toBe('invalid: the shared key was used instead of the partnerKey\n');
    expect(stderr).toBe('');
  });

  it.each([
    [[], /missing argument BODY/],
    [['--check', 'Hmac a="b"'], /missing argument BODY/],
    [['x.json', '--check', 'Hmac a="b"', '--entry', '1'], /--entry chooses/],
    [['--request-file', 'nothing-here'], /no such file/],
    [['--request-file', 'x', '--curl', '--url', 'http://x'], /request-file/],
  ])('%j is wrong usage', async (argv, message) => {
    const {stderr, exitCode} = await check(...argv);
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});

describe('a keyfile with several partners', () => {
  it("tells that another partner's key was used, once it is open", async () => {
    const secretOf = (text: string) => new Secret(Buffer.from(text));
    const partner = (partnerId: string, sharedKey: string) => ({
      partnerId,
      sharedKey: secretOf(sharedKey),
      encoding: 'utf8' as const,
      methods: ['hmac' as const],
    });
    const keyfile = path.join(folder, 'lab.age');
    const partners = [partner('DEMO', SHARED_KEY), partner('OTHER', 'the key of another partner')];
    await createKeyfile(
      keyfile,
      {...emptyKeyfile('2026-01-02T03:04:05Z'), partners},
      passphraseEncryption(),
    );
    const passphrase = file('passphrase', PASSPHRASE);
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    vi.stubEnv('PAYLENS_SHARED_KEY', '');
    const argv = ['--partner', 'DEMO', '--keyfile', keyfile, '--passphrase-file', passphrase];
    const verdict = async (header: string) => {
      const request = file('r', asCurl(header));
      const at = ['--timestamp', String(NOW)];
      return (await runCommand('sign', ['--request-file', request, ...argv, ...at])).stdout;
    };
    expect(await verdict(signed())).toBe('valid\n');
    expect(await verdict(signed({key: 'the key of another partner'}))).toBe(
      'invalid: the shared key of partner OTHER was signed with\n',
    );
    // Without --partner the username of the header says whose key it is, in a keyfile and beside it.
    argv.splice(0, 2);
    expect(await verdict(signed())).toBe('valid\n');
    vi.stubEnv('PAYLENS_SHARED_KEY', SHARED_KEY);
    const lone = path.join(folder, 'lone.age');
    const others = partners.slice(1);
    const content = {...emptyKeyfile('2026-01-02T03:04:05Z'), partners: others};
    await createKeyfile(lone, content, passphraseEncryption());
    argv[1] = lone;
    expect(await verdict(signed())).toBe('valid\n');
  });
});

describe('the string to hash', () => {
  const hash = contentHash(Buffer.from(BODY));
  const unknown = () => file('r', asCurl(signed({key: 'another key'})));
  const at = ['--timestamp', String(NOW)];

  it('is shown when no usual mistake explains a response', async () => {
    const {stdout, stderr} = await check('--request-file', unknown(), ...at);
    expect(stdout).toContain(`string to hash  POST ${TARGET}\\n\n`);
    expect(stdout).toContain(`${' '.repeat(16)}${hash}\n`);
    expect(stderr).toContain('Compare the string to hash with the one of your code.');
    const found = await check('--request-file', file('w', asCurl(signed({join: '\r\n'}))), ...at);
    expect(found.stdout).toBe('invalid: the lines were joined with CR LF\n');
  });
});
