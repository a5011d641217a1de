import type {Turn} from './turn.js';

/** Load limits of a service; requests beyond them are rejected. */
export interface LoadLimits {
  /**
   * Milliseconds of work on requests that came in together: those still left then get 503, so that
   * nobody waits much longer than this.
   */
  readonly turn: number;
  /** Requests being worked on, which may wait for a replay store; more get 503. */
  readonly requests: number;
  /** Connections; more are closed at once. */
  readonly connections: number;
  /** Milliseconds without progress after which a client that does not take its answer is cut off. */
  readonly silence: number;
  /** Bytes of answers that clients have not taken: of one connection, and of all together. */
  readonly waitingEach: number;
  readonly waiting: number;
  /** Bytes of the bodies that are under way, those below 8 KiB aside; for more there is 503. */
  readonly bodies: number;
}

const MIB = 1024 * 1024;

/** With all of them at their limits a process stays below 300 MiB. */
export const LOAD_LIMITS: LoadLimits = {
  turn: 1000,
  requests: 2000,
  connections: 4096,
  silence: 10_000,
  waitingEach: 4 * MIB,
  waiting: 32 * MIB,
  bodies: 64 * MIB,
};

/** A TLS connection holds some 50 KiB more than a plain one. */
const TLS_CONNECTIONS = 2048;

/** The limits of a service: those that are set, else the defaults. */
export function loadLimits(set: Partial<LoadLimits>, hasTls: boolean): LoadLimits {
  return {...LOAD_LIMITS, ...(hasTls ? {connections: TLS_CONNECTIONS} : {}), ...set};
}

/**
 * The bounded queue of a service. One process works on one request after the other, so what waits is
 * what came in the same turn, and what waits for the replay store.
 */
export class Workload {
  readonly #limits: LoadLimits;
  readonly #turn: Turn;
  #requests = 0;
  #pages = 0;

  constructor(limits: LoadLimits, turn: Turn) {
    this.#limits = limits;
    this.#turn = turn;
  }

  /** Accepts a request, unless the service is at its limits; `now` is from a monotonic clock. */
  begin(now: number): boolean {
    if (this.#turn.age(now) > this.#limits.turn) return false;
    if (this.#requests >= this.#limits.requests) return false;
    this.#requests += 1;
    return true;
  }

  /** Marks an accepted request as finished. */
  end(): void {
    this.#requests -= 1;
  }

  /** Accepts a request for a page; these take up half of the room, the rest is for operations. */
  beginPage(now: number): boolean {
    if (this.#pages >= this.#limits.requests / 2 || !this.begin(now)) return false;
    this.#pages += 1;
    return true;
  }

  /** Marks an accepted request for a page as finished. */
  endPage(): void {
    this.#pages -= 1;
    this.end();
  }
}
