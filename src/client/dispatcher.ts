import type {Socket} from 'node:net';
import type {Dispatcher, Pool} from 'undici';
import {isLoopbackUrl} from '../contract/loopback.js';
import {PaylensError} from '../contract/paylens-error.js';
import {type Connections, networkError} from './exchange.js';

/** How requests reach the endpoint. */
export interface NetworkOptions {
  /** The endpoint; one on this machine is never reached through a proxy. */
  readonly url: string;
  /** Milliseconds for one attempt, from the first byte sent to the last received. */
  readonly timeout: number;
  /** Maximum number of connections. */
  readonly connections?: number | undefined;
}

/**
 * Opens connections, or gets ready to, through the proxy of HTTPS_PROXY or HTTP_PROXY; undici reads
 * NO_PROXY. Throws 9001 for a proxy that does not speak HTTP.
 */
export async function openDispatcher({
  url,
  connections = 1,
  timeout,
}: NetworkOptions): Promise<Connections> {
  const {Agent, buildConnector, EnvHttpProxyAgent, Pool} = await import('undici');
  const factory = (origin: string | URL, {connect, ...options}: Pool.Options) => {
    const open = typeof connect === 'function' ? connect : buildConnector(connect);
    const skipping: typeof open = (to, done) =>
      open(to, (...[error, socket]) => (error ? done(error, null) : done(null, skipped(socket))));
    return new Pool(origin, {...options, connect: skipping});
  };
  const limits = {connections, headersTimeout: timeout, bodyTimeout: timeout, connect: {timeout}};
  if (isLoopbackUrl(url)) return new Agent({...limits, factory});
  const awaited: string[] = [];
  const clientFactory = (proxy: URL, options: object) => {
    const pool = new Pool(proxy, options);
    const connect = pool.connect.bind(pool) as Connect;
    return Object.assign(pool, {connect: throughProxy(proxy.origin, connect, awaited)});
  };
  const [httpProxy, httpsProxy] = [proxyOf('HTTP_PROXY'), proxyOf('HTTPS_PROXY')];
  const options = {...limits, factory, clientFactory, httpProxy, httpsProxy};
  return Object.assign(new EnvHttpProxyAgent(options), {awaitedProxy: () => awaited.at(-1)});
}

type Connect = (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;

/** Connects through a proxy. Throws 9020, which names it, if it is not reached or refuses. */
function throughProxy(proxy: string, connect: Connect, awaited: string[]): Connect {
  return async (options) => {
    awaited.push(proxy);
    const connecting = connect(options).finally(() => awaited.pop());
    const answer = await connecting.catch((error) => Promise.reject(networkError(error, proxy)));
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => {}).destroy();
    throw networkError(undefined, proxy, answer.statusCode);
  };
}

/**
 * undici takes a 100 as a broken connection, but skips any other 1xx as a client must (RFC 9110, 15.2):
 * the status becomes 102 as it is read. What is read after a request was written begins with a head.
 */
function skipped(socket: Socket): Socket {
  const {read, write} = socket;
  let head: string | undefined;
  return Object.assign(socket, {
    write: (...given: Parameters<Socket['write']>) => {
      head = '';
      return write.apply(socket, given);
    },
    read: (size?: number) => {
      const chunk: Uint8Array | null = read.call(socket, size);
      for (let i = 0; chunk && head !== undefined && i < chunk.length; i++) {
        head += String.fromCharCode(chunk[i] ?? 0);
        const isStatus = head.length === 'HTTP/1.1 100'.length;
        if (isStatus && head.endsWith('100')) chunk[i] = '2'.charCodeAt(0);
        if (isStatus && !/1\d\d$/.test(head)) head = undefined;
        else if (head.endsWith('\r\n\r\n')) head = '';
      }
      return chunk;
    },
  });
}

/** The URL in a variable; as in curl, its name in lower case comes first, and `host:port` is HTTP. */
function proxyOf(variable: string): string {
  const text = process.env[variable.toLowerCase()] ?? process.env[variable] ?? '';
  const url = /^[^/]+:\d+\/?$/.test(text) ? `http://${text}` : text;
  if (text === '' || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url;
  // Not repeated: it may hold a password.
  throw new PaylensError(9001, `${variable}: expected host:port or http://host:port`);
}
