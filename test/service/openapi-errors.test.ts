import {readdirSync, readFileSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openApiDocument} from '../../scripts/openapi/open-api.js';
import {isDeviceType} from '../../src/contract/device-types.js';
import {OPERATIONS, type Operation, pathOf} from '../../src/contract/operation.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../src/service/registry/demo-registry.js';
import {enhanced, sha1} from '../engine/families/idtech-frames.js';
import {readSamples} from '../engine/samples.js';
import {lrcOf} from '../engine/terminal.js';
import {exchange} from './raw-http.js';

const {partnerId, partnerKey} = DEMO_PARTNER;
const GENERIC = JSON.parse(readFileSync('samples/generic-tracks.json', 'utf8'));
const LARGE = 'x'.repeat(200_000);

interface Sent {
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a strict service, which refuses it. */
  readonly query?: string;
}

/** A body that each operation accepts. */
const GOOD: Readonly<Record<Operation, object>> = {
  'validate-partner': {},
  'validate-device': {serial: 'DEMO0001', firmware: '1.0'},
  'process-payload': {deviceType: 'idtech', devicePayload: '02'},
};

/** What makes any operation give an error. 1 is a defect, 2 an overload: no request makes them. */
const ANY: Readonly<Record<string, Sent>> = {
  '400 1101': {body: {partnerId: ''}},
  '400 1102': {body: {partnerKey: ''}},
  '400 2003': {body: {reference: 'r'.repeat(51)}},
  '400 2004': {body: '['},
  '400 2005': {body: {reference: 7}},
  '400 2009': {headers: {'bad header': 'x'}},
  '401 1003': {body: {partnerKey: 'wrong'}},
  '403 2011': {headers: {Origin: 'https://elsewhere.example'}},
  '404 2008': {query: '?a=b'},
  '413 2006': {body: {clientId: LARGE.repeat(10)}},
  '415 2007': {headers: {'Content-Type': 'text/plain'}},
  '417 2009': {headers: {Expect: 'tea'}},
  '421 2010': {headers: {Host: 'elsewhere.example'}},
  '431 2009': {headers: {'X-Large': LARGE}},
};
/** No byte for too long; test/service/connections.test.ts waits for it. */
const UNASKED = ['408 2009', '500 1', '503 2'];

const OWN: Readonly<Record<Operation, Readonly<Record<string, Sent>>>> = {
  'validate-partner': {},
  'validate-device': {
    '400 1201': {body: {serial: ''}},
    '400 1202': {body: {serial: 'NONE'}},
    '400 1203': {body: {serial: 'DEMO0003'}},
    '400 1204': {body: {firmware: '9.9'}},
    '400 1205': {body: {serial: 'DEMO0005'}},
  },
  'process-payload': {
    '400 1202': device('NONE'),
    '400 1203': device('DEMO0003'),
    '400 1205': device('DEMO0005'),
    '400 2000': {body: {deviceType: ''}},
    '400 2001': {body: {deviceType: 'other'}},
    '400 2002': {body: {devicePayload: ''}},
    ...Object.fromEntries(
      refusedReads().map(({request, expect: {errCode}}) => [`400 ${errCode}`, {body: request}]),
    ),
    '400 2600': device('DEMO0001'),
    '400 2800': {body: withoutCard()},
  },
};

/** A read that decrypts, of a device that the partner does not own or may not use. */
function device(deviceSerial: string): Sent {
  return {body: {...GENERIC, deviceSerial}};
}

function withoutCard(): object {
  const text = ';12345=2212?';
  const plain = text + lrcOf(text);
  const tracks = [undefined, {plain, copy: `${plain.slice(0, -1)}*`, hash: sha1(plain)}];
  return {deviceType: 'idtech', devicePayload: enhanced({type: 0xc0, tracks})};
}

function refusedReads() {
  return readdirSync('test/samples')
    .flatMap((file) => readSamples(file.replace(/\.json$/, '')))
    .filter(
      ({request, expect: {errCode}}) => errCode !== undefined && isDeviceType(request?.deviceType),
    );
}

let service: LaunchedService;
/** Has no keys, and accepts only devices that it knows. */
let strict: LaunchedService;
/** Promises no more than the interface. */
let literal: LaunchedService;
beforeAll(async () => {
  const registry = demoRegistry();
  [service, strict, literal] = await Promise.all([
    launch({mode: 'demo', registry}),
    launch({
      mode: 'demo',
      registry: {...registry, keys: new KeyRing([]), allowUnregistered: false},
    }),
    launch({mode: 'demo', registry, strict: true}),
  ]);
});
afterAll(() => Promise.all([service, strict, literal].map((one) => one.close())));

async function answerTo(
  operation: Operation,
  {body = {}, headers = {}, query = ''}: Sent,
  {url} = service,
) {
  const members = {partnerId, partnerKey, ...GOOD[operation]};
  const text = typeof body === 'string' ? body : JSON.stringify({...members, ...body});
  const all = {Host: 'localhost', 'Content-Type': 'application/json', ...headers};
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = `POST ${pathOf(operation)}${query} HTTP/1.1\r\n${lines.join('\r\n')}`;
  const length = `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
  const [answer] = await exchange(url, `${head}\r\n${length}\r\n\r\n${text}`);
  return `${answer?.status} ${JSON.parse(answer?.body ?? '{}').errCode}`;
}

/** `STATUS CODE` of every error that the document lists for an operation. */
function listed(operation: Operation): string[] {
  const responses = openApiDocument('1').paths[pathOf(operation)]?.post.responses ?? {};
  return Object.entries(responses as Record<string, Response>).flatMap(([status, {content}]) => {
    const [, own] = content['application/json'].schema.allOf ?? [];
    return (own?.properties.errCode.enum ?? []).map((code) => `${status} ${code}`);
  });
}

interface Response {
  readonly content: {readonly 'application/json': {readonly schema: {readonly allOf?: Listed[]}}};
}

interface Listed {
  readonly properties: {readonly errCode: {readonly enum: readonly number[]}};
}

describe.each(OPERATIONS)('the errors of %s', (operation) => {
  const known = {...ANY, ...OWN[operation]};

  test('are those that requests can cause, and no others', () => {
    expect(listed(operation).sort()).toEqual([...UNASKED, ...Object.keys(known)].sort());
  });

  test.each(Object.entries(known))('%s', async (error, sent) => {
    const isStrict = operation === 'process-payload' && / (?:12\d\d|2600)$/.test(error);
    const asked = sent.query === undefined ? service : literal;
    expect(await answerTo(operation, sent, isStrict ? strict : asked)).toBe(error);
  });
});
