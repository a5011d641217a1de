import {PaylensError} from '../contract/paylens-error.js';
import type {ReceivedRequest} from './information/received-requests.js';
import {launch} from './launch.js';
import {DEMO_PARTNER, demoRegistry} from './registry/demo-registry.js';

/** How a test suite wants its server. */
export interface StartServerOptions {
  /**
   * `demo` (default) decrypts with the published test keys; `mock` answers every well-formed request
   * with a test card, whatever encrypted the payload.
   */
  readonly mode?: 'demo' | 'mock';
  /** Default: any free port. */
  readonly port?: number;
  /** The server's clock, in milliseconds since 1970: freeze or step it to test expiry. */
  readonly now?: () => number;
  /** Milliseconds before every answer. */
  readonly latency?: number;
  /**
   * Milliseconds that a client may take for its headers (default 10,000) and for its whole request
   * (default 30,000); then it gets 408.
   */
  readonly timeouts?: {readonly headers: number; readonly request: number};
  /**
   * Names and addresses in the Host header that the server answers to, besides loopback ones
   * (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly allowedHosts?: readonly string[];
  /** How many nonces are held at most, half of them for one partner (default 1,000,000). */
  readonly nonces?: number;
}

/** A server on 127.0.0.1 that a test suite owns. */
export interface TestServer {
  /** Base address: the paths of the interface are relative to it. */
  readonly url: string;
  /** Credentials that every authentication method accepts. */
  readonly partner: typeof DEMO_PARTNER;
  /** What was received so far, oldest first; no payloads, no keys. */
  readonly requests: () => readonly ReceivedRequest[];
  /** Forgets received requests and used nonces. */
  readonly reset: () => void;
  /** Lets requests in flight finish, then closes. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a demo or mock server of the interface. Throws 9001 on another mode or a
 * host that is none, 9020 when the port is
 * taken.
 */
export async function startServer(options: StartServerOptions = {}): Promise<TestServer> {
  const {mode = 'demo', ...rest} = options;
  // Suites written in JavaScript have no compiler to report this.
  if (mode !== 'demo' && mode !== 'mock')
    throw new PaylensError(9001, 'expected mode demo or mock');
  const service = await launch({mode, registry: demoRegistry(), ...rest});
  return {
    url: service.url,
    partner: DEMO_PARTNER,
    requests: () => service.received.list(),
    reset: service.reset,
    close: service.close,
  };
}
