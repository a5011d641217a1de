import {PaylensError} from './paylens-error.js';

interface MessageIdSources {
  /** Milliseconds since 1970, UTC. It may step in either direction. */
  readonly now: () => number;
  /** Below DRAWS: drawn at random once per process, distinct among workers. */
  readonly draw: number;
}

/** How many draws there are: five digits of a messageId. */
export const DRAWS = 100_000;

const IDS_PER_SECOND = 100_000;

/**
 * Makes messageIds of 25 digits: `1`, UTC `YYYYMMDDHHMMSS`, the process's draw, a five-digit
 * counter (docs/contract.md#messageid). No id repeats, and none is smaller than an earlier one:
 * when the clock steps back or a second is used up, the ids run on from the last.
 * Throws 1 when `draw` is none.
 */
export function createMessageIds({now, draw}: MessageIdSources): () => string {
  if (!Number.isInteger(draw) || draw < 0 || draw >= DRAWS)
    throw new PaylensError(1, 'the draw of a messageId has five digits');
  let second = 0;
  let count = 0;
  let digits = utcDigits(second);
  const drawn = String(draw).padStart(5, '0');
  return () => {
    const current = Math.floor(now() / 1000);
    count += 1;
    if (current > second || count === IDS_PER_SECOND) {
      second = Math.max(current, second + 1);
      digits = utcDigits(second);
      count = 0;
    }
    return `1${digits}${drawn}${String(count).padStart(5, '0')}`;
  };
}

function utcDigits(second: number): string {
  return new Date(second * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
}
