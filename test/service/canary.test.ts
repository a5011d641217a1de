import {createPrivateKey} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {signBasic} from '../../src/auth/methods/basic.js';
import {signDigest} from '../../src/auth/methods/digest.js';
import {signDigestPreemptive} from '../../src/auth/methods/digest-preemptive.js';
import {signHmac} from '../../src/auth/methods/hmac.js';
import {DigestKey} from '../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import {AUTH_METHODS, type AuthMethod} from '../../src/contract/auth-method.js';
import {Secret} from '../../src/contract/secret.js';
import {partnersFrom} from '../../src/keyfile/partner-entry.js';
import {type LaunchedService, launch} from '../../src/service/launch.js';
import {DeviceRegistry} from '../../src/service/registry/device-registry.js';
import {registryOf} from '../../src/service/registry/registry.js';
import {VECTORS} from '../auth/auth-fixture.js';
import {rsaHeader} from '../auth/rsa-header.js';
import {readSamples} from '../engine/samples.js';
import {exchange, post} from './raw-http.js';

/**
 * Sends requests of every method, right and broken, to every endpoint of a service whose keys are
 * known, and looks for these and for the card in all that the service says.
 */
const BDK = '0123456789ABCDEFFEDCBA9876543210';
const PARTNER_KEY = 'canary-partner-key-4711';
const SHARED_KEY = 'canary-shared-key-0815';
const PAN = '4761731000000043';
/** One that satisfies Luhn, as masking demands where any text may stand. */
const VISA = '4111111111111111';
const TRACK = '=24122011303130600000';
/** No read of which the description of the API shows the card. */
const SWIPE = sampleRequest('idtech', 'vp3350-v2-msr-dfee23');
const RSA = VECTORS.rsaKeys['test-rsa-2048'];
const PARSER = '/api/v1/decrypt/parser';

const ENDPOINTS: Readonly<Record<string, object>> = {
  '/api/v1/partner/validate': {reference: 'r'},
  '/api/v1/device/validate': {serial: 'S1', firmware: '1'},
  [PARSER]: SWIPE,
};

function sampleRequest(family: string, wanted: string): {devicePayload: string} {
  const sample = readSamples(family).find(({id}) => id === wanted);
  if (!sample) throw new Error(`no sample ${wanted}`);
  return sample.request;
}

/** Responses that would have been right: they open the door as a key does. */
const rightResponses = new Set<string>();

interface Keys {
  readonly partnerKey: string;
  readonly sharedKey: string;
}

const RIGHT: Keys = {partnerKey: PARTNER_KEY, sharedKey: SHARED_KEY};
const SWAPPED: Keys = {partnerKey: SHARED_KEY, sharedKey: PARTNER_KEY};

/** A header of `method` for a request; none for transparent, whose credentials are in the body. */
function headerOf(method: AuthMethod, target: string, body: string, keys: Keys): string[] {
  const request = {method: 'POST', target, body: Buffer.from(body)};
  const nonce = `n-${Math.random()}`;
  const signer = {partnerId: 'A', nonce, timestamp: Math.floor(Date.now() / 1000)};
  const digestKey = new DigestKey('A', Buffer.from(keys.partnerKey));
  const digest = {username: 'A', nonce: challenge, cnonce: nonce, count: 1};
  const signers: Readonly<Record<AuthMethod, () => string | undefined>> = {
    transparent: () => undefined,
    basic: () => signBasic('A', keys.partnerKey),
    digest: () => signDigest(request, {...digest, algorithm: 'SHA-256'}, digestKey),
    'digest-preemptive': () => signDigestPreemptive(request, signer, digestKey),
    hmac: () => signHmac(request, signer, new HmacKey(Buffer.from(keys.sharedKey))),
    rsa: () => rsaHeader(request, signer, createPrivateKey(RSA?.privateKey ?? '')),
  };
  if (method === 'hmac' && keys !== RIGHT) {
    const right = signHmac(request, signer, new HmacKey(Buffer.from(SHARED_KEY)));
    rightResponses.add(/response="(\w+)"/.exec(right)?.[1] ?? '');
  }
  const header = signers[method]();
  return header === undefined ? [] : [`Authorization: ${header}`];
}

/** What callers do wrong with a header, the worst of it with their keys in it. */
const HEADER_FAULTS: readonly ((header: string) => string[])[] = [
  (header) => [header],
  (header) => [header, header],
  (header) => [header.slice(0, -9)],
  (header) => [header.replace(/(response|nonce|username)="[^"]*/, `$1="${SHARED_KEY}`)],
  (header) => [header.replace(/^Authorization: \w+/, `Authorization: ${PARTNER_KEY}`)],
  (header) => [`${header}, key="${SHARED_KEY}"`],
  (header) => [header.replace('"A"', `"${PAN}"`)],
];

/** What they do wrong with a body. */
const BODY_FAULTS: readonly ((body: string) => string)[] = [
  (body) => body,
  (body) => body.slice(0, -1),
  (body) => `${body}%B${PAN}^`,
  (body) => body.replace('{', `{"${PAN}":1,"${PAN}":2,`),
  (body) => body.replace('{', `{"partnerKey":["${PARTNER_KEY}"],`),
  (body) => body.replace('{', `{"deviceSerial":"${PAN}","ksn":"${BDK}","iv":"${BDK}","a":1,`),
  (body) => body.replace('{', `{"partnerId":"${PAN}","partnerKey":"${SHARED_KEY}",`),
  (body) => body.replace('{', `{"reference":"0 ${VISA}",`),
];

let service: LaunchedService;
let said = '';
let challenge = '';

