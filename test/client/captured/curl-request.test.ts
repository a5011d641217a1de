import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {execa, execaSync} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {targetOfCaptured} from '../../../src/client/captured/captured-request.js';
import {curlArguments} from '../../../src/client/captured/curl-options.js';
import {curlRequests} from '../../../src/client/captured/curl-request.js';
import {readCaptured} from '../../../src/client/captured/read-captured.js';

/** Every request as it came over the wire, one byte a character. */
const wire: string[] = [];
const server = createServer((socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (!text.includes('\r\n\r\n') || body.length < length) return;
    wire.push(text);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  socket.on('error', () => {});
});
let base = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** What the real curl sends for words: method, target, the headers that matter, and the body. */
async function sentByCurl(words: readonly string[]) {
  wire.length = 0;
  await execa('curl', ['-q', '-s', '--noproxy', '*', '-o', '/proc/self/fd/2', ...words], {
    reject: false,
  });
  return wire.map((text) => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [line = '', ...headers] = head.split('\r\n');
    const [method, target] = line.split(' ');
    const kept = headers.filter((header) => /^(?:authorization|content-type|x-)/i.test(header));
    const own = kept.filter((header) => !/x-www-form-urlencoded/.test(header));
    // A server trims what curl sends as it is written.
    const trimmed = own.map((header) => header.replace(/: *(.*?) *$/, ': $1'));
    return {method, target, headers: trimmed.sort(), body};
  });
}

function readByUs(words: readonly string[]) {
  const bytes = words.map((word) => Buffer.from(word).toString('latin1'));
  return curlRequests(bytes).map((request) => ({
    method: request.method,
    target: targetOfCaptured(request),
    headers: request.headers
      .filter(([name]) => /^(?:authorization|content-type|x-)/i.test(name))
      .map(([name, value]) => `${name}: ${value}`)
      .sort(),
    body: Buffer.from(request.body ?? '').toString('latin1'),
  }));
}

const AT = '/api/v1/partner/validate';

describe('a curl command', () => {
  it.each([
    [`${AT}`],
    [`${AT}?a=1&b=%20c#part`],
    [AT, '-d', '{"a":1}'],
    [AT, '-d{"a":1}', '-d', 'b'],
    [AT, '--data-raw', '@not-a-file'],
    [AT, '--data-binary', ' {"a":1}\r\n'],
    [AT, '--json', '{"a":1}'],
    [AT, '--json', '{"a":', '--json', '1}'],
    [AT, '--json', '{}', '-H', 'content-type: application/json; charset=utf-8'],
    [AT, '--data-urlencode', 'a=b c/é', '--data-urlencode', 'x&y'],
    [AT, '-G', '-d', 'a=1', '-d', 'b=2'],
    [`${AT}?x=1`, '--get', '-d', 'a=1'],
    [`${AT}`, '--url-query', 'a=1 2'],
    [AT, '-X', 'PUT', '-d', 'a'],
    [AT, '-XPOST'],
    [AT, '-sSLkXPOST', '-d', 'a'],
    [AT, '--request', 'POST', '--compressed', '--http1.1'],
    [AT, '-H', 'X-One:  two  ', '-H', 'X-Empty;', '-H', 'X-Gone:', '-d', ''],
    [
      AT,
      '-H',
      'Authorization: Hmac username="D", nonce="n"',
      '-H',
      'Content-Type: application/json',
      '-d',
      'x',
    ],
    [AT, '-u', 'DEMO:key', '-d', 'x'],
    [AT, '-uDEMO:key:with', '-H', 'authorization: Own', '-d', 'x'],
    [AT, '--oauth2-bearer', 'token'],
    [AT, '-d', 'a', '--request-target', '/other'],
    [AT, '-m', '5', '--connect-timeout', '3', '-A', 'me', '-b', 'a=b', '-e', 'x', '-d', 'y'],
    [AT, '--retry', '0', '-w', '%{http_code}', '--max-time', '5'],
    ['?a=1', '-d', 'x'],
    ['', '-d', 'x'],
    [AT, '-d', 'a', '--next', '-d', 'b', 'SECOND/two'],
  ])('is read as curl sends it: %j %j %j', async (path, ...options) => {
    const words = [`http://${base}${path}`, ...options.map((word) => word.replace('SECOND', base))];
    const sent = await sentByCurl(words);
    expect(readByUs(words)).toEqual(sent);
    expect(sent.length).toBeGreaterThan(0);
  });

  it('has at most 100 URLs, next or not', () => {
    const words = (count: number) => Array.from({length: count}, () => ['http://a', '-:']).flat();
    expect(curlRequests(words(100).slice(0, -1))).toHaveLength(100);
    for (const many of [words(101), Array(101).fill('http://a')])
      expect(() => curlRequests(many)).toThrow('expected at most 100 URLs, found 101');
  });

  it('has the options with a value that curl has', () => {
    const {stdout} = execaSync('curl', ['--help', 'all']);
    const lines = [...stdout.matchAll(/^ *(?:-(.), )?--([\w.-]+)( [<[].*?[>\]])?/gm)];
    expect(lines.length).toBeGreaterThan(200);
    // curl's own help has no value for these two.
    const noted = new Set(['proxy', 'preproxy']);
    for (const [, short, long = '', value] of lines) {
      const takes = value !== undefined || noted.has(long);
      expect([long, curlArguments([`--${long}`, 'v']).length]).toEqual([long, takes ? 1 : 2]);
      if (short !== undefined)
        expect([short, curlArguments([`-${short}`, 'v']).length]).toEqual([short, takes ? 1 : 2]);
    }
  });

  it.each([
    [['-F', 'a=b', 'x'], /--form makes a new boundary/],
    [['-T', 'file', 'x'], /files are not read/],
    [['-K', 'file'], /files are not read/],
    [['-H', '@file', 'x'], /files are not read/],
    [['-d', 'x'], /has no URL/],
  ])('that only curl can complete is refused: %j', (words, message) => {
    expect(() => curlRequests(words)).toThrow(message);
  });

  it.each([
    ['-d', '@body.json'],
    ['--data-binary', '@body.json'],
    ['--data-urlencode', 'a@body.json'],
  ])('names the file of its body and does not read it: %s %s', (...words) => {
    const [request] = curlRequests(['http://x/', ...words]);
    expect([request?.bodyFile, request?.body]).toEqual(['body.json', undefined]);
  });
});

