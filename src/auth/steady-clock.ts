/** Time for the freshness of requests and for the lifetime of nonces, in milliseconds. */
export interface SteadyClock {
  /**
   * Milliseconds since 1970. Never goes back: the clock stops until the system clock catches up.
   */
  now(): number;
  /** Starts at 0 and runs at most as fast as `now` and as real time. */
  elapsed(): number;
}

/**
 * Makes a clock that steps of the system clock cannot turn back. When the lifetime of a nonce is
 * over by `elapsed`, `now` no longer accepts its timestamp, however the system clock was set
 * meanwhile. `wall` is the system clock, `monotonic` one that is never set.
 */
export function createSteadyClock(wall: () => number, monotonic: () => number): SteadyClock {
  let latest = wall();
  let real = monotonic();
  let elapsed = 0;
  const advance = () => {
    const [nextWall, nextReal] = [Math.max(latest, wall()), monotonic()];
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
  };
}
