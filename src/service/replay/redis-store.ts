import {randomBytes} from 'node:crypto';
import {setTimeout as wait} from 'node:timers/promises';
import {type Claim, nonceDigest} from '../../auth/replay-store.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {base64UrlOf} from '../../platform/bytes.js';
import {checkRedis, type RedisProblem} from './check-redis.js';
import {Continuity} from './continuity.js';
import type {RedisAddress} from './redis-address.js';
import {linkRedis, type RedisCommand, type RedisLink} from './redis-link.js';
import type {ServiceReplayStore} from './service-replay-store.js';

/**
 * A nonce is stored longer than its lifetime: the clocks of several machines differ, each by at most
 * 5 s from the store's clock, and a clock that was set back stops until it catches up.
 */
const MARGIN_MS = 30_000;

/**
 * Claims a nonce in a Redis or Valkey that several machines share, by one `SET NX PX`: one round trip,
 * atomic. It is never sent again, since then its own first effect would look like a replay: a claim
 * whose answer is lost rejects, and the nonce may have been used up.
 */
export async function claimInRedis(
  command: RedisCommand,
  partnerId: string,
  nonce: string,
  lifetime: number,
): Promise<Claim> {
  const key = `paylens:nonce:${base64UrlOf(nonceDigest(partnerId, nonce))}`;
  const reply = await command('SET', key, '1', 'PX', Math.ceil(lifetime) + MARGIN_MS, 'NX');
  if (reply === 'OK') return 'fresh';
  if (reply === null) return 'seen';
  throw new Error('Redis answered SET with neither OK nor nil');
}

interface RedisStoreOptions {
  readonly address: RedisAddress;
  /** Called when the store stops answering claims, with the reason. */
  readonly onLost: (why: string) => void;
  /** Called when the store answers claims again. */
  readonly onFound: () => void;
  /** Called when the store came back empty: used nonces could be used again. */
  readonly onEmptied: () => void;
  /** Called with the secret that all users of this Redis sign Digest challenges with. */
  readonly onSecret: (secret: Uint8Array) => void;
  /** The system's clock in milliseconds. */
  readonly wall: () => number;
}

const SECRET_KEY = 'paylens:digest-secret';
const SECRET_BYTES = 32;
const HEALTHY_INTERVAL_MS = 1_000;
const UNHEALTHY_INTERVAL_MS = 250;
/** How long the start waits for the first connection; without one the service starts not ready. */
const MAX_START_MS = 2_000;

