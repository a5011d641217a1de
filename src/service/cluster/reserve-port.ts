import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {listenError} from '../http/listen-error.js';

/**
 * Returns the port for all workers: `port`, or a free one for 0. Every worker listens on this
 * number, also one that is restarted later. Throws 9020 if the host is not an address of this
 * machine.
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
