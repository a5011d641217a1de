import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {ERROR_CATALOGUE, ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';
const SWIPE = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));

let demo: TestServer;
let mock: TestServer;

beforeAll(async () => {
  [demo, mock] = await Promise.all([startServer(), startServer({mode: 'mock'})]);
});
afterAll(() => Promise.all([demo.close(), mock.close()]));
beforeEach(() => demo.reset());

interface Sending {
  readonly server?: TestServer;
  readonly path?: string;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

/** Posts `body` with the demo credentials in it, or exactly `text`. */
async function send(
  body: object = {},
  {server = demo, path = PARSER, text, headers}: Sending = {},
) {
  const {partnerId, partnerKey} = server.partner;
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {'content-type': 'application/json', ...headers},
    body: text ?? JSON.stringify({partnerId, partnerKey, ...body}),
  });
  const answer = JSON.parse(await response.text());
  return {status: response.status, answer, headers: response.headers};
}

async function code(body: object, sending: Sending = {}): Promise<[number, number | undefined]> {
  const {status, answer} = await send(body, sending);
  return [status, answer.errCode];
}

describe('validate-partner', () => {
  test('answers success and messageId, nothing else', async () => {
    const {answer} = await send({}, {path: PARTNER});
    expect(answer).toEqual({success: true, messageId: expect.stringMatching(/^1\d{24}$/)});
  });

  test('echoes the reference', async () => {
    const {answer} = await send({reference: 'r-1'}, {path: PARTNER});
    expect(Object.keys(answer).sort()).toEqual(['messageId', 'reference', 'success']);
    expect(answer.reference).toBe('r-1');
  });

  test('is also served without the version in the path', async () => {
    expect((await send({}, {path: '/api/partner/validate'})).status).toBe(200);
  });
});

describe('validate-device', () => {
  test.each([
    ['an active device', {serial: 'DEMO0001', firmware: '1.1'}, [200, undefined]],
    ['leading zeros and case', {serial: '00demo0001', firmware: '1.0'}, [200, undefined]],
    ['an activating device', {serial: 'DEMO0002', firmware: 'x'}, [200, undefined]],
    ['no serial', {firmware: '1.0'}, [400, 1201]],
    ['an empty serial', {serial: '', firmware: '1.0'}, [400, 1201]],
    ['an unknown serial', {serial: 'DEMO9999', firmware: '1.0'}, [400, 1202]],
    ['an inactive device', {serial: 'DEMO0003', firmware: '1.0'}, [400, 1203]],
    ['a stored device', {serial: 'DEMO0004', firmware: '1.0'}, [400, 1203]],
    ['another firmware', {serial: 'DEMO0001', firmware: '9.9'}, [400, 1204]],
    ['no firmware', {serial: 'DEMO0001'}, [400, 1204]],
    ['two clients, none given', {serial: 'DEMO0005', firmware: '1.0'}, [400, 1205]],
    [
      'one of two clients',
      {serial: 'DEMO0005', firmware: '1', clientId: 'client-2'},
      [200, undefined],
    ],
    ['a third client', {serial: 'DEMO0005', firmware: '1', clientId: 'client-3'}, [400, 1202]],
    ['a serial of the wrong type', {serial: 5, firmware: '1.0'}, [400, 2005]],
    ['NUL in a serial', {serial: 'DEMO0001\0', firmware: '1.0'}, [400, 1202]],
    ['NUL in a firmware', {serial: 'DEMO0001', firmware: '1.0\0'}, [400, 1204]],
    ['NUL in a clientId', {serial: 'DEMO0005', firmware: '1', clientId: 'client-1\0'}, [400, 1202]],
  ])('%s', async (_name, body, expected) => {
    expect(await code(body, {path: DEVICE})).toEqual(expected);
  });
});

