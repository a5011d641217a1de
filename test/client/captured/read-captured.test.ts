import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isCaptured, readCaptured} from '../../../src/client/captured/read-captured.js';
import {PaylensError} from '../../../src/contract/paylens-error.js';

const URL = 'http://127.0.0.1:8080/api/v1/partner/validate';
const BODY = '{"reference":"caf\u00e9","a":"\\u0002"}\n';
const HEADERS = [
  ['content-type', 'application/json'],
  ['authorization', 'Hmac username="DEMO"'],
] as const;

const read = (text: string | Uint8Array) =>
  readCaptured(Buffer.from(text)).map((request) => ({
    ...request,
    body: Buffer.from(request.body ?? '').toString(),
  }));
const entryOf = (postData: object | undefined, more: object = {}) => ({
  startedDateTime: '2026-11-22T10:00:00.000Z',
  request: {
    method: 'POST',
    url: URL,
    headers: HEADERS.map(([name, value]) => ({name, value})),
    ...(postData && {postData}),
  },
  ...more,
});
const EXPECTED = {
  method: 'POST',
  url: URL,
  headers: HEADERS,
  body: BODY,
  sentAt: Date.UTC(2026, 10, 22, 10),
};

describe('a HAR', () => {
  const entry = entryOf({mimeType: 'application/json', text: BODY});
  it.each([
    ['whole', {log: {version: '1.2', entries: [entry]}}],
    ['a list of entries', [entry]],
    ['one entry', entry],
    ['one with base64', entryOf({text: Buffer.from(BODY).toString('base64'), encoding: 'base64'})],
    [
      'one as Firefox marks it',
      entryOf({text: Buffer.from(BODY).toString('base64'), _encoding: 'base64'}),
    ],
    [
      'one with deep members of a browser',
      {...entry, _initiator: JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)},
    ],
  ])('is read: %s', (_, har) => {
    expect(read(JSON.stringify(har, undefined, 2))).toEqual([EXPECTED]);
  });

  it('is read from UTF-16 and after a byte order mark', () => {
    const text = JSON.stringify(entry);
    expect(read(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual([EXPECTED]);
    expect(read(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toEqual([EXPECTED]);
    expect(read(`\ufeff${text}`)).toEqual([EXPECTED]);
  });

  it('may have a request without a body, or the request alone', () => {
    expect(read(JSON.stringify(entryOf(undefined)))).toEqual([{...EXPECTED, body: ''}]);
    const {sentAt: _, ...bare} = EXPECTED;
    expect(read(JSON.stringify(entry.request))).toEqual([bare]);
  });

  it.each([
    ['{"log":', 'HAR: line 1, column 8: '],
    ['{}', 'HAR: entry.request: expected an object with method, url and headers, found nothing'],
    ['[1]', 'HAR: entries[0]: expected an object, found a number'],
    [
      {log: {entries: [{request: {method: 1}}]}},
      'HAR: log.entries[0].request.method: expected a string, found a number',
    ],
    [
      {request: {method: 'POST', url: URL, headers: {}}},
      'HAR: entry.request.headers: expected an array, found an object',
    ],
    [
      entryOf({text: 'x!', encoding: 'base64'}),
      'HAR: entry.request.postData.text: expected base64',
    ],
    [
      entryOf({text: 'x', encoding: 'hex'}),
      'HAR: entry.request.postData.encoding: expected base64',
    ],
    [
      entryOf({params: [{name: 'a'}]}),
      'HAR: entry.request.postData: expected text, found params only',
    ],
  ])('%j is refused with its place', (har, detail) => {
    const text = typeof har === 'string' ? har : JSON.stringify(har);
    const failure = expect.objectContaining({code: 9002, detail: expect.stringContaining(detail)});
    expect(() => read(text)).toThrow(failure);
  });
});

describe('an HTTP text', () => {
  const HEAD = HEADERS.map(([name, value]) => `${name}: ${value}`).join('\n');
  const {sentAt: _, ...expected} = EXPECTED;

  it.each([
    ['as sent', `POST ${URL} HTTP/1.1\n${HEAD}\n\n${BODY}`],
    ['with CR LF', `POST ${URL} HTTP/1.1\r\n${HEAD.replace('\n', '\r\n')}\r\n\r\n${BODY}`],
    ['of an .http file', `# a comment\n@name = value\n\nPOST ${URL}\n${HEAD}\n\n${BODY}`],
  ])('is read: %s', (_, text) => {
    expect(read(text)).toEqual([expected]);
  });

  it('ends where Content-Length says', () => {
    const length = Buffer.from(BODY).length - 1;
    const [request] = read(`POST /x HTTP/1.1\nContent-Length: ${length}\n\n${BODY}\n\n`);
    expect(request?.body).toBe(BODY.trim());
    expect(() => read(`POST /x HTTP/1.1\nContent-Length: 99\n\n${BODY}`)).toThrow(
      `which has ${length + 1} bytes`,
    );
    expect(() => read(`POST /x HTTP/1.1\nTransfer-Encoding: chunked\n\n0\n`)).toThrow(/chunked/);
  });

  it('may hold several requests', () => {
    const text = `### first\nPOST /a\n\n{}\n\n###\nPOST /b\nX: y\n###\n# nothing\n`;
    expect(read(text).map(({url, body}) => [url, body])).toEqual([
      ['/a', '{}'],
      ['/b', ''],
    ]);
  });

  it.each([
    ['POST /x\nno header\n\n', /HTTP request, line 2: expected NAME: VALUE/],
    ['###\nPOST /x\n###\nPOST /x\n: y\n', /HTTP request, line 5: expected NAME: VALUE/],
    ['POST /x\n\n{}\n###\nno request\n', /HTTP request, line 5: expected METHOD URL/],
  ])('is refused with its line: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('a text that is no request', () => {
  it.each([
    ['', 'found other text'],
    ['Hmac username="DEMO"', 'found other text'],
    ['echo curl x', 'found other text'],
    ['fetch("http://x")', 'found JavaScript'],
    ['Invoke-WebRequest -Uri "x"', 'found a command of PowerShell'],
    ['wget http://x', 'found a command of another program'],
    ['curl ^"http://x^" ^\n  -d ^"{}^"', 'found a command for cmd or PowerShell'],
    ['curl -d "{""a"":1}" http://x', 'found a command for cmd or PowerShell'],
    ["C:\\me>curl 'http://x'", 'found a command for cmd or PowerShell'],
    ["PS C:\\me> curl.exe 'http://x'", 'found a command for cmd or PowerShell'],
    ["curl.exe 'http://x' `\r\n -d '{}'", 'found a command for cmd or PowerShell'],
  ])('is refused: %s', (text, found) => {
    expect(() => read(text)).toThrow(
      `expected a curl command for bash, a HAR or an HTTP request, ${found}`,
    );
  });

  it('is told from the header alone', () => {
    const headers = [
      'Hmac username="D", nonce="n"',
      'Authorization: Basic eA==',
      'Digest a=b',
      'Basic /x8=',
    ];
    expect(headers.filter(isCaptured)).toEqual([]);
    const requests = [
      'curl x',
      ' $ curl.exe x',
      '{"log":{}}',
      'POST /x HTTP/1.1\n\n',
      '/usr/bin/curl x',
    ];
    expect(requests.filter(isCaptured)).toEqual(requests);
  });

  it('may hold several commands', () => {
    const text = `curl a;\ncurl 'b' -d x | jq . ;\nA=b time curl c --next d`;
    expect(read(text).map(({url}) => url)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('damaged requests', () => {
  const secret = 'c0ffeec0ffeec0ffeec0ffeec0ffee00';
  const body = JSON.stringify({partnerId: 'DEMO', partnerKey: secret, devicePayload: '"\\\n'});
  const whole = [
    `curl '${URL}' \\\n  -H 'Authorization: Basic ${secret}' \\\n  --data-raw $'${body.replace(/[\\']/g, '\\$&')}'`,
    `curl ^"${URL}^" ^\n  -H ^"Authorization: Basic ${secret}^" ^\n -d ^"^{\\^"a\\^":1^}^"`,
    `curl.exe '${URL}' \`\n  -H "a: \`"b\`"" -d '{\\"a\\":\\"${secret}\\"}'`,
    JSON.stringify({log: {entries: [entryOf({text: body})]}}),
    `POST ${URL} HTTP/1.1\nAuthorization: Basic ${secret}\nContent-Length: ${body.length}\n\n${body}`,
  ];
  const survives = (bytes: Uint8Array) => {
    try {
      for (const {method, url, headers} of readCaptured(bytes))
        expect([typeof method, typeof url, Array.isArray(headers)]).toEqual([
          'string',
          'string',
          true,
        ]);
    } catch (error) {
      if (!(error instanceof PaylensError)) throw error;
      expect(error.code).toBe(9002);
      expect(`${error.message} ${error.hint}`).not.toContain('c0ffee');
    }
  };

  it('are read or refused, wherever they are cut', () => {
    for (const text of whole)
      for (let end = 0; end <= text.length; end++) survives(Buffer.from(text.slice(0, end)));
  });

  it('are read or refused, whatever was changed in them', () => {
    const changed = fc
      .tuple(
        fc.constantFrom(...whole),
        fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), {maxLength: 4}),
      )
      .map(([text, changes]) => {
        const bytes = Buffer.from(text);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(fc.property(changed, survives), {numRuns: 1500});
    fc.assert(fc.property(fc.uint8Array({maxLength: 60}), survives));
  });

  it('of any size are read in linear time', () => {
    for (const [start, piece] of [
      ['{"a":', '['],
      ['POST / HTTP/1.1\n', 'a: b\n'],
      ['POST / HTTP/1.1\n', '###\n'],
      ['', '\n'],
      ['', '# '],
      ['', 'C:\\'],
      ['curl ^"', '^\n'],
      ['curl ^"', '\\"'],
      ['curl ^"', '&|<'],
      ['curl.exe x `\n ', '`"'],
      ['curl.exe x `\n ', "''"],
      ['curl ', '-d@ '],
      ['curl ', '-d a '],
      ['curl ', '--next '],
      ['curl x ', '-H "a: b" '],
      ['', 'curl x;'],
      ['curl ', 'a -dx '],
      ['', 'a/'],
    ] as const)
      survives(Buffer.from(start + piece.repeat(100_000 / piece.length)));
  });
});
