import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {listenError} from '../http/listen-error.js';

/**
 * A port for all workers: `port`, or a free one for 0. Each of them listens on it by its number, so
 * that one that is started again later finds it, too. Throws 9020 when the host is none of ours.
 */
export async function reservePort(host: string, port: number): Promise<number> {
  if (port !== 0) return port;
  const server = createServer().listen(0, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
  const {port: free} = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}
