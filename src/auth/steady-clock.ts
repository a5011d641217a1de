/** The time between two settings of the system clock. */
interface Epoch {
  /** System clock minus real time, in milliseconds. */
  readonly offset: number;
  /** The timestamps of the requests accepted in it, in seconds; infinite if there were none. */
  first: number;
  last: number;
}

/** A smaller difference is the clock being adjusted, which the lifetime of nonces allows for. */
const MIN_JUMP_MS = 1000;
/** A nonce is stored for at least this long, and until its timestamp is this old. */
const MIN_NONCE_LIFETIME_MS = 901_000;
/** Beyond so many, a request between the dates of two may be refused though it was never sent. */
const MAX_EPOCHS = 1024;

/**
 * Time for the freshness of requests and for the lifetime of nonces, in milliseconds. Follows the
 * system clock, and knows which requests a setting of that clock could make acceptable again after
 * their nonces have expired: nonces expire by real time.
 */
export class SteadyClock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  readonly #onJump: (seconds: number) => void;
  readonly #start: number;
  readonly #past: Epoch[] = [];
  #epoch: Epoch;
  #latest: number;
  #jumps = 0;

  /**
   * `wall` is the system clock, `monotonic` one that is never set. `onJump` is called with the seconds
   * by which the system clock was set.
   */
  constructor(
    wall: () => number,
    monotonic: () => number,
    onJump: (seconds: number) => void = () => {},
  ) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#onJump = onJump;
    this.#start = monotonic();
    this.#latest = wall();
    this.#epoch = epochOf(this.#latest - this.#start);
  }

  /** The system clock: milliseconds since 1970. */
  readonly now = (): number => {
    const now = this.#wall();
    this.#latest = Math.max(this.#latest, now);
    const offset = now - this.#monotonic();
    const jump = offset - this.#epoch.offset;
    if (Math.abs(jump) < MIN_JUMP_MS) return now;
    this.#jumps++;
    if (this.#epoch.first <= this.#epoch.last) remember(this.#past, this.#epoch);
    this.#epoch = epochOf(offset);
    this.#onJump(Math.round(jump / 1000));
    return now;
  };

  /** The latest time that the system clock has shown: never goes back. */
  readonly latest = (): number => {
    this.now();
    return this.#latest;
  };

  /** Starts at 0 and runs with real time, however the system clock is set. */
  readonly elapsed = (): number => {
    this.now();
    return this.#monotonic() - this.#start;
  };

  /** How often the system clock was set. */
  get jumps(): number {
    this.now();
    return this.#jumps;
  }

  /** Notes the timestamp (seconds) of a request whose nonce was claimed. */
  noteAccepted(timestamp: number): void {
    this.#epoch.first = Math.min(this.#epoch.first, timestamp);
    this.#epoch.last = Math.max(this.#epoch.last, timestamp);
  }

  /**
   * Whether a request with this timestamp (seconds) may have been accepted before the system clock
   * was set, and its nonce forgotten since.
   */
  mayBeForgotten(timestamp: number): boolean {
    const expired = this.#monotonic() - MIN_NONCE_LIFETIME_MS;
    return this.#past.some(
      ({offset, first, last}) =>
        timestamp >= first && timestamp <= last && timestamp * 1000 <= expired + offset,
    );
  }
}

function epochOf(offset: number): Epoch {
  return {offset, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY};
}

/** Beyond the limit, the two oldest become one that covers both. */
function remember(past: Epoch[], epoch: Epoch): void {
  past.push(epoch);
  if (past.length <= MAX_EPOCHS) return;
  const [one, other] = past.splice(0, 2) as [Epoch, Epoch];
  past.unshift({
    offset: Math.max(one.offset, other.offset),
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
  });
}

/** Real time as far as a clock that is given goes: it stops while that stands or is set back. */
export function progressOf(clock: () => number, monotonic: () => number): () => number {
  let [time, real, progress] = [clock(), monotonic(), 0];
  return () => {
    const [nextTime, nextReal] = [clock(), monotonic()];
    progress += Math.max(0, Math.min(nextTime - time, nextReal - real));
    time = nextTime;
    real = nextReal;
    return progress;
  };
}
