import {createHash, createHmac} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../src/service/registry/demo-registry.js';
import {exchange} from './raw-http.js';

const {partnerId, partnerKey, sharedKey} = DEMO_PARTNER;
const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';
const JSON_TYPE = 'Content-Type: application/json';

let strict: LaunchedService;
let usual: LaunchedService;
const lines: string[] = [];

beforeAll(async () => {
  const options = {mode: 'mock', registry: demoRegistry()} as const;
  const writeLog = (text: string) => lines.push(...text.split('\n').filter(Boolean));
  [strict, usual] = await Promise.all([
    launch({...options, strict: true, writeLog}),
    launch(options),
  ]);
});
afterAll(() => Promise.all([strict.close(), usual.close()]));

let drawn = 0;

/** A signature that is right, written as the case writes it. */
function signed(
  write: (parts: {nonce: string; time: number; response: string}) => string,
  {body = '{}', target = PARTNER} = {},
): string {
  const nonce = `strict-${drawn++}`;
  const time = Math.floor(Date.now() / 1000);
  const hash = createHash('sha256').update(body).digest('hex');
  const text = `POST ${target}\n${nonce}\n${time}\n\n${hash}`;
  const response = createHmac('sha256', sharedKey).update(text).digest('hex');
  return write({nonce, time, response});
}

type Parts = {nonce: string; time: number; response: string};
const usualHmac = ({nonce, time, response}: Parts) =>
  `Hmac username="${partnerId}", nonce="${nonce}", timestamp=${time}, response="${response}"`;

interface Sent {
  readonly target?: string;
  readonly type?: string;
  readonly authorization?: string;
  readonly body?: string;
  readonly more?: string;
}

