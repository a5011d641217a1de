import {signTransparent} from '../auth/methods/transparent.js';
import type {AuthMethod} from '../contract/auth-method.js';
import {type Operation, pathOf, urlBelow} from '../contract/operation.js';
import {PaylensError} from '../contract/paylens-error.js';
import {type Answer, assertPlain, readAnswer} from './answer.js';
import {requiredKeyText, type SenderCredentials} from './credentials.js';
import {chooseChallenge, noDigestChallenge} from './digest-challenge.js';
import {type DigestTerms, signRequest} from './sign-request.js';
import type {HttpAnswer, Transport} from './transport.js';

/** Content of a request without credentials: the members of its body, or the body itself. */
export type RequestContent = Readonly<Record<string, unknown>> | Uint8Array;

export interface SenderOptions {
  readonly baseUrl: string;
  readonly method: AuthMethod;
  readonly credentials: SenderCredentials;
  readonly transport: Transport;
  /** How often to try again when there is no answer, or one of 502, 503 or 504. */
  readonly retries: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A nonce that is never drawn twice. */
  readonly drawNonce: () => string;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A request that was answered. */
export interface Exchange {
  readonly status: number;
  readonly answer: Answer;
  /** From the first byte sent to the last received, of the attempt that was answered. */
  readonly milliseconds: number;
  readonly attempts: number;
  /** Seconds by which our clock is ahead of the server's, as far as its Date header says. */
  readonly skew: number | undefined;
  /** Why the request was refused, as a test server says in `Paylens-Why`. */
  readonly why?: string | undefined;
}

/** Sends requests of one partner by one method. */
export class Sender {
  readonly #options: SenderOptions;
  #challenge: DigestTerms | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /**
   * Signs and sends a request, every attempt with a new nonce. Throws 9020 when no answer
   * comes, 9021 when it is not one of the interface, 9015 when the key of the method is missing.
   */
  async send(operation: Operation, content: RequestContent): Promise<Exchange> {
    const url = urlBelow(this.#options.baseUrl, pathOf(operation));
    const body = this.#bodyOf(content);
    for (let attempts = 1; ; attempts++) {
      const last = attempts > this.#options.retries;
      const tried = await this.#attempt(url, body, last);
      if (tried) {
        return {...tried, answer: readAnswer(tried, url, operation), attempts};
      }
      await this.#options.wait(Math.min(200 * 2 ** (attempts - 1), 5000));
    }
  }

  #bodyOf(content: RequestContent): Uint8Array {
    if (content instanceof Uint8Array) return content;
    const {method, credentials} = this.#options;
    if (method !== 'transparent') return Buffer.from(JSON.stringify(content));
    const key = requiredKeyText(credentials.partnerKey, 'partnerKey');
    const signed = {...signTransparent(credentials.partnerId, key), ...content};
    return Buffer.from(JSON.stringify(signed));
  }

  /** One attempt; undefined if another is worthwhile. */
  async #attempt(
    url: string,
    body: Uint8Array,
    last: boolean,
  ): Promise<(HttpAnswer & Pick<Exchange, 'milliseconds' | 'skew' | 'why'>) | undefined> {
    try {
      const answer = await this.#exchange(url, body);
      return !last && WORTH_ANOTHER.has(answer.status) ? undefined : answer;
    } catch (error) {
      if (last || !(error instanceof PaylensError) || error.code !== 9020) throw error;
      return undefined;
    }
  }

  async #exchange(url: string, body: Uint8Array) {
    const first = await this.#timed(url, body);
    if (this.#options.method !== 'digest' || first.status !== 401) return first;
    // The nonce may have expired: the refusal contains a new one.
    const renewed = this.#takeChallenge(first);
    return renewed ? this.#timed(url, body) : first;
  }

  async #timed(url: string, body: Uint8Array) {
    const authorization = await this.#authorize(url, body);
    const {transport, now} = this.#options;
    const start = performance.now();
    const answer = await transport.post({url, body, authorization});
    const milliseconds = performance.now() - start;
    const date = Date.parse(answer.header('date')[0] ?? '');
    const skew = Number.isNaN(date) ? undefined : Math.round((now() - date) / 1000);
    return {...answer, milliseconds, skew, why: answer.header('paylens-why')[0]};
  }

  async #authorize(url: string, body: Uint8Array): Promise<string | undefined> {
    const {method, credentials, drawNonce, now} = this.#options;
    if (method === 'transparent') return undefined;
    const challenge = method === 'digest' ? await this.#nextChallenge(url) : undefined;
    const terms = {nonce: drawNonce(), timestamp: Math.floor(now() / 1000), challenge};
    return signRequest({method: 'POST', target: url, body}, method, credentials, terms);
  }

  // A Digest client starts with a request without a body and credentials.
  async #nextChallenge(url: string): Promise<DigestTerms> {
    if (!this.#challenge) {
      const refusal = await this.#options.transport.post({url, body: new Uint8Array()});
      assertPlain(refusal, url);
      if (!this.#challenge && !this.#takeChallenge(refusal))
        throw noDigestChallenge(url, refusal.status, refusal.header('www-authenticate'));
    }
    const {nonce = '', algorithm = 'SHA-256', count = 0} = this.#challenge ?? {};
    this.#challenge = {nonce, algorithm, count: count + 1};
    return this.#challenge;
  }

  #takeChallenge({header}: HttpAnswer): boolean {
    const challenge = chooseChallenge(header('www-authenticate'));
    if (!challenge || challenge.nonce === this.#challenge?.nonce) return false;
    this.#challenge = {...challenge, count: 0};
    return true;
  }
}

const WORTH_ANOTHER = new Set([502, 503, 504]);
