import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {BIN, runBin} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

const sample = (name: string) => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));

const SWIPE = sample('idtech-swipe.json');
const REQUEST: Record<string, string> = JSON.parse(readFileSync(SWIPE, 'utf8'));
const PAYLOAD = String(REQUEST.devicePayload);
const OTHER_PAYLOAD = String(
  JSON.parse(readFileSync(sample('idtech-private-key.json'), 'utf8')).devicePayload,
);
const PAN = '4266841088889999';

let folder = '';
// A random name may look like a card number, which no message shows.
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-decrypt-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

/** A file with this content. */
function fileOf(content: string | Uint8Array): string {
  const name = path.join(folder, `${++files}`);
  writeFileSync(name, content);
  return name;
}

function decrypt(...argv: string[]) {
  return runCommand('decrypt', [...argv, '--test-keys']);
}

async function decryptJson(...argv: string[]) {
  const {stdout, stderr, exitCode} = await decrypt(...argv, '--json');
  return {body: JSON.parse(stdout), stderr, exitCode};
}

async function errorOf(...argv: string[]): Promise<string> {
  const {body} = await decryptJson(...argv);
  return `${body.errCode} ${body.errMessage}`;
}

describe('decrypt', () => {
  it('shows the card of a request JSON with its sensitive parts masked', async () => {
    const {stdout} = await decrypt(SWIPE);
    const cells = [...stdout.matchAll(/^(.+)\t(.+)$/gm)].map(([, ...row]) => row);
    expect(cells).toEqual([
      ['device', 'IDTECH'],
      ['serial', '62994901190000'],
      ['mode', 'swiped'],
      ['PAN', '426684******9999'],
      ['expiry', '09/08'],
      ['surname', 'BUSH JR'],
      ['first name', 'GEORGE W'],
      ['service code', '***'],
      ['discretionary', '********'],
      ['track 1', '%B426684******9999^BUSH JR/GEORGE W.MR^0809***************************?'],
      ['track 2', ';426684******9999=0809***********?'],
      ['track 3', expect.stringMatching(/^;\*+\?$/)],
      ['KSN', '62994901190000000003 (counter 3)'],
      ['key', 'test BDK (TDES), KCV 08D7B4'],
    ]);
  });

  it('says on stderr how to see the card data', async () => {
    expect((await decrypt(SWIPE)).stderr).toBe('Card data is masked; use --reveal to show it.\n');
  });

  it('says nothing on stderr with --quiet', async () => {
    expect((await decrypt(SWIPE, '--quiet')).stderr).toBe('');
  });

  it('shows card data with --reveal', async () => {
    const {stdout} = await decrypt(SWIPE, '--reveal');
    expect(stdout).toContain(`;${PAN}=080910110000046?`);
  });

  it('prints exactly the response of the service with --json', async () => {
    const {body, stderr, exitCode} = await decryptJson(SWIPE);
    expect({keys: Object.keys(body), extracted: body.extracted, stderr, exitCode}).toEqual({
      keys: ['success', 'messageId', 'meta', 'track1', 'track2', 'track3', 'extracted'],
      extracted: {
        PAN,
        EXPY: '0908',
        FirstName: 'GEORGE W',
        Surname: 'BUSH JR',
        ServiceCode: '101',
        Discretionary: '10000046',
      },
      stderr: '',
      exitCode: 0,
    });
  });

  it('gives a messageId of 25 digits', async () => {
    expect((await decryptJson(SWIPE)).body.messageId).toMatch(/^1\d{24}$/);
  });

  it('echoes the reference of the request', async () => {
    const file = fileOf(JSON.stringify({...REQUEST, reference: 'order 7'}));
    expect((await decryptJson(file)).body.reference).toBe('order 7');
  });

  it('echoes the reference and a messageId in an error object, too', async () => {
    const file = fileOf(JSON.stringify({...REQUEST, reference: 'order 7', devicePayload: '0299'}));
    const {body} = await decryptJson(file);
    expect(body).toEqual({
      success: false,
      errCode: expect.any(Number),
      errMessage: expect.any(String),
      reference: 'order 7',
      messageId: expect.stringMatching(/^1\d{24}$/),
    });
  });

  it('ignores credentials in the request', async () => {
    const file = fileOf(JSON.stringify({...REQUEST, partnerId: 'x', partnerKey: 'y'}));
    expect((await decryptJson(file)).body.success).toBe(true);
  });

  it('recognises a raw payload that one reader fits', async () => {
    expect((await decryptJson(sample('idtech-swipe.txt'))).body.extracted.PAN).toBe(PAN);
  });

  it('takes a generic JSON payload for a payload, not for a request', async () => {
    const {devicePayload} = JSON.parse(readFileSync(sample('generic-tracks.json'), 'utf8'));
    const {body} = await decryptJson('--device-type', 'generic', '--payload', devicePayload);
    expect(body.extracted.PAN).toBe(PAN);
  });

  it.each([
    ['text', PAYLOAD],
    ['text with a line end', `${PAYLOAD}\r\n`],
    ['text with a byte order mark', `\uFEFF${PAYLOAD}\n`],
    ['a binary dump', Buffer.from(PAYLOAD, 'hex')],
    ['a binary dump with a line end', Buffer.from(`${PAYLOAD}0a`, 'hex')],
  ])('reads a payload file of %s', async (_, content) => {
    expect((await decryptJson(fileOf(content))).body.extracted?.PAN).toBe(PAN);
  });

  it('refuses UTF-16 by its name', async () => {
    const file = fileOf(Buffer.from(`\uFEFF${PAYLOAD}`, 'utf16le'));
    expect(await errorOf(file)).toBe('9002 Cannot read input: the file is UTF-16');
  });

  it('reads stdin for -, however late it comes', async () => {
    const command = `(sleep 0.5; cat '${SWIPE}') | node '${BIN}' decrypt - --json --test-keys`;
    const {stdout} = await execa('sh', ['-c', command]);
    expect(JSON.parse(stdout).extracted.PAN).toBe(PAN);
  });

  it.skipIf(!hasTerminal).each([[[]], [['-']]])(
    'tells a terminal that it waits for the payload, with %j',
    async (argv) => {
      const pasted = `${JSON.stringify(REQUEST)}\n\u0004`;
      const {seen, stdout, exitCode} = await runOnTerminal(
        ['decrypt', ...argv, '--json', '--test-keys'],
        [['Reading from the terminal: paste the input, then press Enter and Ctrl-D.', pasted]],
      );
      expect({seen, exitCode}).toMatchObject({exitCode: 0});
      expect(JSON.parse(stdout).extracted.PAN).toBe(PAN);
    },
  );

  it('stops reading stdin above 64 KiB', async () => {
    const {stdout, exitCode} = await runBin(['decrypt', '-', '--json', '--test-keys'], {
      input: '2'.repeat(10_000_000),
    });
    expect({code: JSON.parse(stdout).errCode, exitCode}).toEqual({code: 2006, exitCode: 4});
  });

  it.each([
    ['an empty payload', ['--payload', ''], /^2002 /],
    ['a payload of a line end', ['--payload', '\n'], /^2002 /],
    ['two payloads', [SWIPE, '--payload', PAYLOAD], /^9001 .*expected one payload/],
    ['a payload that no reader fits', ['--payload', 'hello'], /^2100 .*no terminal type fits it/],
    [
      'a cut frame, as the one terminal that begins so',
      ['--payload', PAYLOAD.slice(0, 100)],
      /^2102 .*\(parsed as idtech; use --device-type for another terminal type\)$/,
    ],
    [
      'a cut list, naming whose it could be',
      ['--payload', 'E181B7480200'],
      /^2000 .*truncated or damaged; it could be miura, verifone$/,
    ],
    [
      'what it guessed and could not open, naming the terminal',
      ['--payload', OTHER_PAYLOAD],
      /^2601 .*\(parsed as idtech; use --device-type for another terminal type\)$/,
    ],
    [
      'what it was told and could not open, and names no other',
      ['--payload', OTHER_PAYLOAD, '--device-type', 'idtech'],
      /^2601 (?!.*read as)/,
    ],
    [
      'an unknown device type',
      [SWIPE, '--device-type', 'IDTECH'],
      /^9001 .*--device-type \w+: expected one of generic, idtech/,
    ],
    [
      'another device type than the request',
      [SWIPE, '--device-type', 'miura'],
      /^9001 .*--device-type conflicts/,
    ],
    ['broken JSON', ['--payload', '{"deviceType":'], /^2004 /],
    [
      'a request with a member twice',
      ['--payload', '{"deviceType":"x","deviceType":"y"}'],
      /^2004 .*duplicate member deviceType/,
    ],
    [
      'a request with a number as text',
      ['--payload', '{"deviceType":"x","ksn":1}'],
      /^2005 .*ksn: expected a string/,
    ],
    [
      'a request with an unknown type',
      ['--payload', '{"deviceType":"x"}'],
      /^2001 .*generic, idtech/,
    ],
    ['a request without a type', ['--payload', '{"devicePayload":"02"}'], /^2000 /],
    ['a reference that is too long', [SWIPE, '--reference', 'x'.repeat(51)], /^2003 /],
  ])('refuses %s', async (_, argv, error) => {
    expect(await errorOf(...argv)).toMatch(error);
  });

  it.each(['--ksn', '--iv', '--serial', '--reference'])(
    'refuses %s when the request says something else',
    async (flag) => {
      const members = {ksn: 'A', iv: 'A', deviceSerial: 'A', reference: 'A', clientId: 'A'};
      const file = fileOf(JSON.stringify({...REQUEST, ...members}));
      expect(await errorOf(file, flag, 'B')).toMatch(/^9001 .*conflicts with/);
    },
  );

  it.each([
    ['a line each', '\n'],
    ['an array', ','],
  ])('says how several requests are decrypted: %s', async (_, between) => {
    const both = [REQUEST, REQUEST].map((one) => JSON.stringify(one)).join(between);
    const {stderr, exitCode} = await decrypt(fileOf(between === ',' ? `[${both}]` : both));
    expect({exitCode, hint: stderr.split('\n')[1]}).toEqual({
      exitCode: 4,
      hint: 'Put each request on a line of its own, and use `paylens decrypt --batch`.',
    });
  });

  it('ends with 4 and the offset on a damaged payload', async () => {
    const damaged = PAYLOAD.replace('3F48', '3F49');
    const {stderr, stdout, exitCode} = await decrypt(
      '--device-type',
      'idtech',
      '--payload',
      damaged,
    );
    expect({stdout, exitCode, stderr}).toEqual({
      stdout: '',
      exitCode: 4,
      stderr: expect.stringMatching(/^Error 210[0-2]: .* at (?:byte|character) \d+: expected /),
    });
  });

  it('answers 2601 for a read under a private key', async () => {
    expect(await errorOf(sample('idtech-private-key.json'))).toMatch(/^2601 /);
  });

  it('needs keys: without any it says how to get some', async () => {
    const env = {XDG_CONFIG_HOME: folder, HOME: folder};
    const {stderr, exitCode} = await runBin(['decrypt', SWIPE], {env});
    expect({hint: stderr.includes('--test-keys'), exitCode}).toEqual({hint: true, exitCode: 3});
  });
});
