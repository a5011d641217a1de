import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {wrongSignatures} from '../../auth/explain/wrong-signatures.js';

const PATH = '/api/v1/partner/validate';
const BODY = '{"reference": "r"}\n';
const now = Math.floor(Date.now() / 1000);
const madeFor = (host: string) =>
  wrongSignatures({...DEMO_PARTNER, target: PATH, host, body: BODY, now});
const WRONG = madeFor('any');

let service: LaunchedService;
const lines: string[] = [];

beforeAll(async () => {
  const writeLog = (text: string) => lines.push(...text.split('\n').filter(Boolean));
  service = await launch({mode: 'demo', registry: demoRegistry(), explain: true, writeLog});
});
afterAll(() => service.close());

async function send(authorization: string) {
  const headers = {'content-type': 'application/json', authorization};
  const url = service.url + PATH;
  const response = await fetch(url, {method: 'POST', headers, body: BODY});
  return {status: response.status, ...((await response.json()) as {messageId: string})};
}

function why(messageId: string) {
  return lines
    .flatMap((line) => line.split('\n'))
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .find((entry) => entry.msg === 'why 1003' && entry.messageId === messageId);
}

describe('serve --explain names the mistake in a wrong signature:', () => {
  test.each(WRONG.map(({name}) => name))('%s', async (name) => {
    const wrong = madeFor(new URL(service.url).host).find((each) => each.name === name);
    const {authorization = '', explanation = 'none'} = wrong ?? {};
    const {status, messageId} = await send(authorization);
    expect(status).toBe(401);
    expect(why(messageId).faults.join('; ')).toContain(explanation);
  });

  test('at least twenty kinds of them', () => {
    expect(new Set(WRONG.map(({explanation}) => explanation)).size).toBeGreaterThan(60);
  });
});
