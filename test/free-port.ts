import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:net';

const given = new Set<number>();

/**
 * A port of 127.0.0.1 that nothing listens on, and that this process has not been given before. It is below
 * 32768: from there on the system gives ports to clients, also between this answer and its use.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  if (given.has(port)) return freePort();
  given.add(port);
  const server = createServer();
  const isFree = await new Promise<boolean>((answer) => {
    server.once('error', () => answer(false)).listen(port, '127.0.0.1', () => answer(true));
  });
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}
