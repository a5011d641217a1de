import type {AuthMethod, SharedKeyEncoding} from '../contract/auth-method.js';
import type {AnswerOrder, QueuedAnswer} from '../contract/control/queued-answer.js';
import type {ReceivedRequest, RequestFilter} from '../contract/control/received-request.js';

// As in TypeScript's own library and in @types/node, so that a suite compiled to ES2022 can write
// `await using` without either.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

/** A partner of a test server. */
export interface TestPartner {
  readonly partnerId: string;
  /** For transparent, Basic and Digest. */
  readonly partnerKey?: string | undefined;
  /** For HMAC. */
  readonly sharedKey?: string | undefined;
  /** How the shared key becomes bytes; default utf8. */
  readonly encoding?: SharedKeyEncoding | undefined;
  /** SPKI in PEM form, for RSA. */
  readonly rsaPublicKey?: string | undefined;
  /** Default: all that its keys allow, but digest-preemptive. */
  readonly methods?: readonly AuthMethod[] | undefined;
}

/** A device of a test server. */
export interface TestDevice {
  /** Default: the first partner. */
  readonly partnerId?: string | undefined;
  readonly serial: string;
  readonly clientId?: string | undefined;
  /** Default: active. */
  readonly status?: 'active' | 'activating' | 'inactive' | 'stored' | undefined;
  /** The versions that are accepted; default: all. */
  readonly firmware?: readonly string[] | undefined;
}

/** A key of a test server. */
export interface TestKey {
  /** In hex. */
  readonly key: string;
  /** Default: bdk; `working` is the cipher key itself, without DUKPT. */
  readonly kind?: 'bdk' | 'ik' | 'working' | undefined;
  /** How the KSNs begin that it serves; default: all. */
  readonly ksnPrefix?: string | undefined;
}

/** How a test suite wants its server. */
export interface StartServerOptions {
  /**
   * `demo` (default) decrypts with the published test keys; `mock` answers every well-formed request
   * with a test card, whatever encrypted the payload.
   */
  readonly mode?: 'demo' | 'mock' | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** In place of the demo partner. */
  readonly partners?: readonly TestPartner[] | undefined;
  /** In place of the demo devices. */
  readonly devices?: readonly TestDevice[] | undefined;
  /** Tried before the published test keys; demo only. */
  readonly keys?: readonly TestKey[] | undefined;
  /** Says why requests are refused: in the header `Paylens-Why`, and in `why` of `requests()`. */
  readonly explain?: boolean | undefined;
  /** Refuses what the interface does not promise. */
  readonly strict?: boolean | undefined;
  /** Also takes the types of terminal that paylens reads beyond the interface. */
  readonly extended?: boolean | undefined;
  /** The share of requests that fail with status 500: `0.05` or `'5%'`. */
  readonly fail?: number | string | undefined;
  /** The server's clock, in milliseconds since 1970: freeze or step it to test expiry. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds before every answer. */
  readonly latency?: number | undefined;
  /**
   * Milliseconds that a client may take for its headers (default 10,000) and for its whole request
   * (default 30,000); then it gets 408.
   */
  readonly timeouts?: {readonly headers: number; readonly request: number} | undefined;
  /**
   * Names and addresses in the Host header that the server answers to, besides loopback ones
   * (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Maximum number of nonces stored, half of them for one partner (default 1,000,000). */
  readonly nonces?: number | undefined;
}

/** A server on 127.0.0.1 that a test suite owns. */
export interface TestServer extends AsyncDisposable {
  /** Base address: the paths of the interface are relative to it. */
  readonly url: string;
  /** The first partner; the one of demo and mock has a key for every authentication method. */
  readonly partner: {
    readonly partnerId: string;
    readonly partnerKey: string;
    readonly sharedKey: string;
  };
  /** What was received so far, oldest first; no payloads, no keys. */
  readonly requests: (filter?: RequestFilter) => readonly ReceivedRequest[];
  readonly forgetRequests: () => void;
  /** Queues an answer for requests to come; returns its id. Throws 2005 when it is none. */
  readonly answer: (order: AnswerOrder) => string;
  /** The answers that still wait. */
  readonly answers: () => readonly QueuedAnswer[];
  /** Removes an answer, or all; false: there is none with this id. */
  readonly removeAnswers: (id?: string) => boolean;
  /** Forgets received requests, queued answers and used nonces. */
  readonly reset: () => void;
  /** Lets requests in flight finish, then closes; so does the end of an `await using`. */
  readonly close: () => Promise<void>;
}