/**
 * Opens a replay store on Redis. Claims reject while Redis is unreachable, slow, read-only, full or
 * unsuitable; it is checked until it recovers.
 * Throws 9020 for a permanent problem: the log-in is refused, it evicts keys, its clock is wrong.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<ServiceReplayStore> {
  const store = new RedisStore(options);
  const problem = await store.open();
  if (!problem?.isPermanent) return store;
  store.close();
  throw new PaylensError(9020, `replay store ${options.address.name}: ${problem.why}`, {
    hint: 'Nonces could be lost or not stored. Fix the Redis configuration or the address.',
  });
}

class RedisStore implements ServiceReplayStore {
  readonly #options: RedisStoreOptions;
  #link: RedisLink | undefined;
  #problem: RedisProblem | undefined = {why: 'not connected', isPermanent: false};
  #lastReported: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #connections = 0;
  #check: Promise<void> | undefined;
  #suspect = false;
  readonly #continuity = new Continuity();
  /** How the store was unavailable since the last check. */
  #absence: 'away' | 'unfit' | undefined;
  failures = 0;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  /** Returns what is wrong after the first connection, or after two seconds without one. */
  async open(): Promise<RedisProblem | undefined> {
    let first = () => {};
    const checked = new Promise<void>((resolve) => {
      first = resolve;
    });
    const timer = setTimeout(first, MAX_START_MS);
    this.#link = await linkRedis(this.#options.address, {
      ready: () => void this.#checkStore().then(first),
      lost: (why) => {
        this.#lose({why, isPermanent: why === 'WRONGPASS' || why === 'NOAUTH'});
        if (why !== 'not connected') first();
      },
    });
    await checked;
    clearTimeout(timer);
    return this.#problem;
  }

  async claim(
    partnerId: string,
    nonce: string,
    lifetime: number,
    timestamp?: number,
  ): Promise<Claim> {
    try {
      if (!this.#link || this.#problem) throw new Error(this.#problem?.why);
      const {command} = this.#link;
      // In this order, on one connection: the store was whole when the nonce was claimed.
      const claiming = claimInRedis(command, partnerId, nonce, lifetime);
      const [claim, doubt] = await Promise.all([
        claiming,
        this.#continuity.doubt(command, timestamp),
      ]);
      if (claim === 'fresh' && doubt !== undefined) throw new PaylensError(2, doubt);
      return claim;
    } catch (error) {
      this.failures += 1;
      this.#suspectFailure();
      throw error;
    }
  }

  async isReady(): Promise<boolean> {
    if (this.#problem === undefined) await this.#checkStore();
    return this.#problem === undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#connections += 1;
    this.#link?.close();
  }

  /** Checks the store, and plans the next check; concurrent callers share one check. */
  #checkStore(): Promise<void> {
    if (this.#check) return this.#check;
    const check = this.#checkOnce().finally(() => {
      if (this.#check === check) this.#check = undefined;
    });
    this.#check = check;
    return check;
  }

  async #checkOnce(): Promise<void> {
    const link = this.#link;
    if (!link) return;
    const connection = this.#connections;
    const found = await checkRedis(link.command, this.#options.wall);
    if (!found) await this.#checkContinuity(link.command);
    const secret = found ? undefined : await this.#sharedSecret(link.command);
    // The connection was lost meanwhile: the result does not apply to the next one.
    if (connection !== this.#connections) return;
    this.#suspect = false;
    this.#checkIn(found ? UNHEALTHY_INTERVAL_MS : HEALTHY_INTERVAL_MS);
    if (found) this.#report(found);
    else this.#recover(secret);
  }

  /** Begins again after every problem; its first second is awaited, so that requests are dated in it. */
  async #checkContinuity(command: RedisCommand): Promise<void> {
    const {wall, onEmptied} = this.#options;
    const lost = await this.#continuity.check(command, wall(), this.#absence).catch(() => false);
    if (lost) onEmptied();
    const left = 1000 * this.#continuity.second - wall();
    if (left > 0 && left <= 1000) await wait(left);
  }

  /** After a failed claim the next check comes soon. */
  #suspectFailure(): void {
    if (this.#problem || this.#suspect) return;
    this.#suspect = true;
    this.#checkIn(UNHEALTHY_INTERVAL_MS);
  }

  #checkIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#checkStore(), milliseconds).unref();
  }

  #lose(problem: RedisProblem): void {
    this.#connections += 1;
    this.#check = undefined;
    clearTimeout(this.#timer);
    this.#report(problem);
  }

  #report(problem: RedisProblem): void {
    const {why} = problem;
    this.#problem = problem;
    if (this.#absence !== 'unfit') this.#absence = problem.isPermanent ? 'unfit' : 'away';
    // The reason of a lost connection comes first, then only that there is none.
    if (this.#lastReported === why || (this.#lastReported !== undefined && why === 'not connected'))
      return;
    this.#lastReported = why;
    this.#options.onLost(why);
  }

  #recover(secret: Uint8Array | undefined): void {
    if (secret) this.#options.onSecret(secret);
    if (this.#problem && this.#lastReported !== undefined) this.#options.onFound();
    this.#lastReported = undefined;
    this.#problem = undefined;
    this.#absence = undefined;
  }

  /** The secret stored in Redis; a new one if there is none or it was lost. */
  async #sharedSecret(command: RedisCommand): Promise<Uint8Array | undefined> {
    try {
      const there = await command('GET', SECRET_KEY);
      if (there === null)
        await command('SET', SECRET_KEY, randomBytes(SECRET_BYTES).toString('base64url'), 'NX');
      const secret = Buffer.from(String(await command('GET', SECRET_KEY)), 'base64url');
      return secret.length === SECRET_BYTES ? secret : undefined;
    } catch {
      return undefined;
    }
  }
}