describe('process-payload', () => {
  test('decrypts a published read', async () => {
    const {answer} = await send({...SWIPE, reference: 'swipe'});
    expect(answer).toMatchObject({
      success: true,
      reference: 'swipe',
      meta: {device: 'IDTECH', mode: 'swiped'},
      extracted: {PAN: '4266841088889999', EXPY: '0908', Surname: 'BUSH JR'},
    });
  });

  test.each([
    ['no deviceType', {deviceType: undefined}, 2000],
    ['an empty deviceType', {deviceType: ''}, 2000],
    ['an unknown deviceType', {deviceType: 'IDTECH'}, 2001],
    ['no devicePayload', {devicePayload: undefined}, 2002],
    ['a reference of 51 characters', {reference: 'x'.repeat(51)}, 2003],
    ['a payload of the wrong type', {devicePayload: 7}, 2005],
    ['a KSN that contradicts the frame', {ksn: 'FFFF9876543210E00001'}, 2400],
    ['an iv that is none', {iv: '00'}, 2602],
  ])('%s', async (_name, change, errCode) => {
    expect(await code({...SWIPE, ...change})).toEqual([400, errCode]);
  });

  test('takes a reference of 50 characters', async () => {
    expect(await code({...SWIPE, reference: 'x'.repeat(50)})).toEqual([200, undefined]);
  });
});

