import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {testRegistry} from '../../../src/service/test-registry.js';
import {tell} from '../control/control-client.js';
import {digestNonce} from '../digest-client.js';
import {hmacHeader} from '../node-signature.js';
import {act, detailOf, rowsOf} from './inspector-client.js';

const PARTNER = '/api/v1/partner/validate';
const {partnerId, partnerKey} = DEMO_PARTNER;
const rsaKey = createPrivateKey(readFileSync('samples/demo-rsa-key.pem'));

let demo: LaunchedService;

beforeAll(async () => {
  demo = await launch({mode: 'demo', registry: demoRegistry()});
});
afterAll(() => demo.close());
beforeEach(() => tell(demo.url, 'POST /_reset'));

const hashed = (algorithm: string, text: string) =>
  createHash(algorithm).update(text).digest('hex');

function rsaHeader(body: string, key = rsaKey, id: string = partnerId): string {
  const nonce = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const message = `POST ${PARTNER}\n${nonce}\n${timestamp}\n\n${hashed('sha256', body)}`;
  const response = sign('sha256', Buffer.from(message), key).toString('hex');
  return `Rsa username="${id}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}

function preemptiveHeader(): string {
  const ha1 = hashed('md5', `${partnerId}:Users:${partnerKey}`);
  const response = hashed('md5', `${ha1}:own:${hashed('md5', `POST:${PARTNER}`)}`);
  return `Digest username="${partnerId}", realm="Users", nonce="own", uri="${PARTNER}", response="${response}"`;
}

async function challenged(algorithm: 'md5' | 'sha256'): Promise<string> {
  const nonce = await digestNonce(demo);
  const ha1 = hashed(algorithm, `${partnerId}:Users:${partnerKey}`);
  const ha2 = hashed(algorithm, `POST:${PARTNER}`);
  const response = hashed(algorithm, `${ha1}:${nonce}:00000001:c:auth:${ha2}`);
  const name = algorithm === 'md5' ? 'MD5' : 'SHA-256';
  return `Digest username="${partnerId}", realm="Users", uri="${PARTNER}", algorithm=${name}, nonce="${nonce}", nc=00000001, cnonce="c", qop=auth, response="${response}"`;
}

const basic = `Basic ${Buffer.from(`${partnerId}:${partnerKey}`).toString('base64')}`;

async function send(
  authorization: string,
  body = '{}',
  url = demo.url,
  target = PARTNER,
): Promise<number> {
  const headers = {'content-type': 'application/json', authorization};
  return (await fetch(url + target, {method: 'POST', headers, body})).status;
}

async function latest(url = demo.url) {
  const row = (await rowsOf(url, 1)).at(-1);
  if (!row) throw new Error('no row');
  return {row, request: `${row.process}-${row.sequence}`};
}

const METHODS: readonly (readonly [string, RegExp, () => string | Promise<string>])[] = [
  ['hmac', /^Signed by HMAC as partner DEMO\.$/, () => hmacHeader()],
  ['rsa', /^Signed by RSA as partner DEMO\.$/, () => rsaHeader('{}')],
  ['digest', /^Signed by Digest as partner DEMO\.$/, () => challenged('sha256')],
  ['digest', /^Signed by Digest as partner DEMO\.$/, () => challenged('md5')],
  ['digest-preemptive', /^Signed by pre-emptive Digest as partner DEMO\.$/, preemptiveHeader],
  ['basic', /^Basic signs nothing: /, () => basic],
];

describe('edited and sent again', () => {
  test.each(METHODS)('by %s (%s), the method it came with', async (method, said, header) => {
    expect(await send(await header(), '{"reference":"first"}')).toBe(
      method === 'hmac' || method === 'rsa' ? 401 : 200,
    );
    const {row, request} = await latest();
    const {detail} = await detailOf(demo.url, row);
    expect(detail.resigning.text).toMatch(said);
    const edit = {target: `${PARTNER}?edited`, body: '{"reference":"second"}'};
    const {object} = await act(demo.url, 'replay', {request, edit});
    expect(object.status).toBe(200);
    await rowsOf(demo.url, 2);
    const again = (await latest()).row;
    expect(again).toMatchObject({status: 200, reference: 'second', authentication: method});
  });

  test('as it is, when its credentials are in the body', async () => {
    const sent = {partnerId, partnerKey, reference: 'first'};
    const headers = {'content-type': 'application/json'};
    await fetch(demo.url + PARTNER, {method: 'POST', headers, body: JSON.stringify(sent)});
    const {row, request} = await latest();
    const {detail} = await detailOf(demo.url, row);
    expect(detail.resigning).toMatchObject({kind: 'kept'});
    const edit = {target: PARTNER, body: JSON.stringify({...sent, reference: 'second'})};
    expect((await act(demo.url, 'replay', {request, edit})).object.status).toBe(200);
  });

  test.each([
    ['a partner that is unknown', () => hmacHeader({partnerId: 'NOBODY'}), 'no partner NOBODY'],
    [
      'a partner without the key',
      () => hmacHeader({partnerId: 'DEMO-UNSIGNED'}),
      'DEMO-UNSIGNED has no key for HMAC',
    ],
  ])('not for %s: nothing is sent', async (_, header, why) => {
    await send(header());
    const {row, request} = await latest();
    const {detail} = await detailOf(demo.url, row);
    expect(detail.resigning).toMatchObject({
      kind: 'impossible',
      text: expect.stringContaining(why),
    });
    const edit = {target: PARTNER, body: '{}'};
    const {status, object} = await act(demo.url, 'replay', {request, edit});
    expect([status, object.errCode]).toEqual([400, 2005]);
    expect(object.errMessage).toContain(why);
    expect(await rowsOf(demo.url, 1)).toHaveLength(1);
    // As it was it can be sent all the same.
    expect((await act(demo.url, 'replay', {request})).object.status).toBe(401);
  });

  test('not by RSA for a partner whose private key is its own', async () => {
    const own = generateKeyPairSync('rsa', {modulusLength: 2048});
    const registry = testRegistry({
      partners: [
        {
          partnerId: 'OWN',
          partnerKey,
          rsaPublicKey: own.publicKey.export({type: 'spki', format: 'pem'}).toString(),
          methods: ['rsa'],
        },
      ],
    });
    const service = await launch({mode: 'demo', registry});
    expect(await send(rsaHeader('{}', own.privateKey, 'OWN'), '{}', service.url)).toBe(200);
    const {request, row} = await latest(service.url);
    const {detail} = await detailOf(service.url, row);
    const edit = {target: PARTNER, body: '{"reference":"x"}'};
    const {status} = await act(service.url, 'replay', {request, edit});
    const copy = await act(service.url, 'copy', {request});
    await service.close();
    expect(detail.resigning).toMatchObject({kind: 'impossible'});
    expect(detail.resigning.text).toContain('Only the sender has the RSA private key');
    expect(status).toBe(400);
    expect(copy.object.resigning).toEqual(detail.resigning);
  });
});

test('a copy signed by RSA is right by node:crypto', async () => {
  await send(rsaHeader('{}'), '{"reference":"r"}');
  const {request} = await latest();
  const {object} = await act(demo.url, 'copy', {request});
  const header = new Map(object.headers as [string, string][]).get('authorization') ?? '';
  const of = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(header)?.[1] ?? '';
  const content = hashed('sha256', '{"reference":"r"}');
  const message = `POST ${PARTNER}\n${of('nonce')}\n${of('timestamp')}\n\n${content}`;
  const signature = Buffer.from(of('response'), 'hex');
  expect(verify('sha256', Buffer.from(message), createPublicKey(rsaKey), signature)).toBe(true);
});

/** What must not be shown of a target, and where it stands there. */
const SECRETS = [
  's3cr3t-of-mine',
  '4111111111111111',
  '0123456789ABCDEFFEDCBA9876543210',
  'tail-of-it',
];
const [SECRET = '', CARD = '', KEY = '', TAIL = ''] = SECRETS;
const LONG = `&x=${'long'.repeat(300)}`;

describe.each([
  ['a secret', `?access_token=${SECRET}&step=1`],
  ['two secrets of one name', `?token=${SECRET}&token=other-${SECRET}`],
  ['a card number', `?pan=${CARD}`],
  ['a key', `?of=${KEY};step=1`],
  ['a secret that was not encoded', `?access_token=${SECRET}?${TAIL};${TAIL}&step=1`],
  ['a secret behind what is cut off', `?step=1${LONG}&access_token=${SECRET}`],
])('a target with %s', (_, query) => {
  const target = PARTNER + query;
  const sent = async (signed = '{}', body = signed) => {
    const header = hmacHeader({target, body: signed});
    const status = await send(header, body, demo.url, target);
    return {header, status, ...(await latest())};
  };
  const targetOf = async (request: string) => {
    const {object} = await act(demo.url, 'copy', {request});
    return String(object.url).slice(demo.url.length);
  };

  test('is what the steps of its signature go by, and is not shown', async () => {
    const {header, status} = await sent();
    expect(status).toBe(200);
    expect(await send(header, '{}', demo.url, target)).toBe(401);
    await rowsOf(demo.url, 2);
    const {detail} = await detailOf(demo.url, (await latest()).row);
    expect(detail.faults).toEqual([expect.stringContaining('the nonce was already used')]);
    for (const secret of SECRETS) expect(JSON.stringify(detail)).not.toContain(secret);
  });

  test('is what a wrong body is found beside', async () => {
    const {status, row} = await sent('{}', '{}\n');
    expect(status).toBe(401);
    const {detail} = await detailOf(demo.url, row);
    expect(detail.steps).toContainEqual(
      expect.objectContaining({name: 'Body hash', state: 'failed'}),
    );
    for (const secret of SECRETS) expect(JSON.stringify(detail)).not.toContain(secret);
  });

  test('is signed and sent with another body', async () => {
    const {row, request} = await sent();
    for (const secret of SECRETS) expect(row.target).not.toContain(secret);
    const edit = {target: row.target, body: '{"reference":"second"}'};
    expect((await act(demo.url, 'replay', {request, edit})).object.status).toBe(200);
    await rowsOf(demo.url, 2);
    const again = await latest();
    expect(again.row).toMatchObject({reference: 'second', target: row.target});
    expect(await targetOf(again.request)).toBe(target);
  });

  test('keeps what was masked when another part of it is edited', async () => {
    const {row, request} = await sent();
    const edit = {target: row.target.replace('?', '?added=1&'), body: '{}'};
    expect((await act(demo.url, 'replay', {request, edit})).object.status).toBe(200);
    await rowsOf(demo.url, 2);
    const found = await targetOf((await latest()).request);
    expect(found.replace('?added=1&', '?')).toBe(target);
  });
});

test.each(['?', ';'])(
  'nothing of a secret with %s in it is left when it is taken out',
  async (mark) => {
    const target = `${PARTNER}?access_token=${SECRET}${mark}${TAIL}&step=1`;
    await send(hmacHeader({target, body: '{}'}), '{}', demo.url, target);
    const {request} = await latest();
    const edit = {target: `${PARTNER}?step=1`, body: '{}'};
    expect((await act(demo.url, 'replay', {request, edit})).object.status).toBe(200);
    await rowsOf(demo.url, 2);
    expect((await latest()).row.target).toBe(edit.target);
  },
);

test('a secret of a query is not shown in a header either', async () => {
  const headers = {
    'content-type': 'application/json',
    authorization: `Digest username="DEMO", uri="${PARTNER}?access_token=${SECRET}", response="x"`,
    referer: `http://localhost/?access_token=${SECRET}`,
  };
  await fetch(demo.url + PARTNER, {method: 'POST', headers, body: '{}'});
  const {detail} = await detailOf(demo.url, (await latest()).row);
  expect(JSON.stringify(detail.headers)).toMatch(/access_token=\*+"/);
  expect(JSON.stringify(detail)).not.toContain(SECRET);
});
