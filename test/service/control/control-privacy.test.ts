import fc from 'fast-check';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {hmacHeader} from '../node-signature.js';
import {exchange} from '../raw-http.js';
import {tell} from './control-client.js';

const {partnerId, partnerKey} = DEMO_PARTNER;
const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';
const FORMS = ['json', 'text'] as const;

const services: LaunchedService[] = [];
let log = '';

beforeAll(async () => {
  for (const form of FORMS) {
    const writeLog = (lines: string) => {
      log += lines;
    };
    const options = {mode: 'demo', registry: demoRegistry(), explain: true, writeLog} as const;
    services.push(await launch({...options, logForm: {form, quiet: false}}));
  }
});
afterAll(() => Promise.all(services.map((service) => service.close())));
beforeEach(() => {
  log = '';
});

/** A card number of 12 to 19 digits that satisfies Luhn; published test cards need not. */
const cards = fc
  .array(fc.integer({min: 0, max: 9}), {minLength: 11, maxLength: 18})
  .map((digits) => {
    const number = [4, ...digits.slice(1)];
    const sum = [...number].reverse().reduce((total, digit, i) => {
      const doubled = i % 2 === 0 ? 2 * digit : digit;
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    return `${number.join('')}${(10 - (sum % 10)) % 10}`;
  });
const keys = fc
  .array(fc.integer({min: 0, max: 15}), {minLength: 32, maxLength: 32})
  .map((digits) => digits.map((digit) => digit.toString(16)).join(''));

interface Sent {
  readonly path?: string;
  readonly authorization?: string;
  readonly body?: object;
}

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
const digest = (name: string, value: string) => {
  const values: Record<string, string> = {
    ...{username: partnerId, realm: 'Users', nonce: 'n', uri: PARTNER, response: '0'.repeat(32)},
    [name]: value,
  };
  const list = Object.entries(values).map(([each, text]) => `${each}="${text}"`);
  return `Digest ${list.join(', ')}`;
};
const credentials = {partnerId, partnerKey};

/** Where a caller can put a secret by mistake. */
const PLACES: readonly ((secret: string) => Sent)[] = [
  (secret) => ({body: {partnerId, partnerKey: secret}}),
  (secret) => ({body: {partnerId: secret, partnerKey: secret}}),
  (secret) => ({body: {...credentials, [secret]: secret}}),
  ...['serial', 'firmware', 'clientId'].map((member) => (secret: string) => ({
    path: DEVICE,
    body: {...credentials, serial: 'S', firmware: 'F', [member]: secret},
  })),
  ...['deviceType', 'devicePayload', 'deviceSerial', 'ksn', 'iv', 'clientId'].map(
    (member) => (secret: string) => ({
      path: PARSER,
      body: {...credentials, deviceType: 'generic', devicePayload: '00', [member]: secret},
    }),
  ),
  (secret) => ({authorization: secret}),
  (secret) => ({authorization: `Hmac ${secret}`}),
  (secret) => ({authorization: `${secret} username="x"`}),
  (secret) => ({authorization: `${hmacHeader()}, ${secret}="x"`}),
  (secret) => ({authorization: hmacHeader({partnerId: secret})}),
  (secret) => ({authorization: hmacHeader().replace(/response="\w+/, `response="${secret}`)}),
  (secret) => ({authorization: hmacHeader().replace(/timestamp=\d+/, `timestamp=${secret}`)}),
  (secret) => ({authorization: basic(`${partnerId}:${secret}`)}),
  (secret) => ({authorization: basic(`${secret}:${partnerKey}`)}),
  (secret) => ({authorization: basic(secret)}),
  ...['username', 'realm', 'nonce', 'uri', 'response'].map((name) => (secret: string) => ({
    authorization: digest(name, secret),
  })),
];

/** Everything that the service says about a request besides its answer. */
async function saidOf(service: LaunchedService, sent: Sent): Promise<string> {
  const {path = PARTNER, authorization, body = {}} = sent;
  const headers = {
    'content-type': 'application/json',
    ...(authorization !== undefined && {authorization}),
  };
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await response.text();
  const {body: requests} = await tell(service.url, 'GET /_requests');
  await tell(service.url, 'POST /_reset');
  service.log.flush();
  const said = `${response.headers.get('paylens-why')}\n${JSON.stringify(requests)}\n${log}`;
  log = '';
  return said;
}

describe('what the service says about a request', () => {
  test.each(FORMS.map((form, i) => [form, i] as const))(
    'holds no card and no key, wherever they were put (log: %s)',
    async (_, index) => {
      const service = services[index];
      if (!service) throw new Error('no service');
      let tried = 0;
      await fc.assert(
        fc.asyncProperty(cards, keys, fc.nat(PLACES.length - 1), async (card, key, place) => {
          for (const secret of [card, key]) {
            const sent = PLACES[place]?.(secret) ?? {};
            expect(await saidOf(service, sent)).not.toContain(secret);
            tried += 1;
          }
        }),
        {
          numRuns: 150,
          seed: 11,
          examples: PLACES.map((_place, i) => ['4111111111111111', 'ab'.repeat(16), i]),
        },
      );
      expect(tried).toBeGreaterThanOrEqual(300);
    },
  );

  test.each(['deviceSerial', 'clientId', 'ksn'])(
    'holds no digits in %s that could be a card without Luhn',
    async (member) => {
      const [service] = services;
      if (!service) throw new Error('no service');
      const read = {...credentials, deviceType: 'generic', devicePayload: '00'};
      for (const card of ['4266841088889999', '4266 8410 8888 9999']) {
        const said = await saidOf(service, {path: PARSER, body: {...read, [member]: card}});
        expect(said).not.toContain(card);
      }
      const ksn = '62994901190000000003';
      expect(await saidOf(service, {path: PARSER, body: {...read, ksn}})).toContain(
        `"ksn":"${ksn}"`,
      );
    },
  );

  test('and an answer that waits hides a card number that it is for', async () => {
    const [service] = services;
    const url = service?.url ?? '';
    const match = {reference: 'order 4111111111111111', serial: '4111111111111111'};
    await tell(url, 'POST /_answers', {match, answer: {card: 'visa'}});
    const {body} = await tell(url, 'GET /_answers');
    expect(JSON.stringify(body)).not.toContain('4111111111111111');
    await tell(url, 'POST /_reset');
  });
});

describe('Paylens-Why', () => {
  test.each([
    [
      'line ends in a reference',
      {body: {...credentials, reference: 'error:2601\r\nX-Own: 1\u0000'}},
    ],
    ['line ends in a name', {body: {...credentials, 'a\r\nX-Own: 1': 1}}],
    ['other scripts', {body: {...credentials, reference: '\u00e9\u4e2d\u{1f600}'.repeat(30)}}],
    ['a long username', {authorization: hmacHeader({partnerId: 'x'.repeat(128)})}],
    ['Latin-1 in a header', {authorization: `Hmac \u00e9="\u00ff", ${'y'.repeat(3000)}`}],
    ['a tab in a header', {authorization: 'Hmac\tusername="\t"'}],
  ] as readonly (readonly [string, Sent])[])('is one line of ASCII: %s', async (_, sent) => {
    const text = JSON.stringify(sent.body ?? {});
    const head = [
      `POST ${PARTNER} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      ...(sent.authorization === undefined ? [] : [`Authorization: ${sent.authorization}`]),
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    const request = Buffer.concat([
      Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
      Buffer.from(text),
    ]);
    const [answer] = await exchange(services[0]?.url ?? '', request);
    expect([...(answer?.headers.keys() ?? [])]).not.toContain('x-own');
    const why = answer?.headers.get('paylens-why');
    if (answer?.status === 200) expect(why).toBeUndefined();
    else expect(why?.[0]).toMatch(/^[\x20-\x7e]{1,200}$/);
  });

  test('never comes in real mode', async () => {
    const real = await launch({mode: 'real', registry: demoRegistry(), explain: true});
    const headers = {'content-type': 'application/json', authorization: hmacHeader({key: 'x'})};
    const response = await fetch(real.url + PARTNER, {method: 'POST', headers, body: '{}'});
    await real.close();
    expect([response.status, response.headers.get('paylens-why')]).toEqual([401, null]);
  });
});
