import {execFile} from 'node:child_process';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, it} from 'vitest';
import type {RequestDetail} from '../../src/contract/control/inspected-request.js';
import {COPY_FORMS, harOf, signedCurl} from '../../src/export/copy-forms.js';

const received: string[] = [];
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.end('{}');
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const TARGETS = [
  '/api/v1/partner/validate?a=[1-3]&b={x,y}',
  '/api/v1/partner/validate?filter[id]=1',
  '/api/v1/./partner/../partner/validate',
  '/api/v1/partner/validate?a=1',
];

it.each(TARGETS)(
  'the copied and the signed curl command send %s once, as it is',
  async (target) => {
    const about = {method: 'POST', headers: [], body: '{}', isMasked: false};
    const copied = COPY_FORMS.curl({...about, url: origin + target});
    const authorization = 'HMAC username="WATERFORD"';
    const signed = signedCurl({url: origin + target, authorization, body: Buffer.from('{}')});
    for (const command of [copied, signed]) {
      received.length = 0;
      await promisify(execFile)('bash', ['-c', command]);
      expect(received).toEqual([`POST ${target}`]);
    }
  },
);

it('a HAR has the address of a request that came through a proxy', () => {
  const request = {time: '2026-01-01T00:00:00.000Z', method: 'POST', status: 200, ms: 1};
  const urls = ['http://127.0.0.1:8090/api/v1/partner/validate', '/api/v1/partner/validate'].map(
    (target) => {
      const detail = {request: {...request, target}} as unknown as RequestDetail;
      const {log} = JSON.parse(harOf([detail], '0.1.0', 'http://127.0.0.1:8090'));
      return log.entries[0].request.url;
    },
  );
  expect(new Set(urls)).toEqual(new Set(['http://127.0.0.1:8090/api/v1/partner/validate']));
});
