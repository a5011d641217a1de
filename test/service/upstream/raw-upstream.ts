import {once} from 'node:events';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import type {LaunchOptions} from '../../../src/service/launch-options.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';

/** An endpoint that is only a socket: it keeps the bytes of each connection and answers by `answer`. */
export async function rawUpstream(answer: (socket: Socket, received: Buffer) => void) {
  const connections: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const chunks: Buffer[] = [];
    connections.push(chunks);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      answer(socket, Buffer.concat(chunks));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    origin: new URL(`http://127.0.0.1:${port}`),
    received: () => connections.map((chunks) => Buffer.concat(chunks).toString('latin1')),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The token of the inspector of every proxy here. */
const TOKEN = 'token-of-the-tests';

/** A service in front of an endpoint, with the demo partner in its keyfile. */
export async function proxyTo(origin: URL, options: Partial<LaunchOptions> = {}) {
  const lines: string[] = [];
  const service: LaunchedService = await launch({
    mode: 'real',
    registry: demoRegistry(),
    upstream: {origin},
    inspectorToken: TOKEN,
    writeLog: (text) => lines.push(...text.split('\n').filter(Boolean)),
    ...options,
  });
  return {...service, log: () => lines.map((line) => JSON.parse(line))};
}

/** Whether a request in text has its whole body, by its Content-Length or its last chunk. */
export function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (/\r\ntransfer-encoding: chunked\r\n/i.test(text)) return text.endsWith('0\r\n\r\n');
  const length = Number(/\r\ncontent-length: *(\d+)\r\n/i.exec(text)?.[1] ?? 0);
  return text.length >= end + 4 + length;
}