describe('request bodies', () => {
  test.each([
    ['text/plain', 'text/plain'],
    ['application/json; charset=iso-8859-1', 'application/json; charset=iso-8859-1'],
    ['application/json; a=b; Charset="latin1"', 'application/json with another charset than UTF-8'],
    ['text/html; charset=utf-8', 'text/html'],
    ...[
      'application/json; foo',
      'application/json; foo bar=1',
      'application/json; a="b',
      'application/json;a=b c',
    ].map((type) => [type, 'application/json with a malformed parameter: expected name=value']),
    ['x 4111111111111111', 'text that is not a media type'],
    ['application/json4111111111111111', 'text that is not a media type'],
  ])('of the type %s are refused, saying %s', async (type, found) => {
    const {answer} = await send({}, {headers: {'content-type': type}});
    expect(answer.errMessage).toBe(`Content-Type must be application/json: found ${found}`);
  });

  test.each([
    ...['application/json; foo=bar', 'Application/JSON;v=1 ; profile="a;b\\"c"; charset=UTF-8'],
    ...['application/json;', 'application/json ; ; charset="utf-8";', 'application/json\t'],
  ])('of the type %s are JSON', async (type) => {
    expect((await send(SWIPE, {headers: {'content-type': type}})).answer).toMatchObject({
      success: true,
    });
  });

  const credentials = () => {
    const {partnerId, partnerKey} = demo.partner;
    return `"partnerId":"${partnerId}","partnerKey":"${partnerKey}"`;
  };
  test.each<[string, () => string, number, number]>([
    ['nothing', () => '', 401, 1003],
    ['blanks', () => ' \r\n', 401, 1003],
    ['null', () => 'null', 400, 2004],
    ['an array', () => '[]', 400, 2004],
    ['a number', () => '7', 400, 2004],
    ['a string', () => '"a"', 400, 2004],
    ['a byte order mark', () => `\uFEFF{${credentials()}}`, 400, 2004],
    ['UTF-16', () => `{\0"\0`, 400, 2004],
    ['NaN', () => `{${credentials()},"a":NaN}`, 400, 2004],
    ['a comment', () => `{${credentials()} /* a */}`, 400, 2004],
    ['single quotes', () => `{'a':1}`, 400, 2004],
    ['a raw control character', () => `{${credentials()},"a":"\n"}`, 400, 2004],
    ['constructor.prototype', () => `{${credentials()},"constructor":{"prototype":{}}}`, 200, 0],
    ['half a pair in reference', () => `{${credentials()},"reference":"\\ud800"}`, 400, 2005],
    ['a trailing comma', () => `{${credentials()},}`, 400, 2004],
    ['garbage behind', () => `{${credentials()}} x`, 400, 2004],
    ['a duplicate member', () => `{${credentials()},"partnerId":"DEMO"}`, 400, 2004],
    ['__proto__', () => `{${credentials()},"__proto__":{}}`, 400, 2004],
    ['__proto__ escaped', () => `{${credentials()},"\\u005f_proto__":{}}`, 400, 2004],
    ['deep nesting', () => `{${credentials()},"a":${'['.repeat(9)}${']'.repeat(9)}}`, 400, 2004],
    ['10,000 arrays', () => `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400, 2004],
    ['no partnerId', () => '{"partnerKey":"k"}', 400, 1101],
    ['no partnerKey', () => '{"partnerId":"DEMO"}', 400, 1102],
    ['a partnerId of the wrong type', () => '{"partnerId":1,"partnerKey":"k"}', 400, 2005],
    ['a wrong key', () => '{"partnerId":"DEMO","partnerKey":"k"}', 401, 1003],
    ['an unknown partner', () => '{"partnerId":"__proto__","partnerKey":"k"}', 401, 1003],
    ['a number out of range', () => `{${credentials()},"reference":1e400}`, 400, 2005],
  ])('%s', async (_name, text, status, errCode) => {
    const {status: given, answer} = await send({}, {path: PARTNER, text: text()});
    expect([given, answer.errCode ?? 0]).toEqual([status, errCode]);
  });

  test('bytes that are no UTF-8 are refused', async () => {
    const response = await fetch(demo.url + PARTNER, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect((await response.json()) as object).toMatchObject({errCode: 2004});
  });

  test('a reference is echoed when authentication fails', async () => {
    const {answer} = await send({}, {text: '{"partnerId":"X","partnerKey":"Y","reference":"r"}'});
    expect(answer).toMatchObject({errCode: 1003, reference: 'r'});
  });

  // As it was sent, a refused request of 64 KiB would get an answer as large.
  test.each([
    ['of 51 characters', 'y'.repeat(51), 'y'.repeat(50)],
    ['of 60,000 characters', 'y'.repeat(60_000), 'y'.repeat(50)],
    ['of 51 characters beyond the first plane', '\u{1F600}'.repeat(51), '\u{1F600}'.repeat(50)],
    [
      'with a card number that the cut goes through',
      `${'y'.repeat(38)}4111111111111111`,
      'y'.repeat(38),
    ],
  ])('a reference %s is echoed by its first 50', async (_name, reference, echo) => {
    const {answer} = await send({reference});
    expect(answer.errCode).toBe(2003);
    expect([...answer.reference]).toHaveLength(50);
    expect(answer.reference.startsWith(echo)).toBe(true);
    expect(answer.reference).not.toMatch(/4111111/);
  });

  test('a reference of 50 characters beyond the first plane is echoed whole', async () => {
    const reference = '\u{1F600}'.repeat(50);
    expect((await send({reference}, {path: PARTNER})).answer).toMatchObject({
      success: true,
      reference,
    });
  });

  test('a long reference is cut whatever the request is refused for', async () => {
    const reference = 'z'.repeat(60_000);
    const {answer} = await send({partnerKey: 'wrong', reference});
    expect([answer.errCode, answer.reference]).toEqual([1003, 'z'.repeat(50)]);
  });

  test('nothing long is kept of a request', async () => {
    const long = 'w'.repeat(30_000);
    await send({reference: long, deviceType: long}, {path: `${PARSER}?${'q'.repeat(8000)}`});
    expect(JSON.stringify(demo.requests()).length).toBeLessThan(2000);
  });

  test('a reference is echoed with its control characters', async () => {
    const {answer} = await send(
      {},
      {path: PARTNER, text: `{${credentials()},"reference":"a\\u0000b"}`},
    );
    expect(answer.reference).toBe('a\0b');
  });

  test('a 401 names every method, Digest with SHA-256 before MD5', async () => {
    const {headers} = await send({}, {text: '{"partnerId":"X","partnerKey":"Y"}'});
    const challenge = headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/Hmac .*Rsa .*Digest .*SHA-256.*Digest .*MD5.*Basic /);
  });

  test('a 401 says nothing of what failed', async () => {
    const wrongKey = await send({}, {text: '{"partnerId":"DEMO","partnerKey":"Y"}'});
    const unknown = await send({}, {text: '{"partnerId":"X","partnerKey":"Y"}'});
    const text = ({answer}: typeof unknown) => answer.errMessage;
    expect([text(wrongKey), text(unknown)]).toEqual(Array(2).fill('Authentication required'));
  });
});

describe('misbehaviour on request', () => {
  const sent = ERROR_CODES.filter((errCode) => ERROR_CATALOGUE[errCode].http !== undefined);

  test.each(sent)('reference error:%i gives that error', async (errCode) => {
    const status = ERROR_CATALOGUE[errCode].http;
    expect(await code({reference: `error:${errCode}`}, {path: PARTNER})).toEqual([status, errCode]);
  });

  test('an error with status 503 says when to try again', async () => {
    const {headers} = await send({reference: 'error:2'}, {path: PARTNER});
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test.each(['error:9011', 'error:77', 'fault:none'])('%s is refused', async (reference) => {
    expect(await code({reference}, {path: PARTNER})).toEqual([400, 2005]);
  });

  test('fault:500 answers 500', async () => {
    expect(await code({reference: 'fault:500'}, {path: PARTNER})).toEqual([500, 1]);
  });

  test('fault:drop closes the connection without an answer', async () => {
    await expect(send({reference: 'fault:drop'}, {path: PARTNER})).rejects.toThrow();
  });

  test('fault:timeout never answers', async () => {
    const given = send({reference: 'fault:timeout'}, {path: PARTNER}).then(() => 'answered');
    const waited = new Promise((resolve) => setTimeout(resolve, 300, 'waiting'));
    given.catch(() => {});
    expect(await Promise.race([given, waited])).toBe('waiting');
  });
});

test('a mode that there is not is refused with 9001', async () => {
  const options: object = {mode: 'real'};
  await expect(startServer(options)).rejects.toMatchObject({code: 9001});
});

describe('mock mode', () => {
  test.each(DEVICE_TYPES)('answers any %s payload with a test card', async (deviceType) => {
    const {answer} = await send({deviceType, devicePayload: 'anything'}, {server: mock});
    expect(answer).toMatchObject({success: true, extracted: {PAN: '4111111111111111'}});
  });

  test('the reference chooses the card', async () => {
    const body = {deviceType: 'miura', devicePayload: 'x', reference: 'card:amex'};
    const {answer} = await send(body, {server: mock});
    expect(answer.extracted.PAN).toBe('378282246310005');
  });

  test('the mode follows the payload where it can be read', async () => {
    const keyed = JSON.parse(readFileSync('samples/idtech-keyed.json', 'utf8'));
    const {answer} = await send(keyed, {server: mock});
    expect([answer.meta.mode, Object.keys(answer).includes('keyed')]).toEqual(['keyed', true]);
  });

  test('an unknown card is refused', async () => {
    const body = {deviceType: 'miura', devicePayload: 'x', reference: 'card:none'};
    expect(await code(body, {server: mock})).toEqual([400, 2005]);
  });

  test('parameters are checked as ever', async () => {
    expect(await code({deviceType: 'miura'}, {server: mock})).toEqual([400, 2002]);
  });
});

describe('beside the interface', () => {
  const get = (path: string) => fetch(demo.url + path);

  test.each(['/healthz', '/readyz'])('%s answers 200', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  test('/openapi.json is an OpenAPI 3.1 document with all six paths', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toHaveLength(6);
  });

  test('/docs is a page that loads nothing from elsewhere', async () => {
    const page = await (await get('/docs/')).text();
    expect(page).toContain('<html');
    expect(page).not.toMatch(/(?:src|href)="https?:/);
  });

  test('/metrics counts requests by operation and status', async () => {
    await send({}, {path: PARTNER});
    const text = await (await get('/metrics')).text();
    expect(text).toMatch(/paylens_requests_total\{operation="validate-partner",status="200"/);
  });

  test('neither /metrics nor /_requests hold a card, a payload or a key', async () => {
    await send({...SWIPE, reference: '4111111111111111'});
    const text = (await (await get('/metrics')).text()) + (await (await get('/_requests')).text());
    for (const secret of [
      '4111111111111111',
      '4266841088889999',
      demo.partner.partnerKey,
      SWIPE.devicePayload,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('/_requests lists what was received', async () => {
    await send({reference: 'listed'}, {path: PARTNER});
    expect(demo.requests()).toEqual([
      expect.objectContaining({operation: 'validate-partner', reference: 'listed', status: 200}),
    ]);
    expect(await (await get('/_requests')).json()).toEqual(demo.requests());
  });
});

describe('message ids', () => {
  test('never repeat and never fall', async () => {
    const ids = await Promise.all(
      Array.from({length: 200}, async () => (await send({}, {path: PARTNER})).answer.messageId),
    );
    expect(new Set(ids).size).toBe(200);
  });

  test('follow the clock that the server was given', async () => {
    const frozen = await startServer({now: () => Date.UTC(2031, 1, 3, 4, 5, 6)});
    const {answer} = await send({reference: randomUUID()}, {server: frozen, path: PARTNER});
    await frozen.close();
    expect(answer.messageId).toMatch(/^120310203040506\d{10}$/);
  });
});
