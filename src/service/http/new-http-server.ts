import {createServer, type RequestListener, type Server} from 'node:http';
import {createServer as createTlsServer} from 'node:https';

/** Milliseconds that a client may take to send a request; later it gets 408. */
export interface Timeouts {
  /** Also the timeout of TLS handshakes: slower clients are disconnected. */
  readonly headers: number;
  /** At least as long as `headers`. */
  readonly request: number;
}

/** Headers of a request at most, and their bytes; with more it gets 431. */
export const MAX_HEADERS = 100;
const MAX_HEADER_BYTES = 16 * 1024;
const TIMEOUTS: Timeouts = {headers: 10_000, request: 30_000};

/**
 * Node's options for these limits. All at creation: set later, Node exchanges the two when the limit
 * of the headers is the larger.
 */
export function limitsOf({headers, request}: Timeouts = TIMEOUTS) {
  return {
    headersTimeout: headers,
    handshakeTimeout: headers,
    requestTimeout: request,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(headers / 4)),
    // Node would answer 400 without a body: the check is ours.
    requireHostHeader: false,
  };
}

interface HttpServerOptions {
  readonly timeouts?: Timeouts | undefined;
  /** PEM texts. */
  readonly tls?: {readonly cert: string; readonly key: string} | undefined;
}

/**
 * Longer than the idle timeout of common load balancers: if the server closes first, a request can
 * be lost.
 */
const KEEP_ALIVE_MS = 65_000;
const MAX_REQUESTS_PER_CONNECTION = 10_000;

/** Makes the server of Node that a service runs on, with its limits. */
export function newHttpServer(
  {timeouts, tls}: HttpServerOptions,
  listener: RequestListener,
): Server {
  const limits = {...limitsOf(timeouts), keepAliveTimeout: KEEP_ALIVE_MS};
  const server = tls
    ? createTlsServer({...limits, ...tls}, listener)
    : createServer(limits, listener);
  // Otherwise an HTTP response would wait for a handshake that has failed.
  server.removeAllListeners('tlsClientError').on('tlsClientError', (_error, socket) => {
    socket.destroy();
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  // Node silently drops further ones, even a second Authorization: these requests are refused.
  server.maxHeadersCount = MAX_HEADERS + 1;
  // A client may half-close after its request: the response is still sent.
  return Object.assign(server, {httpAllowHalfOpen: true});
}
