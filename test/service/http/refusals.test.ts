import type {FastifyInstance, FastifyRequest} from 'fastify';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {
  assertHead,
  closingRefusal,
  overloaded,
  type Refusal,
  refusalOfError,
  requestPath,
  unknownRoute,
} from '../../../src/service/http/refusals.js';
import {codeOf} from '../../code-of.js';

const PARSER = '/api/v1/decrypt/parser';
const JSON_TYPE = ['Content-Type', 'application/json'];
const LIMIT = 1000;

function summary({error, ...rest}: Refusal) {
  return {code: error.code, detail: error.detail, ...rest};
}

function requestFor(url: string, rawHeaders: readonly string[] = []): FastifyRequest {
  return {raw: {url, rawHeaders}} as unknown as FastifyRequest;
}

function appWith(...methods: string[]): FastifyInstance {
  const hasRoute = ({method, url}: {method: string; url: string}) =>
    url === PARSER && methods.includes(method);
  return {hasRoute} as unknown as FastifyInstance;
}

const close = {connection: 'close'};

describe('what was refusalOfError', () => {
  it('is answered as itself when it is ours', () => {
    const error = new PaylensError(2102, 'x');
    expect(refusalOfError(error, LIMIT)).toEqual({error, headers: close});
  });

  it.each([
    [413, {code: 2006, detail: 'expected at most 1000 bytes', headers: close}],
    [415, {code: 2007, detail: '', headers: close}],
    [400, {code: 2009, detail: '', headers: close}],
    [403, {code: 2008, detail: 'no such path', headers: close}],
  ])('with status %i of Fastify has a code of the interface', (statusCode, expected) => {
    expect(summary(refusalOfError(Object.assign(new Error('x'), {statusCode}), LIMIT))).toEqual(
      expected,
    );
  });

  it.each([undefined, 404, 411, 414, 417, 500])('with status %j is a defect', (statusCode) => {
    const defect = Object.assign(new Error('secret'), {statusCode});
    expect(summary(refusalOfError(defect, LIMIT))).toEqual({
      code: 1,
      detail: '',
      headers: close,
      defect,
    });
  });

  it('hands the defect itself to the log', () => {
    const defect = new TypeError('x');
    expect(refusalOfError(defect, LIMIT).defect).toBe(defect);
  });
});

describe('a refusal', () => {
  it('closes the connection of a body that is not read', () => {
    const error = new PaylensError(2009);
    expect(closingRefusal(error, {status: 417})).toEqual({error, status: 417, headers: close});
  });

  it('leaves the connection open after too much work', () => {
    expect(summary(overloaded())).toEqual({code: 2, detail: 'overloaded'});
  });
});

describe('a route that nobody has', () => {
  it('is 404 where no method is served', () => {
    expect(summary(unknownRoute(appWith(), requestFor(PARSER)))).toEqual({
      code: 2008,
      detail: 'no such path',
    });
  });

  it.each([
    [['POST'], 'POST'],
    [['HEAD', 'GET'], 'GET, HEAD'],
  ])('is 405 with the methods of its path: %j', (methods, allow) => {
    expect(summary(unknownRoute(appWith(...methods), requestFor(`${PARSER}?a=1`)))).toEqual({
      ...{code: 2008, detail: `expected ${allow}`, status: 405, headers: {allow}},
    });
  });

  it.each([
    ['127.0.0.1', 'expected GET', {allow: 'GET'}],
    ['192.0.2.7', 'no such path', undefined],
  ])('of the control routes is told from %s: %s', (remoteAddress, detail, headers) => {
    const app = {hasRoute: ({method}: {method: string}) => method === 'GET'};
    const request = {...requestFor('/_requests'), socket: {remoteAddress}};
    const refusal = unknownRoute(
      app as unknown as FastifyInstance,
      request as unknown as FastifyRequest,
    );
    expect([refusal.error.detail, refusal.headers]).toEqual([detail, headers]);
  });
});

describe('the head of a POST', () => {
  const headCode = (url: string, headers: readonly string[]) =>
    codeOf(() => assertHead(requestFor(url, headers), LIMIT));
  const ofLength = (length: number | string) => ['Content-Length', String(length)];

  it.each<[string, string, readonly string[], number | undefined]>([
    ['with JSON', PARSER, JSON_TYPE, undefined],
    ['with as many bytes as are allowed', PARSER, [...JSON_TYPE, ...ofLength(LIMIT)], undefined],
    ['with one byte more', PARSER, [...JSON_TYPE, ...ofLength(LIMIT + 1)], 2006],
    ['with too many bytes of another type', PARSER, ofLength(LIMIT + 1), 2006],
    ['without a type', PARSER, [], 2007],
    ['to another path', `${PARSER}/`, [], 2008],
    ['to another path with too many bytes', '/', ofLength(LIMIT + 1), 2008],
    ['to a path with a query', `${PARSER}?a=1`, JSON_TYPE, undefined],
  ])('%s', (_, url, headers, code) => {
    expect(headCode(url, headers)).toBe(code);
  });
});

describe('the path of a request', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a?b=/c?d', '/a'],
    ['/a%3Fb', '/a%3Fb'],
    ['http://host/a?b', '/a'],
    ['?a', ''],
    [undefined, ''],
  ])('of %j is %j', (url, path) => {
    expect(requestPath({url} as Parameters<typeof requestPath>[0])).toBe(path);
  });
});
