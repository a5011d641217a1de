import {rootCertificates} from 'node:tls';
import type {Dispatcher} from 'undici';
import {PaylensError} from '../contract/paylens-error.js';

/** How requests reach the endpoint. */
export interface TransportOptions {
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

export interface HttpRequest {
  readonly url: string;
  readonly body: Uint8Array;
  readonly authorization?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  /** The values of a header, by its name in lower case. */
  readonly header: (name: string) => readonly string[];
}

/** Sends POST requests with JSON over kept connections. */
export interface Transport {
  /** Throws 9020 when no whole answer came in time. */
  readonly post: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/** Opens a transport. Throws 9001 for a proxy URL that is none. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const undici = await import('undici');
  const dispatcher = dispatcherFor(undici, options);
  return {
    post: async ({url, body, authorization}) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(authorization !== undefined && {authorization}),
      };
      try {
        const signal = AbortSignal.timeout(options.timeout);
        const init = {method: 'POST', headers, body, signal, dispatcher} as const;
        const {statusCode, headers: received, body: stream} = await undici.request(url, init);
        const bytes = new Uint8Array(await stream.arrayBuffer());
        return {status: statusCode, body: bytes, header: (name) => [received[name] ?? []].flat()};
      } catch (error) {
        throw networkError(error, options.timeout);
      }
    },
    close: () => dispatcher.close(),
  };
}

function dispatcherFor(
  {Agent, EnvHttpProxyAgent, ProxyAgent}: typeof import('undici'),
  {proxy, ca, connections = 1, timeout, env = {}}: TransportOptions,
): Dispatcher {
  const tls = ca === undefined ? {} : {ca: [...rootCertificates, ca]};
  const limits = {connections, headersTimeout: timeout, bodyTimeout: timeout};
  if (proxy !== undefined)
    return new ProxyAgent({uri: proxyUrl(proxy), requestTls: tls, ...limits});
  const [httpProxy, httpsProxy, noProxy] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] || env[name.toUpperCase()] || undefined,
  );
  const connect = {...tls, timeout};
  if (!httpProxy && !httpsProxy) return new Agent({connect, ...limits});
  return new EnvHttpProxyAgent({
    ...(httpProxy !== undefined && {httpProxy}),
    ...(httpsProxy !== undefined && {httpsProxy}),
    noProxy: noProxy ?? 'localhost,127.0.0.1,::1',
    connect,
    requestTls: tls,
    ...limits,
  });
}

function proxyUrl(text: string): string {
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return text;
  throw new PaylensError(9001, '--proxy: expected an http or https URL');
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the other side broke the connection off',
  UND_ERR_SOCKET: 'the other side broke the connection off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer broke off',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: name it with --ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: name it with --ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified: name its CA with --ca',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

function networkError(error: unknown, timeout: number): PaylensError {
  const {name, code, cause} = error as {name?: string; code?: string; cause?: {code?: string}};
  if (name === 'TimeoutError')
    return new PaylensError(9020, `no answer within ${timeout / 1000} s`, {cause: error});
  const found = String(code ?? cause?.code ?? 'unknown');
  return new PaylensError(9020, REASONS[found] ?? `the system says ${found}`, {cause: error});
}
