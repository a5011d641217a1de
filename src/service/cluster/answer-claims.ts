import type {Claim, ReplayStore} from '../../auth/replay/replay-store.js';
import type {ClaimLetters, ClaimOrder} from './messages.js';

const LETTERS: Readonly<Record<Claim, string>> = {fresh: 'f', seen: 's', full: 'u'};

/** Takes a worker's claims into the primary's store, each by itself. Never rejects. */
export async function answerClaims(
  store: ReplayStore,
  claims: readonly ClaimOrder[],
): Promise<ClaimLetters> {
  const letters = await Promise.all(claims.map((claim) => letterOf(store, claim)));
  return letters.join('');
}

async function letterOf(store: ReplayStore, [partnerId, nonce, lifetime]: ClaimOrder) {
  try {
    return LETTERS[await store.claim(partnerId, nonce, lifetime)];
  } catch {
    return 'x';
  }
}
