import {createHash, timingSafeEqual} from 'node:crypto';
import {PaylensError} from '../../contract/paylens-error.js';
import {headerValues} from '../http/request-head.js';

/** Random secrets of an inspector that not every user of this machine may open. */
export interface InspectorSecrets {
  /** In the ready line; accepted once. */
  readonly token: string;
  /** The value of the cookie that it is exchanged for, valid as long as the process. */
  readonly session: string;
}

/** After so many wrong tokens, further wrong ones get 503 during a pause. */
const MAX_WRONG_TOKENS = 10;
const PAUSE_MS = 60_000;

interface TokenOptions {
  readonly secrets: InspectorSecrets;
  /** Milliseconds of a steady clock. */
  readonly elapsed: () => number;
}

/** Exchanges the single-use token of the ready line for a cookie, and checks the cookie. */
export class InspectorToken {
  readonly #options: TokenOptions;
  readonly #token: Buffer;
  readonly #session: Buffer;
  #isUsed = false;
  #wrong = 0;
  #pausedUntil = 0;

  constructor(options: TokenOptions) {
    this.#options = options;
    this.#token = digest(options.secrets.token);
    this.#session = digest(options.secrets.session);
  }

  /**
   * The value of the cookie. Throws 1003 for a token that is wrong or was used, 2 for a wrong one
   * after too many. The right one is accepted even during the pause: 256 bits cannot be guessed, and
   * wrong tokens must not lock out the user who has it.
   */
  exchange(token: unknown): string {
    const isRight = typeof token === 'string' && timingSafeEqual(digest(token), this.#token);
    if (isRight && !this.#isUsed) {
      this.#isUsed = true;
      return this.#options.secrets.session;
    }
    const now = this.#options.elapsed();
    if (now < this.#pausedUntil) throw new PaylensError(2, 'too many wrong tokens');
    this.#wrong += 1;
    if (this.#wrong >= MAX_WRONG_TOKENS) {
      this.#wrong = 0;
      this.#pausedUntil = now + PAUSE_MS;
    }
    throw new PaylensError(1003, isRight ? 'this token was used already' : '');
  }

  /** Throws 1003 unless a request has the cookie of this process. */
  assertSession(rawHeaders: readonly string[], name: string): void {
    const values = cookieValues(rawHeaders, name);
    const [value = ''] = values;
    if (values.length === 1 && timingSafeEqual(digest(value), this.#session)) return;
    throw new PaylensError(1003, 'open the address of the ready line: it has the token');
  }
}

/** Browsers send the cookies of a host to all its ports, so the name contains the port. */
export function cookieName(port: number): string {
  return `paylens-inspector-${port}`;
}

/** The header that sets the cookie until the browser is closed. */
export function cookieHeader(port: number, value: string, scheme: 'http' | 'https'): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

function cookieValues(rawHeaders: readonly string[], name: string): string[] {
  const pairs = headerValues(rawHeaders, 'cookie').flatMap((value) => value.split(';'));
  const own = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${name}=`));
  return own.map((pair) => pair.slice(name.length + 1));
}

/** Digests have the same length, so that comparing them takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
