import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {waitForClient} from '../../../src/service/http/wait-for-client.js';

/** Longer than a test may take. */
const LONG_MS = 600_000;

async function connected(): Promise<{readonly client: Socket; readonly socket: Socket}> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void client.destroy());
  return {client, socket};
}

test('what waits for a client ends once the client has left', async () => {
  const {client, socket} = await connected();
  const before = socket.listenerCount('close');
  const waits = Array.from({length: 50}, () => waitForClient(LONG_MS, socket));
  expect(socket.listenerCount('close')).toBe(before + 1);
  socket.on('error', () => {}).resume();
  client.resetAndDestroy();
  await Promise.all(waits);
  await waitForClient(LONG_MS, socket);
});

test('otherwise it takes its time', async () => {
  const {socket} = await connected();
  let isOver = false;
  const wait = waitForClient(50, socket).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  await wait;
});