function registry() {
  const partners = partnersFrom([
    {partnerId: 'A', ...RIGHT, rsaPublicKey: RSA?.publicKey, methods: AUTH_METHODS},
    {partnerId: 'NONE', ...RIGHT, methods: []},
  ]);
  const bdk = {kind: 'bdk' as const, name: 'lab', secret: new Secret(Buffer.from(BDK, 'hex'))};
  const devices = new DeviceRegistry([{partnerId: 'A', serial: 'S1', status: 'active'}]);
  return registryOf({keys: [bdk], partners, devices, allowUnregistered: true});
}

/** Keeps what comes back, but for what was asked for: the card, and the reference as it was sent. */
async function send(target: string, headers: readonly string[], body: string): Promise<number> {
  const lines = ['Content-Type: application/json', 'Connection: close', ...headers];
  const [answer] = await exchange(service.url, post(target, lines, body));
  const found = answer?.headers.get('www-authenticate')?.join() ?? '';
  challenge = /nonce="([^"]+)"/.exec(found)?.[1] ?? challenge;
  const isEcho = body.includes('"reference":"0');
  const shown = JSON.stringify([...(answer?.headers ?? [])]);
  const message = isEcho ? (JSON.parse(answer?.body ?? '{}').errMessage ?? '') : answer?.body;
  said += answer?.status === 200 ? shown : `${shown}${message}\n`;
  return answer?.status ?? 0;
}

async function sendAll(): Promise<Set<number>> {
  const statuses = new Set<number>();
  await send(PARSER, ['Authorization: Digest'], '{}');
  for (const [target, members] of Object.entries(ENDPOINTS)) {
    for (const method of AUTH_METHODS) {
      const credentials = method === 'transparent' ? {partnerId: 'A', partnerKey: PARTNER_KEY} : {};
      const body = JSON.stringify({...members, ...credentials});
      for (const fault of BODY_FAULTS) {
        const text = fault(body);
        statuses.add(await send(target, headerOf(method, target, text, RIGHT), text));
      }
      for (const keys of [RIGHT, SWAPPED]) {
        for (const fault of HEADER_FAULTS) {
          const headers = headerOf(method, target, body, keys).flatMap(fault);
          statuses.add(await send(target, headers, body));
        }
      }
    }
  }
  return statuses;
}

/** What never gets to an endpoint. */
const BROKEN = [
  `GET /${PAN} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `POST ${PARSER}?key=${SHARED_KEY}&pan=${PAN} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`,
  `POST ${PARSER} HTTP/1.1\r\nHost: ${PAN}\r\nHost: ${PAN}\r\n\r\n`,
  `POST ${PARSER} HTTP/1.1\r\n${PAN} : ${SHARED_KEY}\r\n\r\n`,
  `POST ${PARSER} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${SHARED_KEY}\0\r\n\r\n`,
  `${PAN} ${PARTNER_KEY}\r\n\r\n`,
  `POST ${PARSER} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${PAN}\r\nContent-Length: 2\r\n\r\n{}`,
  `POST ${PARSER} HTTP/1.1\r\nHost: localhost\r\nX: ${SHARED_KEY.repeat(900)}\r\n\r\n`,
];

const PAGES = ['/metrics', '/_requests', '/openapi.json', '/docs', '/docs/', '/healthz'];

describe.each(['real', 'demo', 'mock'] as const)('a service in %s mode', (mode) => {
  let statuses = new Set<number>();
  let log = '';
  beforeAll(async () => {
    said = '';
    const writeLog = (lines: string) => {
      log += lines;
    };
    service = await launch({mode, registry: registry(), explain: true, writeLog});
    statuses = await sendAll();
    for (const broken of BROKEN) {
      for (const answer of await exchange(service.url, broken)) said += answer.body;
    }
  }, 60_000);
  afterAll(() => service.close());

  it('answers them in every way', () => {
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401]));
  });

  it('says nothing secret in an error, a header or a challenge', () => {
    expect(said.length).toBeGreaterThan(10_000);
    expect(secretsIn(said)).toEqual([]);
  });

  it.each(PAGES)('says nothing secret on %s', async (path) => {
    const text = await (await fetch(service.url + path)).text();
    expect(text).not.toBe('');
    expect(secretsIn(text)).toEqual([]);
  });

  it('says nothing secret in its log, with explanations', () => {
    expect(log).toContain('why 1003');
    expect(secretsIn(log)).toEqual([]);
  });
});

it.each([
  SHARED_KEY,
  PAN,
  Buffer.from(BDK, 'hex').toString('base64'),
  Buffer.from(BDK, 'hex').join(),
  signBasic('A', PARTNER_KEY),
])('the canary is found in %s', (text) => {
  expect(secretsIn(`x${text}x`)).not.toEqual([]);
});

/** The secrets of which a form stands in `text`: as it is, in hex, in base64, as a list of bytes. */
function secretsIn(text: string): string[] {
  const plain = text.toLowerCase();
  const payload = SWIPE.devicePayload.slice(0, 60);
  const secrets = [PARTNER_KEY, SHARED_KEY, PAN, VISA, TRACK, payload, ...rightResponses];
  const bytes = [Buffer.from(BDK, 'hex'), ...secrets.map((secret) => Buffer.from(secret))];
  return [BDK, ...secrets].filter((secret, i) =>
    [secret, ...formsOf(bytes[i] ?? Buffer.alloc(0))].some((form) =>
      plain.includes(form.toLowerCase()),
    ),
  );
}

function formsOf(bytes: Buffer): string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [bytes.toString('hex'), bytes.join(), ...base64];
}
