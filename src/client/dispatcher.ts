import type {Dispatcher} from 'undici';
import {isLoopbackUrl} from '../contract/loopback.js';
import {PaylensError} from '../contract/paylens-error.js';

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
}: NetworkOptions): Promise<Dispatcher> {
  const {Agent, EnvHttpProxyAgent} = await import('undici');
  const limits = {connections, headersTimeout: timeout, bodyTimeout: timeout, connect: {timeout}};
  if (isLoopbackUrl(url)) return new Agent(limits);
  const [httpProxy, httpsProxy] = [proxyOf('HTTP_PROXY'), proxyOf('HTTPS_PROXY')];
  return new EnvHttpProxyAgent({...limits, httpProxy, httpsProxy});
}

/** The URL in a variable; as in curl, its name in lower case comes first, and `host:port` is HTTP. */
function proxyOf(variable: string): string {
  const text = process.env[variable.toLowerCase()] ?? process.env[variable] ?? '';
  const url = /^[^/]+:\d+\/?$/.test(text) ? `http://${text}` : text;
  if (text === '' || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url;
  // Not repeated: it may hold a password.
  throw new PaylensError(9001, `${variable}: expected host:port or http://host:port`);
}
