import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import type {Partner} from '../../src/auth/partner/partner.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {demoRegistry} from '../../src/service/registry/demo-registry.js';
import {DeviceRegistry} from '../../src/service/registry/device-registry.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {bodyOf, NOW, PARTNER_KEY, secret, testPartner, VECTORS} from '../auth/auth-fixture.js';
import {hmacHeader} from './node-signature.js';
import {exchange} from './raw-http.js';

const PATH = '/api/v1/partner/validate';
const run = promisify(execFile);

let service: LaunchedService | undefined;

afterEach(() => service?.close());

/** A real service with these partners, whose clock stands at `now` (seconds). */
async function serve(partners: readonly Partner[], now = NOW): Promise<void> {
  const known = new Map(partners.map((partner) => [partner.partnerId, partner]));
  const registry = {
    keys: testKeyRing(),
    partners: (partnerId: string) => known.get(partnerId),
    devices: new DeviceRegistry(),
    allowUnregistered: true,
  };
  service = await launch({mode: 'real', registry, now: () => now * 1000, bodyLimit: 2_000_000});
}

/** Posts bytes under an Authorization header of any bytes; returns what the answer says. */
async function answerTo(target: string, authorization: string, body: Uint8Array = Buffer.from('')) {
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: ${authorization}`,
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  const sent = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
  const [answer] = await exchange(service?.url ?? '', sent);
  const object = JSON.parse(answer?.body ?? '') as {errCode?: number; errMessage?: string};
  return {status: answer?.status, ...object};
}

const named = <T extends {name: string}>(vectors: readonly T[]) =>
  vectors.map((vector) => [vector.name, vector] as const);

describe('vectors over HTTP', () => {
  test.each(named(VECTORS.hmac.filter(({furthestAhead}) => furthestAhead === undefined)))(
    'hmac %s is answered as marked',
    async (_name, vector) => {
      const {username: partnerId, encoding, target, authorization, accepted, now} = vector;
      await serve([testPartner({partnerId, sharedKey: secret(vector.sharedKey), encoding})], now);
      const {status} = await answerTo(target, authorization, bodyOf(vector));
      expect(status === 401).toBe(!accepted);
    },
  );

  test.each(named(VECTORS.rsa))('rsa %s is accepted', async (_name, vector) => {
    await serve([testPartner({rsaPublicKey: VECTORS.rsaKeys[vector.rsaKey]?.publicKey})]);
    const {status} = await answerTo(vector.target, vector.authorization, bodyOf(vector));
    expect(status).not.toBe(401);
  });

  test.each(named(VECTORS.basic.filter(({key}) => key !== '')))(
    'basic %s is answered as marked',
    async (_name, vector) => {
      await serve([testPartner({partnerId: vector.userId, partnerKey: secret(vector.key)})]);
      const {status} = await answerTo(PATH, vector.authorization, Buffer.from('{}'));
      expect(status).toBe(vector.wellFormed ? 200 : 401);
    },
  );

  test.each(named(VECTORS.digestPreemptive))(
    'pre-emptive digest %s is accepted',
    async (_name, {uri, authorization}) => {
      await serve([testPartner()]);
      const {status} = await answerTo(uri, authorization, Buffer.from('{}'));
      expect(status).not.toBe(401);
    },
  );

  test.each(named(VECTORS.digest))(
    'digest %s, whose nonce is none of ours, is refused',
    async (_name, {username, key, uri, authorization}) => {
      await serve([testPartner({partnerId: username, partnerKey: secret(key)})]);
      const target = uri.startsWith('/api/') ? uri : PATH;
      expect((await answerTo(target, authorization)).status).toBe(401);
    },
  );

  test.each(named(VECTORS.refused))('%s is refused', async (_name, vector) => {
    await serve([
      testPartner(),
      testPartner({partnerId: 'OTHER', sharedKey: secret('another shared key')}),
      testPartner({partnerId: 'BASICONLY', methods: ['basic']}),
    ]);
    const {status, errCode, errMessage} = await answerTo(
      vector.target,
      vector.authorization,
      bodyOf(vector),
    );
    // Two of them change the path into one that does not exist.
    const unknownPath = /Decrypt|\/$/.test(vector.target);
    const expected = unknownPath ? [404, 2008] : [401, 1003];
    expect([status, errCode]).toEqual(expected);
    if (!unknownPath) expect(errMessage).toBe('Authentication required');
  });
});

describe('tools', () => {
  let demo: TestServer;
  let folder = '';

  beforeAll(async () => {
    demo = await startServer();
    folder = mkdtempSync(path.join(tmpdir(), 'paylens-tools-'));
  });
  afterAll(async () => {
    rmSync(folder, {recursive: true, force: true});
    await demo.close();
  });

  const user = () => `${demo.partner.partnerId}:${demo.partner.partnerKey}`;
  const curl = async (...argv: readonly string[]) => {
    const usual = ['-s', '--noproxy', '*', '-w', '\n%{http_code}', '--json', '{"reference":"c"}'];
    const {stdout} = await run('curl', [...usual, ...argv, demo.url + PATH]);
    return stdout.trim().split('\n').at(-1);
  };

  test('curl -u authenticates', async () => {
    expect(await curl('-u', user())).toBe('200');
  });

  test('curl --digest authenticates', async () => {
    expect(await curl('--digest', '-u', user())).toBe('200');
    expect(demo.requests().at(-1)?.authentication).toBe('digest');
  });

  test.each([['-u'], ['--digest', '-u']])('curl %s with a wrong key: 401', async (...flags) => {
    expect(await curl(...flags, `${demo.partner.partnerId}:wrong`)).toBe('401');
  });

  /** The string to hash in a file, as a script of a partner would have it. */
  function stringToHash(nonce: string, timestamp: number, contentHash: string): string {
    const file = path.join(folder, 'string-to-hash');
    writeFileSync(file, `POST ${PATH}\n${nonce}\n${timestamp}\n\n${contentHash}`);
    return file;
  }

  async function openssl(...argv: readonly string[]): Promise<string> {
    const {stdout} = await run('openssl', argv);
    return stdout.trim().split(' ').at(-1) ?? '';
  }

  test('an HMAC made by openssl, sent by curl, authenticates', async () => {
    const body = path.join(folder, 'body.json');
    writeFileSync(body, ' {"reference": "r"}\r\n');
    const timestamp = Math.floor(Date.now() / 1000);
    const text = stringToHash('o-1', timestamp, await openssl('dgst', '-sha256', body));
    const response = await openssl('dgst', '-sha256', '-hmac', demo.partner.sharedKey, text);
    const header = `Hmac username="DEMO", nonce="o-1", timestamp=${timestamp}, response="${response}"`;
    const {stdout} = await run('curl', [
      ...['-s', '--noproxy', '*', '-H', 'Content-Type: application/json'],
      ...['-H', `Authorization: ${header}`, '--data-binary', `@${body}`, demo.url + PATH],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({success: true, reference: 'r'});
  });

  test('an RSA signature made by openssl authenticates', async () => {
    const key = path.join(folder, 'key.pem');
    await run('openssl', ['genpkey', '-algorithm', 'RSA', '-out', key]);
    const {stdout: rsaPublicKey} = await run('openssl', ['pkey', '-in', key, '-pubout']);
    await serve([testPartner({rsaPublicKey})]);
    const content = await openssl('dgst', '-sha256', writeBody('{}'));
    const text = stringToHash('o-2', NOW, content);
    const response = await openssl('dgst', '-sha256', '-sign', key, '-hex', text);
    const header = `Rsa username="WATERFORD", nonce="o-2", timestamp=${NOW}, response="${response}"`;
    expect((await answerTo(PATH, header, Buffer.from('{}'))).status).toBe(200);
  });

  function writeBody(text: string): string {
    const file = path.join(folder, 'body');
    writeFileSync(file, text);
    return file;
  }
});

describe('credentials beside a header', () => {
  const BASIC = `Basic ${Buffer.from(`WATERFORD:${PARTNER_KEY}`).toString('base64')}`;

  test.each<[string, object, number]>([
    ['none', {}, 200],
    ['the same', {partnerId: 'WATERFORD', partnerKey: PARTNER_KEY}, 200],
    ['another partnerId', {partnerId: 'OTHER'}, 401],
    ['another partnerKey', {partnerKey: 'other'}, 401],
    ['those of another partner', {partnerId: 'OTHER', partnerKey: 'other key'}, 401],
    ['empty ones', {partnerId: '', partnerKey: ''}, 200],
    ['a partnerId of another type', {partnerId: 7}, 400],
  ])('%s', async (_name, body, expected) => {
    await serve([
      testPartner(),
      testPartner({partnerId: 'OTHER', partnerKey: secret('other key')}),
    ]);
    const {status} = await answerTo(PATH, BASIC, Buffer.from(JSON.stringify(body)));
    expect(status).toBe(expected);
  });
});

describe('the order of checks', () => {
  const RIGHT = () => hmacHeader({body: 'no JSON', timestamp: Math.floor(Date.now() / 1000)});
  let demo: TestServer;

  beforeAll(async () => {
    demo = await startServer();
  });
  afterAll(() => demo.close());

  interface Case {
    readonly path?: string;
    readonly verb?: string;
    readonly type?: string;
    readonly length?: number;
    readonly authorization?: string;
    readonly body?: string;
  }

  async function outcome({path: target = PATH, verb = 'POST', body = '', ...rest}: Case) {
    const {type = 'application/json', authorization, length = body.length} = rest;
    const head = [`${verb} ${target} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`];
    if (authorization !== undefined) head.push(`Authorization: ${authorization}`);
    head.push(`Content-Length: ${length}`);
    const [answer] = await exchange(demo.url, `${head.join('\r\n')}\r\n\r\n${body}`);
    return [answer?.status, JSON.parse(answer?.body ?? '').errCode];
  }

  test.each<[string, () => Case, [number, number]]>([
    ['404 before all', () => ({path: '/x', type: 'text/plain', length: 99_999}), [404, 2008]],
    ['405 before all', () => ({verb: 'PUT', type: 'text/plain', length: 99_999}), [405, 2008]],
    ['413 before 415', () => ({type: 'text/plain', length: 99_999}), [413, 2006]],
    ['415 before 401', () => ({type: 'text/plain', authorization: 'x', body: '{}'}), [415, 2007]],
    ['401 before 2004', () => ({authorization: 'Basic x', body: 'no JSON'}), [401, 1003]],
    ['a right header, then 2004', () => ({authorization: RIGHT(), body: 'no JSON'}), [400, 2004]],
    ['a right header, an empty body', () => ({authorization: hmacHeader({body: ''})}), [400, 2004]],
    ['no header, an empty body: the challenges', () => ({body: ''}), [401, 1003]],
    ['no header: 2004 before 1101', () => ({body: '[]'}), [400, 2004]],
    ['no header: 1101 before 1102', () => ({body: '{}'}), [400, 1101]],
    ['no header: 1102 before 401', () => ({body: '{"partnerId":"x"}'}), [400, 1102]],
    [
      'no header: 401 before the parameters',
      () => ({body: '{"partnerId":"x","partnerKey":"y","reference":7}'}),
      [401, 1003],
    ],
  ])('%s', async (_name, given, expected) => {
    expect(await outcome(given())).toEqual(expected);
  });

  test.each<[string, object, number]>([
    ['a wrong type before a long reference', {reference: 'x'.repeat(51), ksn: 7}, 2005],
    ['a long reference before deviceType', {reference: 'x'.repeat(51)}, 2003],
    ['deviceType before devicePayload', {}, 2000],
    ['the value of deviceType', {deviceType: 'x'}, 2001],
    ['devicePayload', {deviceType: 'idtech'}, 2002],
  ])('of parameters: %s', async (_name, members, errCode) => {
    const {partnerId, partnerKey} = demo.partner;
    const body = JSON.stringify({partnerId, partnerKey, ...members});
    expect(await outcome({path: '/api/v1/decrypt/parser', body})).toEqual([400, errCode]);
  });
});

test('a partner who may not use a method is refused like an unknown one', async () => {
  service = await launch({mode: 'demo', registry: demoRegistry()});
  const body = Buffer.from('{}');
  const signed = (partnerId: string) => answerTo(PATH, hmacHeader({partnerId}), body);
  const [unsigned, unknown] = [await signed('DEMO-UNSIGNED'), await signed('NOBODY')];
  expect([unsigned.status, unsigned.errMessage]).toEqual([unknown.status, unknown.errMessage]);
});
