import {createHash, createHmac, randomUUID} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {wrongSignatures} from '../../auth/explain/wrong-signatures.js';
import {proxyTo, rawUpstream} from './raw-upstream.js';

const PATH = '/api/v1/partner/validate';
const BODY = '{"reference": "r"}\n';
const now = Math.floor(Date.now() / 1000);
const madeFor = (host: string) =>
  wrongSignatures({...DEMO_PARTNER, target: PATH, host, body: BODY, now});

let endpoint: LaunchedService;
let proxy: Awaited<ReturnType<typeof proxyTo>>;

beforeAll(async () => {
  endpoint = await launch({mode: 'demo', registry: demoRegistry()});
  proxy = await proxyTo(new URL(endpoint.url));
});
afterAll(async () => {
  await proxy.close();
  await endpoint.close();
});

/** Signed here, by node:crypto. */
function hmac({
  key = DEMO_PARTNER.sharedKey,
  nonce = randomUUID(),
  timestamp = now,
  body = BODY,
} = {}) {
  const hash = createHash('sha256').update(body).digest('hex');
  const text = `POST ${PATH}\n${nonce}\n${timestamp}\n\n${hash}`;
  const response = createHmac('sha256', key).update(text).digest('hex');
  return `Hmac username="${DEMO_PARTNER.partnerId}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}

async function send(authorization: string, body = BODY, url = proxy.url) {
  const headers = {'content-type': 'application/json', authorization};
  const response = await fetch(url + PATH, {method: 'POST', headers, body});
  return {status: response.status, ...((await response.json()) as {messageId: string})};
}

/** Why a request was refused, as the log has it. */
async function why(messageId: string): Promise<string> {
  const entry = () =>
    proxy.log().find((one) => one.msg === 'why 1003' && one.messageId === messageId);
  await expect.poll(entry).toBeDefined();
  return entry().faults.join('; ');
}

describe('a service in front of an endpoint names why that refused:', () => {
  test.each(madeFor('any').map(({name}) => name))('%s', async (name) => {
    const wrong = madeFor(new URL(proxy.url).host).find((each) => each.name === name);
    const {authorization = '', explanation = 'none'} = wrong ?? {};
    const {status, messageId} = await send(authorization);
    expect(status).toBe(401);
    expect(await why(messageId)).toContain(explanation);
  });

  test('a nonce that went through before', async () => {
    const header = hmac();
    expect((await send(header)).status).toBe(200);
    const {status, messageId} = await send(header);
    expect(status).toBe(401);
    expect(await why(messageId)).toContain('the nonce was already used');
  });
});

describe('of an endpoint that decides for itself it names', () => {
  const answered = async (head: string, body: string, authorization: string, sent = BODY) => {
    const upstream = await rawUpstream((socket) =>
      socket.end(`HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    const other = await proxyTo(upstream.origin);
    try {
      await send(authorization, sent, other.url);
      const entry = () => other.log().find(({msg}) => msg === 'why 1003');
      await expect.poll(entry).toBeDefined();
      return entry().faults.join('; ') as string;
    } finally {
      await other.close();
      upstream.close();
    }
  };

  test('what remains if the signature is right', async () => {
    const said = await answered('401 No', '{"messageId":"1"}', hmac());
    expect(said).toContain(
      'by the keyfile, the credentials are correct: the endpoint has another key',
    );
  });

  test('a key that is missing here, not there', async () => {
    const unknown = hmac().replace(DEMO_PARTNER.partnerId, 'THEIRS');
    expect(await answered('401 No', '{}', unknown)).toBe(
      'unknown username: paylens has no key of this partner',
    );
  });

  test('a timestamp that is old by its clock', async () => {
    const date = new Date((now + 3600) * 1000).toUTCString();
    const said = await answered(`401 No\r\nDate: ${date}`, '{}', hmac());
    expect(said).toMatch(/the timestamp is 36\d\d s old: at most 900 are accepted/);
  });

  test('a wrong signature that it answered with 400', async () => {
    expect(await answered('400 Bad', '{}', hmac({body: BODY.trim()}))).toMatch(/trim/i);
  });

  test('the member of the body that is wrong', async () => {
    const body = '{"reference": 7}';
    expect(await answered('400 Bad', '{"errCode":2005}', hmac({body}), body)).toContain(
      'reference',
    );
  });
});
