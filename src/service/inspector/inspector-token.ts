import {createHash, timingSafeEqual} from 'node:crypto';
import {PaylensError} from '../../contract/paylens-error.js';
import {headerValues} from '../http/request-head.js';

/** After so many wrong tokens, further wrong ones get 503 during a pause. */
const MAX_WRONG_TOKENS = 10;
const PAUSE_MS = 60_000;

/** Checks the token of an inspector that not every user of this machine may open. */
export class InspectorToken {
  readonly #digest: Buffer;
  readonly #elapsed: () => number;
  #wrong = 0;
  #pausedUntil = 0;

  /** `elapsed`: milliseconds of a steady clock. */
  constructor(token: string, elapsed: () => number) {
    this.#digest = digest(token);
    this.#elapsed = elapsed;
  }

  /**
   * Throws 1003 unless a request has the token in an Authorization header (RFC 6750, 2.1), and 2 for
   * a wrong one after too many. The right one is accepted even during the pause: 256 bits cannot be
   * guessed, and wrong tokens must not lock out the user who has it.
   */
  assertSent(rawHeaders: readonly string[]): void {
    const values = headerValues(rawHeaders, 'authorization');
    const [, token] = /^Bearer ([\w-]+)$/.exec(values[0] ?? '') ?? [];
    const isToken = token !== undefined && values.length === 1;
    if (isToken && timingSafeEqual(digest(token), this.#digest)) return;
    if (isToken) this.#countWrong();
    throw new PaylensError(1003, 'open the address of the ready line: it has the token');
  }

  #countWrong(): void {
    const now = this.#elapsed();
    if (now < this.#pausedUntil) throw new PaylensError(2, 'too many wrong tokens');
    this.#wrong += 1;
    if (this.#wrong < MAX_WRONG_TOKENS) return;
    this.#wrong = 0;
    this.#pausedUntil = now + PAUSE_MS;
  }
}

/** Digests have the same length, so that comparing them takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
