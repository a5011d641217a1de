import type {RedisCommand} from './redis-link.js';

const KEY = 'paylens:beginning';
/**
 * Shorter than the margin of nonces: a jump of the clock that removes a nonce early removes the
 * beginning as well.
 */
const LIFETIME_MS = 20_000;
/** Longest time for which a nonce without a date must be known. */
const WINDOW_SECONDS = 901;

/**
 * Since when a Redis has forgotten no nonce. The beginning is kept in Redis, with the run id of the
 * server that wrote it: it is missing after a flush, an eviction or a jump of the clock, and of
 * another server after a failover. Then the store begins again.
 */
export class Continuity {
  #beginning: string | undefined;
  /** The latest timestamp that was accepted. */
  #latest = 0;

  /** Requests dated before this second may have been used before. */
  get second(): number {
    return Number(this.#beginning?.split(':')[0]);
  }

  /**
   * Reads the beginning and makes it last; without one the store begins at `now` (milliseconds), and
   * also after a `problem`, unless it was only away and is the same server. Returns whether what was
   * known is lost.
   */
  async check(command: RedisCommand, now: number, problem: 'away' | 'unfit' | undefined) {
    const server = await runId(command);
    const isSuspect = problem === 'unfit';
    const found = await lasting(command);
    const isKnown = this.#beginning !== undefined;
    const isSame = found !== undefined && found.split(':')[1] === server;
    const isCurrent = !isKnown || Number(found?.split(':')[0]) >= this.second;
    if (isSame && isCurrent && !isSuspect) {
      this.#beginning = found;
      return false;
    }
    const isLoss = isKnown || found !== undefined || isSuspect;
    // A request of this second may have been used in it.
    const second = Math.floor(now / 1000) + (isLoss ? 1 : 0);
    this.#beginning = `${Math.max(second, this.#latest + 1)}:${server}:${isLoss ? 'lost' : 'new'}`;
    await command('SET', KEY, this.#beginning, 'PX', LIFETIME_MS);
    return isKnown && !(isSame && isCurrent);
  }

  /** Why a request that seems to be new may have been used before; undefined if it is new. */
  async doubt(command: RedisCommand, timestamp: number | undefined): Promise<string | undefined> {
    const beginning = this.#beginning ?? '';
    if ((await command('GET', KEY)) !== beginning) return 'the replay store has lost its beginning';
    const [, , cause] = beginning.split(':');
    const isLost = cause === 'lost';
    const now = timestamp ?? Date.now() / 1000 - (isLost ? WINDOW_SECONDS : 0);
    if (now < this.second && (isLost || timestamp !== undefined))
      return `the replay store knows requests since ${new Date(1000 * this.second).toISOString()} only: sign this one again`;
    this.#latest = Math.max(this.#latest, timestamp ?? 0);
    return undefined;
  }
}

/** The beginning, which lasts from now on; undefined if there is none. */
async function lasting(command: RedisCommand): Promise<string | undefined> {
  try {
    return textOf(await command('GETEX', KEY, 'PX', LIFETIME_MS));
  } catch {
    // An old Redis, or a user who may only read and write.
    const found = textOf(await command('GET', KEY));
    if (found !== undefined) await command('SET', KEY, found, 'PX', LIFETIME_MS, 'XX');
    return found;
  }
}

function textOf(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined;
}

async function runId(command: RedisCommand): Promise<string> {
  return /^run_id:(\w+)/m.exec(String(await command('INFO', 'server')))?.[1] ?? '';
}
