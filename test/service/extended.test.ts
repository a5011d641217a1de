import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {
  FURTHER_TYPES,
  KNOWN_TERMINALS,
  TERMINAL_TYPES,
} from '../../src/engine/families/registry.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {testRing} from '../engine/samples.js';
import {simulate, writerOf} from '../writers.js';

let usual: TestServer;
let extended: TestServer;
let mock: TestServer;

beforeAll(async () => {
  [usual, extended, mock] = await Promise.all([
    startServer(),
    startServer({extended: true}),
    startServer({extended: true, mode: 'mock'}),
  ]);
});
afterAll(() => Promise.all([usual, extended, mock].map((server) => server.close())));

interface Answer {
  readonly errCode?: number;
  readonly errMessage: string;
  readonly meta: {readonly device: string};
}

async function ask(server: TestServer, request: object) {
  const {partnerId, partnerKey} = server.partner;
  const response = await fetch(`${server.url}/api/v1/decrypt/parser`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({partnerId, partnerKey, ...request}),
  });
  return {status: response.status, answer: (await response.json()) as Answer};
}

function payloadOf(deviceType: (typeof TERMINAL_TYPES)[number]) {
  const [mode = 'swiped'] = writerOf(deviceType).modes;
  const card = {pan: '4012888888881881', expiry: '2812', serviceCode: '201', name: 'A/B'};
  const tracks = {
    track1: '%B4012888888881881^A/B^28122010000000000?',
    track2: ';4012888888881881=28122010000000000?',
  };
  const ksn = 'FFFF9876543210E00001';
  return simulate({deviceType, mode, card: {...card, ...tracks}, ksn, keys: testRing()});
}

describe('a terminal beyond the interface', () => {
  test('is there', () => expect(FURTHER_TYPES.length).toBeGreaterThan(0));

  test.each(FURTHER_TYPES)('%s is refused by the service, as any unknown type', async (type) => {
    const [found, unknown] = await Promise.all([
      ask(usual, payloadOf(type)),
      ask(usual, {...payloadOf(type), deviceType: 'no-such-terminal'}),
    ]);
    expect(found).toMatchObject({status: 400, answer: {errCode: 2001}});
    expect(found.answer.errMessage).toBe(unknown.answer.errMessage);
    expect(found.answer.errMessage).toContain(`expected one of ${DEVICE_TYPES.join(', ')}`);
    expect(found.answer.errMessage).not.toContain(type);
  });

  test.each(FURTHER_TYPES)('%s is decrypted by an extended one', async (type) => {
    const found = await ask(extended, payloadOf(type));
    expect(found).toMatchObject({status: 200, answer: {extracted: {PAN: '4012888888881881'}}});
    expect(found.answer.meta.device).toBe(KNOWN_TERMINALS.get(type).manufacturer);
  });

  test.each(FURTHER_TYPES)('%s gets the test card of an extended mock', async (type) => {
    const request = {...payloadOf(type), reference: 'card:amex'};
    const {answer} = await ask(mock, request);
    expect(answer).toMatchObject({success: true, extracted: {PAN: '378282246310005'}});
  });

  test.each(FURTHER_TYPES)('%s has queued answers and a filter of its own', async (deviceType) => {
    extended.reset();
    extended.answer({match: {deviceType}, answer: {error: 2600}});
    expect((await ask(extended, payloadOf('miura'))).status).toBe(200);
    expect((await ask(extended, payloadOf(deviceType))).answer.errCode).toBe(2600);
    expect(extended.requests({deviceType})).toMatchObject([{deviceType, errCode: 2600}]);
  });
});

describe('an extended service', () => {
  test('lists what it takes when a type is none', async () => {
    const {answer} = await ask(extended, {deviceType: 'none', devicePayload: 'AA'});
    expect(answer.errMessage).toContain(`expected one of ${TERMINAL_TYPES.join(', ')}`);
  });

  test('says so in its OpenAPI document and page, and another does not', async () => {
    for (const path of ['/openapi.json', '/docs']) {
      const [plain, more] = await Promise.all(
        [usual, extended].map(async ({url}) => (await fetch(url + path)).text()),
      );
      expect(more).toContain(`Extended: this server also takes`);
      for (const type of FURTHER_TYPES) {
        expect(more).toContain(type);
        expect(plain).not.toContain(type);
      }
    }
  });
});
