import {STATUS_CODES} from 'node:http';
import type {Socket} from 'node:net';
import type {buildConnector, Dispatcher, Pool} from 'undici';
import {isLoopbackUrl} from '../contract/loopback.js';
import {PaylensError} from '../contract/paylens-error.js';
import {type Connections, proxyError} from './exchange.js';

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
  const undici = await import('undici');
  const factory = (origin: string | URL, options: Pool.Options) => {
    const {connect: given} = options;
    const open = typeof given === 'function' ? given : undici.buildConnector(given);
    const connect: buildConnector.connector = (to, done) =>
      open(to, (...[error, socket]) =>
        error ? done(error, null) : done(null, skipContinue(socket)),
      );
    return new undici.Pool(origin, {...options, connect});
  };
  const limits = {connections, headersTimeout: timeout, bodyTimeout: timeout, connect: {timeout}};
  if (isLoopbackUrl(url)) return new undici.Agent({...limits, factory});
  const awaited: string[] = [];
  const clientFactory = (proxy: URL, options: object) => {
    const pool = new undici.Pool(proxy, options);
    const connect = pool.connect.bind(pool) as Connect;
    return Object.assign(pool, {connect: throughProxy(proxy.origin, connect, awaited)});
  };
  const [httpProxy, httpsProxy] = [proxyOf('HTTP_PROXY'), proxyOf('HTTPS_PROXY')];
  const options = {...limits, factory, clientFactory, httpProxy, httpsProxy};
  return Object.assign(new undici.EnvHttpProxyAgent(options), {awaitedProxy: () => awaited.at(-1)});
}

/**
 * undici takes a 100 as a broken connection, but skips any other 1xx as a client must (RFC 9110, 15.2):
 * the status becomes 102 as it is read. What is read after a request was written begins with a head.
 */
function skipContinue(socket: Socket): Socket {
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
        const status = head.length === STATUS_END ? head.slice(-3) : undefined;
        if (status === '100') chunk[i] = '2'.charCodeAt(0);
        if (status !== undefined && !status.startsWith('1')) head = undefined;
        else if (head.endsWith('\r\n\r\n')) head = '';
      }
      return chunk;
    },
  });
}

const STATUS_END = 'HTTP/1.1 100'.length;

type Connect = (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;

/** Connects through a proxy. Throws 9020, which names it, if it is not reached or refuses. */
function throughProxy(proxy: string, connect: Connect, awaited: string[]): Connect {
  return async (options) => {
    awaited.push(proxy);
    try {
      const answer = await connect(options);
      const {statusCode, socket} = answer;
      if (statusCode === 200) return answer;
      socket.on('error', () => {}).destroy();
      const reason = `HTTP ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trimEnd();
      throw proxyError(proxy, undefined, reason, statusCode === 407 ? LOGIN_HINT : REFUSAL_HINT);
    } catch (error) {
      if (error instanceof PaylensError) throw error;
      throw proxyError(proxy, error);
    } finally {
      awaited.pop();
    }
  };
}

const LOGIN_HINT =
  'Give the name and password for the proxy: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, or HTTP_PROXY.';
const REFUSAL_HINT =
  'Ask those who run the proxy to allow the host and its port, or add the host to NO_PROXY.';

/** The URL in a variable; as in curl, its name in lower case comes first, and `host:port` is HTTP. */
function proxyOf(variable: string): string {
  const text = process.env[variable.toLowerCase()] ?? process.env[variable] ?? '';
  const url = /^[^/]+:\d+\/?$/.test(text) ? `http://${text}` : text;
  if (text === '' || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url;
  // Not repeated: it may hold a password.
  throw new PaylensError(9001, `${variable}: expected host:port or http://host:port`);
}
