/** A timestamp may be this many seconds old, or ahead (docs/contract.md#replay-protection). */
const WINDOW = 900;

/**
 * Whether a timestamp in seconds can be accepted at `now` in milliseconds. Seconds are whole, so
 * that exactly 15 minutes old lasts through the whole 901st second.
 */
export function isFresh(timestamp: number, now: number): boolean {
  const seconds = Math.floor(now / 1000);
  return seconds - timestamp <= WINDOW && timestamp - seconds <= WINDOW;
}

/**
 * How many milliseconds a nonce claimed at `now` must be stored: until its timestamp (in
 * seconds) can no longer be accepted, and at least 15 minutes.
 */
export function nonceLifetime(timestamp: number, now: number): number {
  return Math.max(timestamp * 1000 - now, 0) + (WINDOW + 1) * 1000;
}
