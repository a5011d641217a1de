import {createHash, createHmac, randomUUID} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {exchange, post} from './raw-http.js';

const PATH = '/api/v1/partner/validate';
const JSON_TYPE = 'Content-Type: application/json';
const BODY = '{"reference":"r"}';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

function basic(): string {
  const {partnerId, partnerKey} = server.partner;
  return `Authorization: Basic ${Buffer.from(`${partnerId}:${partnerKey}`).toString('base64')}`;
}

/** Made here, by node:crypto, from the interface's text. */
function hmac(target: string, body: string): string {
  const {partnerId, sharedKey} = server.partner;
  const nonce = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const content = createHash('sha256').update(body, 'latin1').digest('hex');
  const response = createHmac('sha256', sharedKey)
    .update(`POST ${target}\n${nonce}\n${timestamp}\n\n${content}`)
    .digest('hex');
  return `Authorization: Hmac username="${partnerId}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}

async function answer(sent: string) {
  const [response] = await exchange(server.url, sent);
  return {
    status: response?.status,
    headers: response?.headers,
    body: JSON.parse(response?.body || '{}'),
  };
}

interface Row {
  readonly name: string;
  readonly sent: () => string;
  readonly status: number;
  readonly errCode?: number;
}

const good = (extra: readonly string[] = [], body = BODY) =>
  post(PATH, [JSON_TYPE, basic(), ...extra], body);

/** What readers of HTTP understand differently (RFC 9112, 6.3 and 11.2), and may hide a request. */
const FRAMING: readonly Row[] = [
  {name: 'a sound request', sent: () => good(), status: 200},
  {name: 'two Authorization headers', sent: () => good([basic()]), status: 401, errCode: 1003},
  {
    name: 'two Authorization headers with 2500 others between them',
    sent: () => good([...Array(2500).fill('X:'), basic()]),
    status: 431,
    errCode: 2009,
  },
  {
    name: 'a hundred headers, two of them Authorization',
    sent: () => good([...Array(95).fill('X:'), basic()]),
    status: 401,
    errCode: 1003,
  },
  {name: 'a hundred headers', sent: () => good(Array(96).fill('X:')), status: 200},
  {
    name: 'a hundred and one headers',
    sent: () => good(Array(97).fill('X:')),
    status: 431,
    errCode: 2009,
  },
  {
    name: 'an empty Authorization header beside a good one',
    sent: () => good(['Authorization:']),
    status: 401,
    errCode: 1003,
  },
  {name: 'a folded header', sent: () => good(['X-A: 1\r\n folded']), status: 400, errCode: 2009},
  {name: 'a blank before the colon', sent: () => good(['X-A : 1']), status: 400, errCode: 2009},
  {name: 'a tab before the value', sent: () => good(['X-A:\t1']), status: 200},
  {name: 'NUL in a value', sent: () => good(['X-A: a\0b']), status: 400, errCode: 2009},
  {name: 'a bare CR in a value', sent: () => good(['X-A: a\rb']), status: 400, errCode: 2009},
  {name: 'a bare LF in a value', sent: () => good(['X-A: a\nb']), status: 400, errCode: 2009},
  {
    name: 'a latin1 byte in the username',
    sent: () =>
      post(
        PATH,
        [
          JSON_TYPE,
          'Authorization: Hmac username="D\u00c9MO", nonce="n", timestamp=1, response="00"',
        ],
        BODY,
      ),
    status: 401,
    errCode: 1003,
  },
  {
    name: 'an Authorization header of 15 KB',
    sent: () => post(PATH, [JSON_TYPE, `Authorization: Basic ${'A'.repeat(15_000)}`], BODY),
    status: 401,
    errCode: 1003,
  },
  {
    name: 'a header of 20 KB',
    sent: () => good([`X-A: ${'a'.repeat(20_000)}`]),
    status: 431,
    errCode: 2009,
  },
  {
    name: '2500 headers',
    sent: () => good(Array.from({length: 2500}, (_, i) => `X-${i}: 1`)),
    status: 431,
    errCode: 2009,
  },
  {
    name: 'Content-Length and Transfer-Encoding',
    sent: () => good(['Transfer-Encoding: chunked']),
    status: 400,
    errCode: 2009,
  },
  {name: 'two Content-Length', sent: () => good(['Content-Length: 2']), status: 400, errCode: 2009},
  {
    name: 'the same Content-Length twice',
    sent: () => good([`Content-Length: ${BODY.length}`]),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'a Content-Length that is too small',
    sent: () => raw(['Content-Length: 2'], BODY),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'garbage behind a sound request',
    sent: () => `${good()}garbage\r\n\r\n`,
    status: 400,
    errCode: 2009,
  },
  {
    name: 'Content-Length +2',
    sent: () => raw([`Content-Length: +${BODY.length}`], BODY),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'Content-Length -2',
    sent: () => raw(['Content-Length: -2'], BODY),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'Content-Length 2, 2',
    sent: () => raw(['Content-Length: 2, 2'], BODY),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'a chunked body',
    sent: () => raw(['Transfer-Encoding: chunked'], chunked(BODY)),
    status: 200,
  },
  {
    name: 'chunks with extensions',
    sent: () => raw(['Transfer-Encoding: chunked'], chunked(BODY, ';a=b')),
    status: 200,
  },
  {
    name: 'a bad chunk size',
    sent: () => raw(['Transfer-Encoding: chunked'], 'zz\r\n\r\n'),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'chunked, chunked',
    sent: () => raw(['Transfer-Encoding: chunked, chunked'], chunked(BODY)),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'xchunked',
    sent: () => raw(['Transfer-Encoding: xchunked'], chunked(BODY)),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'gzip, chunked',
    sent: () => raw(['Transfer-Encoding: gzip, chunked'], chunked(BODY)),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'no Host',
    sent: () => good().replace('Host: localhost\r\n', ''),
    status: 400,
    errCode: 2009,
  },
  {
    name: 'the same Host twice',
    sent: () => good(['Host: localhost']),
    status: 400,
    errCode: 2009,
  },
  {name: 'two Host headers', sent: () => good(['Host: other']), status: 400, errCode: 2009},
  {name: 'HTTP/1.0', sent: () => good().replace('HTTP/1.1', 'HTTP/1.0'), status: 200},
  {name: 'no HTTP version', sent: () => `POST ${PATH}\r\n\r\n`, status: 400, errCode: 2009},
  {
    name: 'no HTTP version, on a page beside the interface',
    sent: () => 'GET /healthz\r\n\r\n',
    status: 400,
    errCode: 2009,
  },
  {
    name: 'two Host headers, on a page beside the interface',
    sent: () => 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    status: 400,
    errCode: 2009,
  },
  {
    name: 'the HTTP/2 preface',
    sent: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    status: 400,
    errCode: 2009,
  },
  {
    name: 'the absolute form',
    sent: () => post(`http://localhost${PATH}`, [JSON_TYPE, basic()], BODY),
    status: 200,
  },
  {
    name: 'a dot segment',
    sent: () => at('/api/v1/../v1/partner/validate'),
    status: 404,
    errCode: 2008,
  },
  {name: 'a double slash', sent: () => at('//api/v1/partner/validate'), status: 404, errCode: 2008},
  {name: 'a path parameter', sent: () => at(`${PATH};a=1`), status: 404, errCode: 2008},
  {name: 'another case', sent: () => at('/API/v1/partner/validate'), status: 404, errCode: 2008},
  {name: 'a trailing slash', sent: () => at(`${PATH}/`), status: 404, errCode: 2008},
  {
    name: 'percent encoding in the path',
    sent: () => at('/api/v1/%70artner/validate'),
    status: 404,
    errCode: 2008,
  },
  {name: 'a fragment', sent: () => at(`${PATH}#a`), status: 400, errCode: 2009},
  {
    name: 'a blank in the target',
    sent: () => at('/api/v1/partner /validate'),
    status: 400,
    errCode: 2009,
  },
  {name: 'a target of 8 KB', sent: () => at(`/${'a'.repeat(8000)}`), status: 404, errCode: 2008},
  {
    name: 'post in lower case',
    sent: () => good().replace('POST', 'post'),
    status: 400,
    errCode: 2009,
  },
  {name: 'no Content-Type', sent: () => post(PATH, [basic()], BODY), status: 415, errCode: 2007},
  {name: 'text/plain', sent: () => typed('text/plain'), status: 415, errCode: 2007},
  {
    name: 'another charset',
    sent: () => typed('application/json; charset=iso-8859-1'),
    status: 415,
    errCode: 2007,
  },
  {name: 'charset UTF-8', sent: () => typed('application/json; charset="UTF-8"'), status: 200},
  {name: 'two Content-Type headers', sent: () => good([JSON_TYPE]), status: 415, errCode: 2007},
  {
    name: 'a vendor type',
    sent: () => typed('application/vnd.api+json'),
    status: 415,
    errCode: 2007,
  },
  {
    name: 'a form',
    sent: () => typed('application/x-www-form-urlencoded'),
    status: 415,
    errCode: 2007,
  },
  {name: 'gzip content', sent: () => good(['Content-Encoding: gzip']), status: 415, errCode: 2007},
  {name: 'identity content', sent: () => good(['Content-Encoding: identity']), status: 200},
  {
    name: 'another expectation',
    sent: () => good(['Expect: tea']),
    status: 417,
    errCode: 2009,
  },
  {name: 'Expect: 100-continue', sent: () => good(['Expect: 100-continue']), status: 200},
  {
    name: 'an upgrade',
    sent: () => good(['Connection: Upgrade', 'Upgrade: websocket']),
    status: 200,
  },
  {
    name: 'a body declared too large',
    sent: () => post(PATH, ['Content-Type: text/plain', basic()], 'a'.repeat(70_000)),
    status: 413,
    errCode: 2006,
  },
  {
    name: 'a chunked body that grows too large',
    sent: () => raw(['Transfer-Encoding: chunked'], chunked('a'.repeat(70_000))),
    status: 413,
    errCode: 2006,
  },
];

