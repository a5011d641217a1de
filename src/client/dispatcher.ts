import type {Dispatcher} from 'undici';
import {isLoopbackUrl} from '../contract/loopback.js';

/** How requests reach the endpoint. */
export interface NetworkOptions {
  /** The endpoint; one on this machine is never reached through a proxy. */
  readonly url: string;
  /** Milliseconds for one attempt, from the first byte sent to the last received. */
  readonly timeout: number;
  /** Maximum number of connections. */
  readonly connections?: number | undefined;
}

/** Opens connections, or gets ready to; undici reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export async function openDispatcher({
  url,
  connections = 1,
  timeout,
}: NetworkOptions): Promise<Dispatcher> {
  const {Agent, EnvHttpProxyAgent} = await import('undici');
  const limits = {connections, headersTimeout: timeout, bodyTimeout: timeout, connect: {timeout}};
  return isLoopbackUrl(url) ? new Agent(limits) : new EnvHttpProxyAgent(limits);
}
