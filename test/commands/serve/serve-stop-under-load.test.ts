import {connect} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {hmacHeader} from '../../service/node-signature.js';
import {serve} from './serving.js';

const PATH = '/api/v1/partner/validate';
const CLIENTS = 40;

function request(): string {
  const lines = [
    `POST ${PATH} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: ${hmacHeader()}`,
    'Content-Length: 2',
  ];
  return `${lines.join('\r\n')}\r\n\r\n{}`;
}

/** Sends one request after the other over one connection, two at a time, until it is closed. */
function client(url: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    let answers = 0;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('data', (chunk) => {
      received += String(chunk);
      const now = received.split('"messageId"').length - 1;
      if (now - answers < 2) return;
      answers = now;
      if (socket.writable) socket.write(request() + request());
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(request() + request());
  });
}

function messageIds(text: string): string[] {
  return [...text.matchAll(/"messageId":"(1\d{24})"/g)].map(([, id = '']) => id);
}

test('SIGTERM under load loses no request that was accepted', async () => {
  const service = await serve(['--demo', '--latency', '20ms']);
  const clients = Array.from({length: CLIENTS}, () => client(service.url));
  while (service.stderr().split('"msg":"request"').length < 3 * CLIENTS) await wait(20);
  service.kill('SIGTERM');
  const received = await Promise.all(clients);
  const {exitCode} = await service.ended();
  const answered = new Set(received.flatMap(messageIds));
  // Every request that was worked on is in the log.
  const accepted = service.log().filter(({msg}) => msg === 'request');
  const lost = accepted.filter(({messageId}) => !answered.has(String(messageId)));
  expect({exitCode, lost}).toEqual({exitCode: 0, lost: []});
});
