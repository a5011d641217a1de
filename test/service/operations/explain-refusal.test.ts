import {createHash, createHmac, randomUUID} from 'node:crypto';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';

const PATH = '/api/v1/partner/validate';
const BODY = '{"reference": "r"}\n';

let service: LaunchedService;
let lines: string[] = [];

beforeAll(async () => {
  const writeLog = (text: string) => lines.push(...text.split('\n').filter(Boolean));
  service = await launch({mode: 'demo', registry: demoRegistry(), explain: true, writeLog});
});
afterAll(() => service.close());
beforeEach(() => {
  lines = [];
});

interface Signing {
  readonly body?: string;
  readonly target?: string;
  readonly key?: string | Buffer;
  readonly timestamp?: number;
  readonly nonce?: string;
  readonly end?: string;
  readonly joint?: string;
  readonly upper?: boolean;
}

/** Signed here, by node:crypto: rightly, but for what the case changes. */
function header(signing: Signing = {}): string {
  const {body = BODY, target = PATH, key = DEMO_PARTNER.sharedKey, joint = '\n\n'} = signing;
  const {timestamp = Math.floor(Date.now() / 1000), nonce = randomUUID(), end = '\n'} = signing;
  const hex = createHash('sha256').update(body).digest('hex');
  const content = signing.upper ? hex.toUpperCase() : hex;
  const text = [`POST ${target}`, nonce, String(timestamp)].join(end) + joint + content;
  const response = createHmac('sha256', key).update(text).digest('hex');
  return `Hmac username="${DEMO_PARTNER.partnerId}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}

async function send(authorization: string, body = BODY): Promise<number> {
  const headers = {'content-type': 'application/json', authorization};
  return (await fetch(service.url + PATH, {method: 'POST', headers, body})).status;
}

function explanation() {
  return lines.map((line) => JSON.parse(line)).find(({msg}) => msg === 'why 1003');
}

describe('serve --explain', () => {
  test.each<[string, Signing, RegExp]>([
    ['the body trimmed', {body: BODY.trim()}, /trim/i],
    ['the body re-serialised', {body: JSON.stringify(JSON.parse(BODY))}, /serialis/i],
    ['CRLF', {end: '\r\n', joint: '\r\n\r\n'}, /CR LF/],
    ['the path without its version', {target: '/api/partner/validate'}, /version/i],
    ['the whole URL', {target: 'http://localhost/api/v1/partner/validate'}, /./],
    ['no empty line', {joint: '\n'}, /empty line/i],
    ['an upper-case content hash', {upper: true}, /upper/i],
    [
      'a time of yesterday',
      {timestamp: Math.floor(Date.now() / 1000) - 86_400},
      /the timestamp is 864\d\d s old: at most 900 are accepted/,
    ],
    [
      'a time of tomorrow',
      {timestamp: Math.floor(Date.now() / 1000) + 86_400},
      /the timestamp is 86[34]\d\d s ahead of the clock: at most 900 are accepted/,
    ],
    ['milliseconds', {timestamp: Date.now()}, /millisecond/],
    ['another key', {key: 'no key of anybody'}, /no common mistake explains it/],
  ])('names %s', async (_name, signing, fault) => {
    expect(await send(header(signing))).toBe(401);
    expect(explanation().faults.join('; ')).toMatch(fault);
  });

  test('stays JSON when the skew has the digits of a card number', async () => {
    const now = Math.floor(Date.now() / 1000);
    await send(header({timestamp: now + 4_111_111_111_111_111}));
    await send(header({timestamp: now + 378_282_246_310_005}));
    expect(() => explanation()).not.toThrow();
  });

  test('names a repeated nonce', async () => {
    const authorization = header();
    expect([await send(authorization), await send(authorization)]).toEqual([200, 401]);
    expect(explanation().faults).toEqual([expect.stringContaining('nonce was already used')]);
  });

  test('shows the string to hash with its newlines, the content hash and the skew', async () => {
    await send(header({key: 'x', nonce: 'n-1'}));
    const content = createHash('sha256').update(BODY).digest('hex');
    expect(explanation()).toMatchObject({
      stringToHash: expect.stringMatching(
        new RegExp(`^POST ${PATH}\\nn-1\\n\\d+\\n\\n${content}$`),
      ),
      contentHash: content,
      clockSkew: expect.any(Number),
    });
  });

  test('shows a content hash whole whose digits pass for a card number', async () => {
    const body = '{"partnerId":"demo","reference":"r-84"}';
    // 48809121849614 satisfies Luhn.
    const content = '86a89adf7ce5de48809121849614b20b100d041d2ac249e44cffe5cf0a21af23';
    await send(header({body, key: 'x'}), body);
    expect(explanation()).toMatchObject({
      stringToHash: expect.stringContaining(content),
      contentHash: content,
    });
  });

  test('masks a card number beside the content hash', async () => {
    await send(header({key: 'x', nonce: '4111111111111111'}));
    expect(explanation().stringToHash).toContain('\n411111******1111\n');
  });

  test('never shows the response that would have been right, nor a key', async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const right = /response="(\w+)"/.exec(header({nonce: 'n-2', timestamp}))?.[1] ?? '';
    await send(header({key: 'x', nonce: 'n-2', timestamp}));
    const log = lines.join('');
    expect(right).toHaveLength(64);
    expect([log.includes(right), log.includes(DEMO_PARTNER.sharedKey)]).toEqual([false, false]);
  });

  test('says nothing when the request is right', async () => {
    expect(await send(header())).toBe(200);
    expect(explanation()).toBeUndefined();
  });
});
