import {connect, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {launch} from '../../../src/service/launch.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {tenthOf} from '../../long.js';
import {exchange} from '../raw-http.js';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const ACTS: readonly (readonly [string, (socket: Socket, path: string) => unknown])[] = [
  ['sends half of it', (socket, path) => socket.write(get(path).slice(0, -5))],
  ['sends it byte by byte', (socket, path) => drip(socket, get(path))],
  ['does not read', (socket, path) => socket.pause().write(get(path).repeat(17))],
  ['reads nothing of many', (socket, path) => flood(socket.pause(), get(path).repeat(10))],
];

async function drip(socket: Socket, text: string): Promise<void> {
  for (const character of text) {
    socket.write(character);
    await wait(20);
  }
}

function flood(socket: Socket, text: string): void {
  while (!socket.destroyed && socket.write(text));
  socket.once('drain', () => flood(socket, text));
}

/** Each way to hold the checks with one of them, by the seed; in a long run with both. */
const HELD = ACTS.flatMap(([name, act]) =>
  tenthOf(['/healthz', '/readyz'], (path) => `${name} ${path}`).map(
    (path) => [path, name, act] as const,
  ),
);

test.each(HELD)('%s is answered while clients hold others: each %s', async (path, _name, act) => {
  // No other request may be in progress.
  const service = await launch({mode: 'demo', registry: demoRegistry(), load: {requests: 0}});
  onTestFinished(() => service.close());
  const port = Number(new URL(service.url).port);
  for (let i = 0; i < 30; i++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    void act(socket, path);
  }
  await wait(100);
  const answers = await Promise.all([1, 2, 3].map(() => exchange(service.url, get(path))));
  expect(answers.map(([answer]) => answer?.status)).toEqual([200, 200, 200]);
  expect((await exchange(service.url, get('/openapi.json')))[0]?.status).toBe(503);
});
