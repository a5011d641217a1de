import {type RedisCommand, reasonOf} from './redis-link.js';

/** What is wrong with a Redis as a replay store. */
export interface Unfitness {
  readonly why: string;
  /** Permanent: its settings or a clock are wrong. */
  readonly lasting: boolean;
}

const LARGEST_SKEW = 5_000;

/**
 * Finds out whether a Redis can keep nonces: it takes writes, evicts nothing, and its clock is ours
 * within 5 s. `wall` is the system's clock in milliseconds. What a server does not let this user
 * ask is not held against it.
 */
export async function examineRedis(
  command: RedisCommand,
  wall: () => number,
): Promise<Unfitness | undefined> {
  try {
    await command('SET', 'paylens:ready', '1', 'PX', 1000);
  } catch (error) {
    const why = reasonOf(error);
    return {why, lasting: ['NOAUTH', 'NOPERM', 'WRONGPASS'].includes(why)};
  }
  return (await eviction(command)) ?? (await skew(command, wall));
}

// Each policy but noeviction may drop a nonce that can still be repeated.
async function eviction(command: RedisCommand): Promise<Unfitness | undefined> {
  const memory = String(await asked(command, 'INFO', 'memory'));
  const policy = /^maxmemory_policy:([a-z-]+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return undefined;
  return {why: `maxmemory-policy is ${policy}, expected noeviction`, lasting: true};
}

async function skew(command: RedisCommand, wall: () => number): Promise<Unfitness | undefined> {
  const before = wall();
  const time = await asked(command, 'TIME');
  const [seconds, micros] = Array.isArray(time) ? time.map(Number) : [];
  if (seconds === undefined || micros === undefined) return undefined;
  const theirs = seconds * 1000 + micros / 1000;
  const off = Math.max(before - theirs, theirs - wall());
  if (off <= LARGEST_SKEW) return undefined;
  return {
    why: `its clock is ${Math.round(off / 1000)} s off; at most 5 s is allowed`,
    lasting: true,
  };
}

async function asked(command: RedisCommand, ...words: readonly [string, ...string[]]) {
  try {
    return await command(...words);
  } catch {
    return undefined;
  }
}
