import type {IncomingMessage} from 'node:http';
import {describe, expect, test} from 'vitest';
import {
  InspectorToken,
  inspectorError,
  isHiddenFrom,
} from '../../../src/service/inspector/inspector-access.js';

const HOST = 'Host: localhost:8080';
const WRONG_HOST = [2010, 'the inspector answers to localhost and 127.0.0.1 on its port'];
const TWICE = [2011, 'expected Origin and Sec-Fetch headers once'];
const PAGE_ONLY = [2011, 'expected Sec-Fetch-Dest document'];
const DATA_ONLY = [2011, 'expected Sec-Fetch-Dest empty'];
const FOREIGN = [2011, 'expected no Origin, or the origin of this service'];

function requestOf(lines: readonly string[], remoteAddress?: string): IncomingMessage {
  const pairs = lines.map((line) => line.split(/: ?(.*)/s));
  return {
    rawHeaders: pairs.flatMap(([name = '', value = '']) => [name, value]),
    headers: Object.fromEntries(pairs.map(([name = '', value]) => [name.toLowerCase(), value])),
    socket: {remoteAddress},
    url: '/',
  } as unknown as IncomingMessage;
}

describe('a request for the inspector', () => {
  test.each<[readonly string[], 'page' | 'data', readonly unknown[] | undefined]>([
    [[HOST], 'page', undefined],
    [['Host: LOCALHOST:8080'], 'data', undefined],
    [['Host: 127.0.0.1:8080'], 'data', undefined],
    [['Host: [::1]:8080'], 'data', undefined],
    [[], 'data', WRONG_HOST],
    [[HOST, HOST], 'data', WRONG_HOST],
    [['Host: localhost'], 'data', WRONG_HOST],
    [['Host: localhost:8081'], 'data', WRONG_HOST],
    [['Host: localhost.:8080'], 'data', WRONG_HOST],
    [['Host: xlocalhost:8080'], 'data', WRONG_HOST],
    [['Host: 127.0.0.2:8080'], 'data', WRONG_HOST],
    [[HOST, 'Upgrade: websocket'], 'data', [2009, 'unexpected Upgrade header']],
    [[HOST, 'Origin: null', 'Origin: null'], 'data', TWICE],
    [[HOST, 'Sec-Fetch-Site: none', 'Sec-Fetch-Site: none'], 'data', TWICE],
    [[HOST, 'Sec-Fetch-Dest: empty', 'Sec-Fetch-Dest: empty'], 'data', TWICE],
    [[HOST, 'Sec-Fetch-Dest: document'], 'page', undefined],
    [[HOST, 'Sec-Fetch-Dest: empty'], 'page', PAGE_ONLY],
    [[HOST, 'Sec-Fetch-Dest: xdocument'], 'page', PAGE_ONLY],
    [[HOST, 'Sec-Fetch-Dest: image'], 'data', DATA_ONLY],
    [[HOST, 'Sec-Fetch-Dest: empty'], 'data', undefined],
    [[HOST, 'Sec-Fetch-Dest: emptyx'], 'data', DATA_ONLY],
    [[HOST, 'Sec-Fetch-Dest: document'], 'data', DATA_ONLY],
    [[HOST, 'Origin: http://localhost:8080'], 'data', undefined],
    [[HOST, 'Origin: https://localhost:8080'], 'data', FOREIGN],
    [
      [HOST, 'Sec-Fetch-Site: same-site'],
      'data',
      [2011, 'expected Sec-Fetch-Site same-origin or none'],
    ],
  ])('%j, %s: %j', (lines, kind, expected) => {
    const origin = {scheme: 'http', port: () => 8080} as const;
    const error = inspectorError({raw: requestOf(lines), originalUrl: '/'}, kind, origin);
    expect(error && [error.code, error.detail]).toEqual(expected);
  });

  test.each([
    ['http', 80, 'Host: localhost', '/', undefined],
    ['https', 443, 'Host: localhost', '/', undefined],
    ['https', 80, 'Host: localhost', '/', 2010],
    ['http', 80, 'Host: localhost', 'http://localhost/', 2010],
  ] as const)('by %s on port %i, %s, %s: %s', (scheme, port, host, originalUrl, code) => {
    const request = {raw: requestOf([host]), originalUrl};
    expect(inspectorError(request, 'data', {scheme, port: () => port})?.code).toBe(code);
  });

  test.each([
    ['127.0.0.1', [], false],
    ['::1', [], false],
    ['::ffff:127.0.0.1', [], false],
    ['10.0.0.1', [], true],
    [undefined, [], true],
    ['127.0.0.1', ['Forwarded: for=1'], true],
    ['127.0.0.1', ['Via: 1.1 x'], true],
    ['127.0.0.1', ['X-Forwarded-For: 1'], true],
    ['127.0.0.1', ['X-Forwarded-Host: 1'], true],
    ['127.0.0.1', ['X-Real-IP: 1'], true],
  ])('from %s with %j: hidden %s', (address, lines, isHidden) => {
    expect(isHiddenFrom(requestOf(lines, address))).toBe(isHidden);
  });
});

describe('the token', () => {
  let now = 0;
  const newToken = () => new InspectorToken('right', () => now);
  const codeOf = (token: InspectorToken, rawHeaders: readonly string[]) => {
    try {
      return token.assertSent(rawHeaders);
    } catch (error) {
      const {code, detail} = error as {code: number; detail: string};
      return `${code} ${detail}`;
    }
  };
  const REFUSED = '1003 open the address of the ready line: it has the token';

  test('is accepted at any time; ten wrong ones put off wrong ones for a minute', () => {
    now = 500;
    const token = newToken();
    const tried = (given: string) => codeOf(token, ['Authorization', `Bearer ${given}`]);
    expect(Array.from({length: 10}, () => tried('wrong'))).toEqual(
      Array.from({length: 10}, () => REFUSED),
    );
    expect(tried('wrong')).toBe('2 too many wrong tokens');
    expect(tried('right')).toBeUndefined();
    now = 60_499;
    expect(tried('wrong')).toBe('2 too many wrong tokens');
    now = 60_500;
    expect(tried('wrong')).toBe(REFUSED);
    expect(tried('right')).toBeUndefined();
  });

  test('that is not sent is not counted', () => {
    const token = newToken();
    for (let i = 0; i < 20; i++) expect(codeOf(token, [])).toBe(REFUSED);
  });

  test.each([
    [['authorization', 'Bearer right'], undefined],
    [['Authorization', 'Bearer right', 'Authorization', 'Bearer right'], REFUSED],
    [['Authorization', 'Bearer Right'], REFUSED],
    [['Authorization', 'right'], REFUSED],
    [['X-Authorization', 'Bearer right'], REFUSED],
    [['Cookie', 'token=right'], REFUSED],
  ])('in %j: %s', (rawHeaders, expected) => {
    expect(codeOf(newToken(), rawHeaders)).toBe(expected);
  });
});
