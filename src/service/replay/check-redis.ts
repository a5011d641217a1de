import {type RedisCommand, redisErrorCode} from './redis-link.js';

/** Why a Redis cannot be used as a replay store. */
export interface RedisProblem {
  readonly why: string;
  /** Its settings or a clock are wrong. */
  readonly isPermanent: boolean;
}

const MAX_SKEW_MS = 5_000;

/**
 * Checks whether a Redis can store nonces: it accepts writes, evicts nothing, and its clock differs
 * from ours by at most 5 s. `wall` is the system clock in milliseconds. A user who may not ask for the
 * time is trusted with it; one who may not ask for the eviction policy is refused.
 */
export async function checkRedis(
  command: RedisCommand,
  wall: () => number,
): Promise<RedisProblem | undefined> {
  try {
    await command('SET', 'paylens:ready', '1', 'PX', 1000);
    return (await eviction(command)) ?? (await skew(command, wall));
  } catch (error) {
    const why = redisErrorCode(error);
    return {why, isPermanent: ['NOAUTH', 'NOPERM', 'WRONGPASS'].includes(why)};
  }
}

// Each policy but noeviction may drop a nonce that can still be repeated.
async function eviction(command: RedisCommand): Promise<RedisProblem | undefined> {
  const memory = String(await command('INFO', 'memory'));
  const policy = /^maxmemory_policy:([a-z-]+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return undefined;
  return {why: `maxmemory-policy is ${policy}, expected noeviction`, isPermanent: true};
}

async function skew(command: RedisCommand, wall: () => number): Promise<RedisProblem | undefined> {
  const before = wall();
  const time = await command('TIME').catch(() => undefined);
  const [seconds, micros] = Array.isArray(time) ? time.map(Number) : [];
  if (seconds === undefined || micros === undefined) return undefined;
  const theirs = seconds * 1000 + micros / 1000;
  const off = Math.max(before - theirs, theirs - wall());
  if (off <= MAX_SKEW_MS) return undefined;
  return {
    why: `its clock is ${Math.round(off / 1000)} s off; at most 5 s is allowed`,
    isPermanent: true,
  };
}