async function send(service: LaunchedService, sent: Sent) {
  const {target = PARTNER, type = JSON_TYPE, authorization, body = '{}', more} = sent;
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    type,
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    ...(more === undefined ? [] : [more]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const [answer] = await exchange(service.url, `${head.join('\r\n')}\r\n\r\n${body}`);
  const object = JSON.parse(answer?.body ?? '{}');
  return {status: answer?.status, why: answer?.headers.get('paylens-why')?.[0], ...object};
}

const hex = (response: string) => response.replace(/[a-f]/, (digit) => digit.toUpperCase());

const SIGNATURES: readonly (readonly [string, (parts: Parts) => string, string])[] = [
  ['a quoted timestamp', (p) => usualHmac(p).replace(/=(\d+),/, '="$1",'), 'an unquoted integer'],
  ['hmac in lower case', (p) => usualHmac(p).replace('Hmac', 'hmac'), 'scheme: expected Hmac'],
  ['HMAC in upper case', (p) => usualHmac(p).replace('Hmac', 'HMAC'), 'scheme: expected Hmac'],
  [
    'a property in upper case',
    (p) => usualHmac(p).replace('nonce=', 'Nonce='),
    'nonce: expected its name',
  ],
  ['two spaces', (p) => usualHmac(p).replace('Hmac ', 'Hmac  '), 'one space after the scheme'],
  [
    'a space before a comma',
    (p) => usualHmac(p).replace('", n', '" , n'),
    'a comma and at most one',
  ],
  [
    'two spaces behind a comma',
    (p) => usualHmac(p).replace(', n', ',  n'),
    'a comma and at most one',
  ],
  ['a space beside =', (p) => usualHmac(p).replace('nonce=', 'nonce ='), 'space beside ='],
  ['a backslash', (p) => usualHmac(p).replace('"DEMO"', '"\\DEMO"'), 'unexpected backslash'],
  [
    'another order',
    ({nonce, time, response}) =>
      `Hmac nonce="${nonce}", username="${partnerId}", timestamp=${time}, response="${response}"`,
    'username, nonce, timestamp, response in this order',
  ],
  ['hex in two cases', (p) => usualHmac({...p, response: hex(p.response)}), 'in one case'],
];

describe('serve --strict refuses a signature that is served otherwise', () => {
  test.each(SIGNATURES)('%s', async (_, write, why) => {
    expect((await send(usual, {authorization: signed(write)})).status).toBe(200);
    const refused = await send(strict, {authorization: signed(write)});
    expect(refused).toMatchObject({status: 401, errCode: 1003, success: false});
    expect(refused.errMessage).toBe('Authentication required');
    expect(refused.why).toMatch(/^strict: [\x20-\x7e]+$/);
    expect(refused.why).toContain(why);
    const record = lines.map((line) => JSON.parse(line)).find(({faults}) => faults);
    lines.length = 0;
    expect(record).toMatchObject({messageId: refused.messageId, faults: [refused.why]});
  });

  test('and gives no reason for one that is wrong without --explain', async () => {
    const authorization = signed(usualHmac).replace(/(?<=response=")./, (digit) =>
      digit === '0' ? '1' : '0',
    );
    const refused = await send(strict, {authorization});
    expect([refused.status, refused.why]).toEqual([401, undefined]);
  });
});

const BODY = {partnerId, partnerKey};
const READ = {...BODY, deviceType: 'miura', devicePayload: 'E100'};
const REQUESTS: readonly (readonly [string, Sent, number, number])[] = [
  ['a path without its version', {target: '/api/partner/validate'}, 404, 2008],
  ['a query', {target: `${PARTNER}?a=1`}, 404, 2008],
  ['an empty query', {target: `${PARTNER}?`}, 404, 2008],
  ['a whole URL', {target: `http://localhost${PARTNER}`}, 404, 2008],
  ['a charset', {type: `${JSON_TYPE}; charset=utf-8`}, 415, 2007],
  ['an encoding', {more: 'Content-Encoding: identity'}, 415, 2007],
  ['an unknown member', {body: JSON.stringify({...BODY, note: 'x'})}, 400, 2005],
  ['a member of another operation', {body: JSON.stringify({...BODY, serial: 'x'})}, 400, 2005],
  ['a name in lower case', {body: JSON.stringify({...BODY, Reference: 'x'})}, 400, 2005],
  [
    'an empty clientId',
    {target: DEVICE, body: JSON.stringify({...BODY, serial: 'A', firmware: '1', clientId: ''})},
    400,
    2005,
  ],
  ['an empty reference', {body: JSON.stringify({...BODY, reference: ''})}, 400, 2005],
  ...['deviceSerial', 'reference', 'ksn', 'iv', 'clientId'].map(
    (member): [string, Sent, number, number] => [
      `an empty ${member} of a read`,
      {target: PARSER, body: JSON.stringify({...READ, [member]: ''})},
      400,
      2005,
    ],
  ),
];

describe('serve --strict refuses a request that is served otherwise', () => {
  test.each(REQUESTS)('%s', async (_, sent, status, errCode) => {
    const whole = {body: JSON.stringify(BODY), ...sent};
    expect((await send(usual, whole)).status).toBe(200);
    const refused = await send(strict, whole);
    expect(refused).toMatchObject({status, errCode});
    expect(refused.errMessage).toContain('strict');
  });

  test('a serial number in another case, or without its zeros', async () => {
    const demo = await launch({mode: 'demo', registry: demoRegistry(), strict: true});
    const codes: unknown[] = [];
    for (const serial of ['DEMO0001', 'demo0001', '0DEMO0001']) {
      const body = JSON.stringify({...BODY, serial, firmware: '1.0'});
      codes.push((await send(demo, {target: DEVICE, body})).errCode);
    }
    await demo.close();
    expect(codes).toEqual([undefined, 1202, 1202]);
  });
});

describe('serve --strict serves what the interface promises', () => {
  test.each<[string, Sent]>([
    [
      'a body with every member',
      {
        target: PARSER,
        body: JSON.stringify({
          ...READ,
          ksn: '00',
          iv: '00',
          clientId: 'c',
          reference: 'r',
          deviceSerial: 's',
        }),
      },
    ],
    ['credentials in the body', {body: JSON.stringify(BODY)}],
    [
      'Basic',
      {authorization: `Basic ${Buffer.from(`${partnerId}:${partnerKey}`).toString('base64')}`},
    ],
  ])('%s', async (_, sent) => {
    expect((await send(strict, sent)).status).toBe(200);
  });

  test.each<[string, (parts: Parts) => string]>([
    ['HMAC', usualHmac],
    ['HMAC without spaces', (parts) => usualHmac(parts).replaceAll(', ', ',')],
    ['HMAC in upper-case hex', (p) => usualHmac({...p, response: p.response.toUpperCase()})],
  ])('%s', async (_, write) => {
    expect((await send(strict, {authorization: signed(write)})).status).toBe(200);
  });

  test('a Digest in answer to its challenge, and not one with quotes around qop', async () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const challenge = async () => {
      const response = await fetch(strict.url + PARTNER, {
        method: 'POST',
        headers: {'content-type': 'application/json'},
      });
      const offered = response.headers.get('www-authenticate') ?? '';
      return /algorithm=MD5, nonce="([^"]+)"/.exec(offered)?.[1] ?? '';
    };
    const header = (nonce: string) => {
      const ha1 = md5(`${partnerId}:Users:${partnerKey}`);
      const response = md5(`${ha1}:${nonce}:00000001:c:auth:${md5(`POST:${PARTNER}`)}`);
      return `Digest username="${partnerId}", realm="Users", nonce="${nonce}", uri="${PARTNER}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="${response}"`;
    };
    const right = header(await challenge());
    expect((await send(strict, {authorization: right})).status).toBe(200);
    const quoted = header(await challenge()).replace('qop=auth', 'qop="auth"');
    expect(await send(strict, {authorization: quoted})).toMatchObject({
      status: 401,
      why: 'strict: qop: expected no quotes around it',
    });
  });
});
