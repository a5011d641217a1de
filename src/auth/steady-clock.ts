/** Time for the freshness of requests and for the lifetime of nonces, in milliseconds. */
export interface SteadyClock {
  /** The system clock: milliseconds since 1970. */
  now(): number;
  /** The latest time that the system clock has shown: never goes back. */
  latest(): number;
  /** Starts at 0 and runs with real time, however the system clock is set. */
  elapsed(): number;
  /** How often the system clock was set. */
  readonly jumps: number;
  /** Notes the timestamp (seconds) of a request whose nonce was claimed. */
  noteAccepted(timestamp: number): void;
  /**
   * Whether a request with this timestamp (seconds) may have been accepted before the system clock
   * was set, and its nonce forgotten since.
   */
  mayBeForgotten(timestamp: number): boolean;
}

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
const MAX_EPOCHS = 16;

/**
 * Makes a clock that follows the system clock, and knows which requests a setting of that clock
 * could make acceptable again after their nonces have expired: nonces expire by real time.
 *
 * `wall` is the system clock, `monotonic` one that is never set. `onJump` is called with the seconds
 * by which the system clock was set.
 */
export function createSteadyClock(
  wall: () => number,
  monotonic: () => number,
  onJump: (seconds: number) => void = () => {},
): SteadyClock {
  let latest = wall();
  let jumps = 0;
  const start = monotonic();
  const past: Epoch[] = [];
  let epoch = epochOf(latest - start);
  const advance = () => {
    const now = wall();
    latest = Math.max(latest, now);
    const offset = now - monotonic();
    const jump = offset - epoch.offset;
    if (Math.abs(jump) < MIN_JUMP_MS) return now;
    jumps++;
    if (epoch.first <= epoch.last) remember(past, epoch);
    epoch = epochOf(offset);
    onJump(Math.round(jump / 1000));
    return now;
  };
  return {
    now: advance,
    latest: () => {
      advance();
      return latest;
    },
    elapsed: () => {
      advance();
      return monotonic() - start;
    },
    get jumps() {
      advance();
      return jumps;
    },
    noteAccepted: (timestamp) => {
      epoch.first = Math.min(epoch.first, timestamp);
      epoch.last = Math.max(epoch.last, timestamp);
    },
    mayBeForgotten: (timestamp) =>
      past.some(
        ({offset, first, last}) =>
          timestamp >= first &&
          timestamp <= last &&
          timestamp * 1000 <= monotonic() + offset - MIN_NONCE_LIFETIME_MS,
      ),
  };
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
