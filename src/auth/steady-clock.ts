/** Time for the freshness of requests and for the life of nonces, in milliseconds. */
export interface SteadyClock {
  /**
   * Milliseconds since 1970. Never goes back: the clock stops until the system clock catches up.
   */
  now(): number;
  /** Runs at most as fast as `now` and as the real time, from any beginning. */
  elapsed(): number;
  /** Advances the clock to `time`, which another process that shares the nonces has reached. */
  reach(time: number): void;
}

/**
 * Makes time that the steps of the system's clock cannot turn back. A nonce held for its lifetime
 * by `elapsed` is one whose timestamp `now` no longer accepts, however the clock was set meanwhile.
 * `wall` is the system's clock, `monotonic` one that is never set.
 */
export function createSteadyClock(wall: () => number, monotonic: () => number): SteadyClock {
  let latest = wall();
  let real = monotonic();
  let elapsed = 0;
  const advance = (least = latest) => {
    const [nextWall, nextReal] = [Math.max(latest, least, wall()), monotonic()];
    elapsed += Math.max(0, Math.min(nextWall - latest, nextReal - real));
    latest = nextWall;
    real = nextReal;
  };
  return {
    now: () => {
      advance();
      return latest;
    },
    elapsed: () => {
      advance();
      return elapsed;
    },
    reach: advance,
  };
}
