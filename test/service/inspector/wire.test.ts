import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {RequestDetail, WireMessage} from '../../../src/contract/control/inspected-request.js';
import {harOf} from '../../../src/export/copy-forms.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {hmacHeader} from '../node-signature.js';
import {act, detailOf, rowsOf, TOKEN} from './inspector-client.js';

const PARTNER = '/api/v1/partner/validate';
const PARSER = '/api/v1/decrypt/parser';
const {partnerId, partnerKey} = DEMO_PARTNER;
const {devicePayload} = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
const PAN = '4266841088889999';

let services: Readonly<Record<'demo' | 'mock' | 'real', LaunchedService>>;

beforeAll(async () => {
  const start = (mode: 'demo' | 'mock' | 'real') =>
    launch({mode, registry: demoRegistry(), ...(mode === 'real' && {inspectorToken: TOKEN})});
  const [demo, mock, real] = await Promise.all([start('demo'), start('mock'), start('real')]);
  services = {demo, mock, real};
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.close())));

/** The bytes of a request in Latin-1, whose connection ends with it. */
function written(method: string, target: string, lines: readonly string[], body: string): string {
  const own = ['Host: localhost', 'Content-Type: application/json', 'Connection: close', ...lines];
  const length = `Content-Length: ${body.length}`;
  return `${method} ${target} HTTP/1.1\r\n${[...own, length].join('\r\n')}\r\n\r\n${body}`;
}

/** Everything that a socket receives for these bytes, in Latin-1. */
async function received(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.setEncoding('latin1').on('error', () => {});
  socket.write(sent, 'latin1');
  if (sent.includes('fault:timeout')) setTimeout(() => socket.destroy(), 200);
  return text(socket).catch(() => '');
}

const call = (members: object) => JSON.stringify({partnerId, partnerKey, ...members});
const read = (members: object = {}) => call({deviceType: 'idtech', devicePayload, ...members});
const post = (body: string, target = PARSER, lines: string[] = []) =>
  written('POST', target, lines, body);

const FAULTS = ['500', 'malformed', 'truncated', 'drop', 'reset', 'timeout'];
const REQUESTS: Readonly<Record<string, () => string>> = {
  'a partner': () => post(call({reference: 'caf\u00c3\u00a9'}), PARTNER),
  'a device': () => post(call({serial: 'DEMO0001'}), '/api/v1/device/validate'),
  'a device without its version': () => post(call({serial: 'nobody'}), '/api/device/validate'),
  'a read': () => post(read()),
  'a read with another card': () => post(read({reference: 'card:amex'})),
  'a requested error': () => post(read({reference: 'error:2601'})),
  ...Object.fromEntries(
    FAULTS.map((fault) => [`the fault ${fault}`, () => post(read({reference: `fault:${fault}`}))]),
  ),
  'a damaged read': () => post(read({devicePayload: devicePayload.slice(0, 101)})),
  'a clear card in TLV': () =>
    post(call({deviceType: 'miura', devicePayload: 'E10B5A0841111111111111119F3501'})),
  'a wrong signature': () => post('{}', PARTNER, [`Authorization: ${hmacHeader({body: 'x'})}`]),
  'a right signature': () => post('{}', PARTNER, [`Authorization: ${hmacHeader({body: '{}'})}`]),
  'no credentials': () => post('{}'),
  'a body that is no UTF-8': () => post('{"reference":"\u00ff\u00fe"}', PARTNER),
  'cut JSON': () => post(read().slice(0, 200)),
  'another type': () => post('{}').replace('application/json', 'text/plain'),
  'another method': () => written('PUT', PARSER, [], ''),
  HEAD: () => written('HEAD', PARSER, [], ''),
  'another path': () => post('{}', '/api/v1/nowhere'),
  'another host': () => post('{}').replace('localhost', 'evil.example'),
};

/** A message as its bytes in Latin-1, what is hidden in its body restored. */
function bytesOf({line, headers, body, bodyBase64, hidden = []}: WireMessage): string {
  let shown =
    bodyBase64 === undefined ? (body ?? '') : Buffer.from(bodyBase64, 'base64').toString('latin1');
  for (const [at, stars, clear] of hidden.toReversed()) {
    expect(shown.slice(at, at + stars)).toBe('*'.repeat(stars));
    shown = shown.slice(0, at) + clear + shown.slice(at + stars);
  }
  const bytes = bodyBase64 === undefined ? Buffer.from(shown).toString('latin1') : shown;
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return line === '' ? bytes : `${head}\r\n\r\n${bytes}`;
}

/** Whether two texts are the same but for asterisks in the first. */
function isMasked(shown: string, clear: string): boolean {
  return (
    shown.length === clear.length &&
    [...shown].every((character, i) => character === clear[i] || character === '*')
  );
}

async function exchanged(mode: keyof typeof services, sent: string) {
  const {url} = services[mode];
  const token = mode === 'real' ? TOKEN : '';
  await act(url, 'clear', {}, token || undefined);
  const answer = await received(url, sent);
  const row = (await rowsOf(url, 1, token)).at(-1);
  if (!row) throw new Error('no row');
  const {detail} = await detailOf(url, row, token);
  return {answer, detail: detail as RequestDetail};
}

describe.each(['demo', 'mock', 'real'] as const)('in %s mode', (mode) => {
  test.each(Object.keys(REQUESTS))(
    'request and response of %s are what a socket has',
    async (name) => {
      const sent = (REQUESTS[name] as () => string)();
      const {answer, detail} = await exchanged(mode, sent);
      const {line = '', headers = [], response} = detail;
      const isUnread = /^(?:another|HEAD)/.test(name);
      const asked = {...detail, line, headers};
      expect(
        isMasked(bytesOf(asked), isUnread ? sent.replace(/\r\n\r\n.*/s, '\r\n\r\n') : sent),
      ).toBe(true);
      if (answer === '') expect(response).toBeUndefined();
      else expect(response && isMasked(bytesOf(response), answer)).toBe(true);
      if (mode !== 'real' && response) expect(bytesOf(response)).toBe(answer);
      const shown = JSON.stringify({...detail, payload: undefined}).replaceAll(
        /"hidden":\[\[.*?\]\]/g,
        '',
      );
      for (const secret of [PAN, '411111111111', '378282246310005', partnerKey])
        expect(shown).not.toContain(secret);
      if (name.includes('requested') || name.startsWith('the fault'))
        expect(JSON.stringify(detail.error ?? '')).not.toContain('bug');
      if (mode === 'real') expect(JSON.stringify(detail)).not.toContain('"hidden"');
      const [entry] = JSON.parse(harOf([detail], '1', 'http://localhost')).log.entries;
      const [, status = '0'] = / (\d{3}) /.exec(answer) ?? [];
      expect(entry.response.status).toBe(Number(status));
      const {content} = entry.response;
      const inHar = content.encoding
        ? Buffer.from(content.text, content.encoding).toString()
        : content.text;
      expect(inHar).toBe(response?.body ?? '');
      expect(
        isMasked(inHar, Buffer.from(answer.split('\r\n\r\n')[1] ?? '', 'latin1').toString()),
      ).toBe(true);
    },
  );
});
