import {nonceDigest} from '../../auth/replay/nonce-digest.js';
import type {Claim, ReplayStore} from '../../auth/replay/replay-store.js';

/** Runs one command of Redis and gives its reply; rejects when there is none, or an error. */
export type RedisCommand = (
  name: string,
  ...args: readonly (string | number)[]
) => Promise<unknown>;

/**
 * Milliseconds that a nonce is held longer than its lifetime. The clocks of several machines differ
 * (at most 5 s from the store's clock each), and one that was set back stands until that is noticed.
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
    const key = `paylens:nonce:${nonceDigest(partnerId, nonce).toString('base64url')}`;
    const reply = await this.#command('SET', key, '1', 'PX', Math.ceil(lifetime) + MARGIN, 'NX');
    if (reply === 'OK') return 'fresh';
    if (reply === null) return 'seen';
    throw new Error('Redis answered SET with neither OK nor nil');
  }
}