function raw(headers: readonly string[], body: string): string {
  const lines = [`POST ${PATH} HTTP/1.1`, 'Host: localhost', JSON_TYPE, basic(), ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function chunked(body: string, extension = ''): string {
  return `${body.length.toString(16)}${extension}\r\n${body}\r\n0\r\n\r\n`;
}

function at(target: string): string {
  return post(target, [JSON_TYPE, basic()], BODY);
}

function typed(type: string): string {
  return post(PATH, [`Content-Type: ${type}`, basic()], BODY);
}

describe('HTTP framing and target', () => {
  test.each(FRAMING)('$name: $status', async ({sent, status, errCode}) => {
    const given = await answer(sent());
    expect({status: given.status, errCode: given.body.errCode}).toEqual({status, errCode});
  });

  test.each(FRAMING)(
    '$name: the body is JSON with success and a messageId',
    async ({sent, status}) => {
      const {body} = await answer(sent());
      expect(body).toMatchObject({
        success: status === 200,
        messageId: expect.stringMatching(/^1\d{24}$/),
      });
    },
  );

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s on an endpoint: 405 with Allow',
    async (verb) => {
      const given = await answer(good().replace('POST', verb));
      expect(given.status).toBe(405);
      expect(given.headers?.get('allow')).toEqual(['POST']);
    },
  );

  test('a query is part of what is signed', async () => {
    const target = `${PATH}?a=1`;
    const signed = await answer(post(target, [JSON_TYPE, hmac(target, BODY)], BODY));
    const other = await answer(post(target, [JSON_TYPE, hmac(PATH, BODY)], BODY));
    expect([signed.status, other.status]).toEqual([200, 401]);
  });

  test('an absolute target is signed by its path', async () => {
    const given = await answer(
      post(`http://localhost:1${PATH}`, [JSON_TYPE, hmac(PATH, BODY)], BODY),
    );
    expect(given.status).toBe(200);
  });

  test('a chunked body is hashed without its framing', async () => {
    const lines = ['Host: localhost', JSON_TYPE, hmac(PATH, BODY), 'Transfer-Encoding: chunked'];
    const sent = `POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${chunked(BODY)}`;
    expect((await answer(sent)).status).toBe(200);
  });

  test('credentials in a trailer do not count', async () => {
    const lines = [
      'Host: localhost',
      JSON_TYPE,
      'Transfer-Encoding: chunked',
      'Trailer: Authorization',
    ];
    const body = `2\r\n{}\r\n0\r\n${basic()}\r\n\r\n`;
    const {body: given} = await answer(
      `POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
    );
    expect(given.errCode).toBe(1101);
  });

  test('pipelined requests are answered in order', async () => {
    const bodies = ['a', 'b', 'c'].map((reference) => JSON.stringify({reference}));
    const sent = bodies.map((body) => good([], body)).join('');
    const answers = await exchange(server.url, sent, 3);
    expect(answers.map(({body}) => JSON.parse(body).reference)).toEqual(['a', 'b', 'c']);
  });

  test('a client that resets while its body arrives has not used its nonce', async () => {
    const {hostname, port} = new URL(server.url);
    const {connect} = await import('node:net');
    const signed = post(PATH, [JSON_TYPE, hmac(PATH, BODY)], BODY);
    const socket = connect(Number(port), hostname);
    socket.write(signed.slice(0, -5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
    expect((await answer(signed)).status).toBe(200);
  });

  test('a client that resets without reading its answer has used its nonce', async () => {
    const {hostname, port} = new URL(server.url);
    const {connect} = await import('node:net');
    const signed = post(PATH, [JSON_TYPE, hmac(PATH, BODY)], BODY);
    const before = server.requests().length;
    const socket = connect(Number(port), hostname);
    socket.write(signed);
    await vi.waitUntil(() => server.requests().length > before, {timeout: 20_000});
    socket.resetAndDestroy();
    expect((await answer(signed)).status).toBe(401);
  });
});

test('of two Content-Type headers the answer says that there are two', async () => {
  const {body} = await answer(good([JSON_TYPE]));
  expect(body.errMessage).toMatch(/: found two$/);
});
