import {rootCertificates} from 'node:tls';
import type {Dispatcher} from 'undici';
import {isLoopbackUrl} from '../contract/loopback.js';
import {PaylensError} from '../contract/paylens-error.js';

/** How requests reach the endpoint. */
export interface NetworkOptions {
  /** The endpoint; one on this machine is never reached through a proxy. */
  readonly url: string;
  /** Milliseconds for one attempt, from the first byte sent to the last received. */
  readonly timeout: number;
  /** Most connections at a time. */
  readonly connections?: number | undefined;
  /** Without it the proxy variables of `env` count. */
  readonly proxy?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** A certificate (PEM) to trust besides those that Node comes with. */
  readonly ca?: string | undefined;
}

/** Opens connections, or gets ready to. Throws 9001 for a proxy URL that is none. */
export async function openDispatcher({
  url,
  proxy,
  ca,
  connections = 1,
  timeout,
  env = {},
}: NetworkOptions): Promise<Dispatcher> {
  const {Agent, EnvHttpProxyAgent, ProxyAgent} = await import('undici');
  const tls = ca === undefined ? {} : {ca: [...rootCertificates, ca]};
  const limits = {connections, headersTimeout: timeout, bodyTimeout: timeout};
  const connect = {...tls, timeout};
  const uri = proxy === undefined ? undefined : proxyUrl(proxy);
  if (isLoopbackUrl(url)) return new Agent({connect, ...limits});
  if (uri !== undefined) return new ProxyAgent({uri, requestTls: tls, ...limits});
  const [httpProxy, httpsProxy, noProxy] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] || env[name.toUpperCase()] || undefined,
  );
  if (!httpProxy && !httpsProxy) return new Agent({connect, ...limits});
  return new EnvHttpProxyAgent({
    ...(httpProxy !== undefined && {httpProxy}),
    ...(httpsProxy !== undefined && {httpsProxy}),
    noProxy: noProxy ?? '',
    connect,
    requestTls: tls,
    ...limits,
  });
}

function proxyUrl(text: string): string {
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return text;
  throw new PaylensError(9001, '--proxy: expected an http or https URL');
}
