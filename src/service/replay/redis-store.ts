import {randomBytes} from 'node:crypto';
import {type Claim, nonceDigest, type ReplayStore} from '../../auth/replay/replay-store.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {base64UrlOf} from '../../platform/bytes.js';
import type {KeptReplayStore} from './kept-replay-store.js';
import type {RedisAddress} from './redis-address.js';
import {examineRedis, type Unfitness} from './redis-examination.js';
import {linkRedis, type RedisCommand, type RedisLink} from './redis-link.js';

/**
 * Milliseconds that a nonce is stored beyond its lifetime: the clocks of several machines differ
 * (each by at most 5 s from the store's clock), and a clock that was set back stops until this is
 * noticed.
 */
const MARGIN = 30_000;

/**
 * A replay store on Redis or Valkey that several machines share. A claim is one `SET NX PX`: one
 * round trip, atomic. It is never sent again, since then the first sending could pass for a replay:
 * a claim whose answer is lost rejects, and the nonce may be spent.
 */
export class RedisReplayStore implements ReplayStore {
  readonly #command: RedisCommand;

  constructor(command: RedisCommand) {
    this.#command = command;
  }

  async claim(partnerId: string, nonce: string, lifetime: number): Promise<Claim> {
    const key = `paylens:nonce:${base64UrlOf(nonceDigest(partnerId, nonce))}`;
    const reply = await this.#command('SET', key, '1', 'PX', Math.ceil(lifetime) + MARGIN, 'NX');
    if (reply === 'OK') return 'fresh';
    if (reply === null) return 'seen';
    throw new Error('Redis answered SET with neither OK nor nil');
  }
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
/** Milliseconds between examinations of a store that is fit, and of one that is not. */
const CALM = 10_000;
const WORRIED = 250;
/** How long the start waits for the first connection; without one the service starts not ready. */
const LONGEST_START = 2_000;

/**
 * Opens a replay store on Redis. Claims reject while Redis is away, slow, read-only, full, or not
 * fit; it is looked after until it is back.
 * Throws 9020 when it will never do: the log-in is refused, it evicts keys, its clock is off.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<KeptReplayStore> {
  const store = new RedisStore(options);
  const unfitness = await store.open();
  if (!unfitness?.lasting) return store;
  store.close();
  throw new PaylensError(9020, `replay store ${options.address.name}: ${unfitness.why}`, {
    hint: 'Nonces could be lost or not stored. Fix the Redis configuration or the address.',
  });
}

class RedisStore implements KeptReplayStore {
  readonly #options: RedisStoreOptions;
  #nonces: RedisReplayStore | undefined;
  #link: RedisLink | undefined;
  #unfitness: Unfitness | undefined = {why: 'not connected', lasting: false};
  #told: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #connections = 0;
  #examination: Promise<void> | undefined;
  #doubtful = false;
  #knowsSecret = false;
  failures = 0;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  /** Returns what is wrong after the first connection, or after two seconds without one. */
  async open(): Promise<Unfitness | undefined> {
    let first: (() => void) | undefined;
    const examined = new Promise<void>((resolve) => {
      first = resolve;
    });
    const timer = setTimeout(() => first?.(), LONGEST_START);
    this.#link = await linkRedis(this.#options.address, {
      ready: () => void this.#examine().then(first),
      lost: (why) => {
        this.#lose({why, lasting: why === 'WRONGPASS' || why === 'NOAUTH'});
        if (why !== 'not connected') first?.();
      },
    });
    this.#nonces = new RedisReplayStore(this.#link.command);
    await examined;
    clearTimeout(timer);
    return this.#unfitness;
  }

  async claim(partnerId: string, nonce: string, lifetime: number): Promise<Claim> {
    try {
      if (!this.#nonces || this.#unfitness) throw new Error(this.#unfitness?.why);
      return await this.#nonces.claim(partnerId, nonce, lifetime);
    } catch (error) {
      this.failures += 1;
      this.#doubt();
      throw error;
    }
  }

  async isReady(): Promise<boolean> {
    if (this.#unfitness === undefined) await this.#examine();
    return this.#unfitness === undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#connections += 1;
    this.#link?.close();
  }

  /** Notes what is wrong, if anything; and again after a while. Who asks meanwhile waits for this. */
  #examine(): Promise<void> {
    if (this.#examination) return this.#examination;
    const examination = this.#examineOnce().finally(() => {
      if (this.#examination === examination) this.#examination = undefined;
    });
    this.#examination = examination;
    return examination;
  }

  async #examineOnce(): Promise<void> {
    const link = this.#link;
    if (!link) return;
    const connection = this.#connections;
    const found = await examineRedis(link.command, this.#options.wall);
    const secret = found ? undefined : await this.#sharedSecret(link.command);
    // The connection was lost meanwhile: the result does not apply to the next one.
    if (connection !== this.#connections) return;
    this.#doubtful = false;
    this.#examineIn(found ? WORRIED : CALM);
    if (found) this.#note(found);
    else this.#find(secret);
  }

  /** After a failed claim the next examination comes soon. */
  #doubt(): void {
    if (this.#unfitness || this.#doubtful) return;
    this.#doubtful = true;
    this.#examineIn(WORRIED);
  }

  #examineIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#examine(), milliseconds).unref();
  }

  #lose(unfitness: Unfitness): void {
    this.#connections += 1;
    this.#examination = undefined;
    clearTimeout(this.#timer);
    this.#note(unfitness);
  }

  #note(unfitness: Unfitness): void {
    const {why} = unfitness;
    this.#unfitness = unfitness;
    // The reason of a lost connection comes first, then only that there is none.
    if (this.#told === why || (this.#told !== undefined && why === 'not connected')) return;
    this.#told = why;
    this.#options.onLost(why);
  }

  #find(secret: Uint8Array | undefined): void {
    if (secret) this.#options.onSecret(secret);
    if (this.#unfitness && this.#told !== undefined) this.#options.onFound();
    this.#told = undefined;
    this.#unfitness = undefined;
  }

  /** The secret stored in Redis; a new one if there is none (any longer). */
  async #sharedSecret(command: RedisCommand): Promise<Uint8Array | undefined> {
    try {
      const there = await command('GET', SECRET_KEY);
      if (there === null) await this.#giveSecret(command);
      const secret = Buffer.from(String(await command('GET', SECRET_KEY)), 'base64url');
      if (secret.length !== SECRET_BYTES) return undefined;
      this.#knowsSecret = true;
      return secret;
    } catch {
      return undefined;
    }
  }

  // If the secret is gone, so are the nonces; with a new secret no old challenge is accepted.
  async #giveSecret(command: RedisCommand): Promise<void> {
    if (this.#knowsSecret) this.#options.onEmptied();
    await command('SET', SECRET_KEY, randomBytes(SECRET_BYTES).toString('base64url'), 'NX');
  }
}