const BODY = '{"reference":"a \\u0002 % ^ & \'x\' é","n":[1]}';
const HEADER = 'Authorization: Hmac username="DEMO", nonce="n", timestamp=1, response="00"';
const URL = 'https://host/api/v1/partner/validate?a=1&b=%20';

/** As Chrome's DevTools quote for bash. */
function chromeBash(text: string): string {
  if (!/[\p{Cc}!']/u.test(text)) return `'${text}'`;
  const code = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}!]/gu, code)}'`;
}

/** As a person quotes for PowerShell. */
function powershell(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('"', '\\"')}'`;
}

/** For cmd.exe as Chrome's DevTools do, backslashes doubled only where the C runtime halves them. */
function chromeCmd(text: string): string {
  const quoted = text.replace(/(\\*)"/g, '$1$1\\"');
  return `^"${quoted.replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/g, '^$&')}^"`;
}

/** For cmd.exe with doubled quotes, as Firefox and older tools have them. */
function doubled(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

describe('the shell of a copied command', () => {
  it.each([
    ['bash', chromeBash, ' \\\n  ', 'curl'],
    ['bash with CR LF', chromeBash, ' \\\r\n  ', 'curl'],
    ['bash with a prompt', chromeBash, ' \\\n  ', '$ curl'],
    ['bash on one line', chromeBash, ' ', 'curl'],
  ])('is found: %s', (_, quote, between, name) => {
    const words = [quote(URL), `-H ${quote(HEADER)}`, `--data-raw ${quote(BODY)}`, '--compressed'];
    const [request, ...more] = readCaptured(Buffer.from(`${name} ${words.join(between)}`));
    expect(more).toEqual([]);
    expect(Buffer.from(request?.body ?? '').toString()).toBe(BODY);
    expect([
      request?.method,
      request?.url,
      request?.headers.map((pair) => pair.join(': ')),
    ]).toEqual(['POST', URL, [HEADER]]);
  });

  it.each([
    ['cmd', chromeCmd, ' ^\n  ', 'curl'],
    ['cmd with CR LF', chromeCmd, ' ^\r\n  ', 'C:\\Users\\me>curl.exe'],
    ['cmd on one line', chromeCmd, ' ', 'curl'],
    ['cmd with doubled quotes', doubled, ' ', 'curl'],
    ['PowerShell', powershell, ' `\r\n  ', 'curl.exe'],
    ['PowerShell with a prompt', powershell, ' ', 'PS C:\\Users\\me> curl.exe'],
  ])('is refused with what can be copied instead: %s', (_, quote, between, name) => {
    const words = [quote(URL), `-H ${quote(HEADER)}`, `--data-raw ${quote(BODY)}`, '--compressed'];
    expect(() => readCaptured(Buffer.from(`${name} ${words.join(between)}`))).toThrow(
      'expected a curl command for bash, a HAR or an HTTP request, found a command for cmd or PowerShell',
    );
  });

  it('is bash on one line, whatever its body holds', () => {
    const body = '{"reference":"","a":[""],"b":{"":""}}';
    const [request] = readCaptured(Buffer.from(`curl '${URL}' -d '${body}'`));
    expect(Buffer.from(request?.body ?? '').toString()).toBe(body);
  });
});
