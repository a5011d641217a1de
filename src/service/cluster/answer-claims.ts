import type {Claim, ReplayStore} from '../../auth/replay/replay-store.js';
import type {SteadyClock} from '../../auth/steady-clock.js';
import type {ClaimAnswer, ClaimBatch, ClaimOrder} from './messages.js';

/** A replay store that several processes claim from, and the clock of its lifetimes. */
export interface SharedNonces<Store extends ReplayStore = ReplayStore> {
  readonly store: Store;
  readonly clock: SteadyClock;
}

const LETTERS: Readonly<Record<Claim, string>> = {fresh: 'f', seen: 's', full: 'u'};

/**
 * Takes a worker's claims into the primary's store, each by itself. No worker is ahead of the clock of
 * the store: it would take a nonce that is forgotten. Never rejects.
 */
export async function answerClaims(
  {store, clock}: SharedNonces,
  {batch, claims, now}: ClaimBatch,
): Promise<ClaimAnswer> {
  clock.reach(now);
  const letters = await Promise.all(claims.map((claim) => letterOf(store, claim)));
  return {batch, letters: letters.join(''), now: clock.now()};
}

async function letterOf(store: ReplayStore, [partnerId, nonce, lifetime]: ClaimOrder) {
  try {
    return LETTERS[await store.claim(partnerId, nonce, lifetime)];
  } catch {
    return 'x';
  }
}
