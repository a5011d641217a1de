import type {Claim, ReplayStore} from '../../auth/replay/replay-store.js';
import type {SteadyClock} from '../../auth/steady-clock.js';
import type {KeptReplayStore} from '../replay/kept-replay-store.js';
import type {ClaimAnswer, ClaimBatch, ClaimOrder} from './messages.js';

interface Waiting {
  readonly order: ClaimOrder;
  readonly resolve: (claim: Claim) => void;
  readonly reject: (error: Error) => void;
}

interface Sent {
  readonly waiting: readonly Waiting[];
  /** How many claims went out: none to ask whether the primary is there. */
  readonly claims: number;
  readonly timer: NodeJS.Timeout;
}

/** Sends a numbered batch of claims to the primary; throws or calls back when it is gone. */
type SendBatch = (batch: ClaimBatch, done: (error: Error | null) => void) => void;

/** A claim as it travels: one letter; `x` for one that could not be answered. */
const LETTERS: Readonly<Record<Claim, string>> = {fresh: 'f', seen: 's', full: 'u'};
const CLAIMS: ReadonlyMap<string | undefined, Claim> = new Map(
  (Object.keys(LETTERS) as Claim[]).map((claim) => [LETTERS[claim], claim]),
);
/** Claims that wait for the primary at most: more would only wait longer. */
const MOST_WAITING = 10_000;
/** Milliseconds after which a claim without an answer has failed. */
const LONGEST_CLAIM = 2_000;

/**
 * The replay store of a worker: the primary holds the nonces. The claims of one turn go in one
 * message. A claim that is not answered in time rejects, and its nonce may be spent.
 */
export class SharedReplayStore implements KeptReplayStore {
  readonly #clock: SteadyClock;
  readonly #send: SendBatch;
  readonly #sent = new Map<number, Sent>();
  #gathered: Waiting[] = [];
  #batches = 0;
  #waiting = 0;
  failures = 0;

  constructor(clock: SteadyClock, send: SendBatch) {
    this.#clock = clock;
    this.#send = send;
  }

  async claim(partnerId: string, nonce: string, lifetime: number): Promise<Claim> {
    try {
      if (this.#waiting >= MOST_WAITING)
        throw new Error('too many claims are waiting for the primary');
      return await this.#queue([partnerId, nonce, lifetime]);
    } catch (error) {
      this.failures += 1;
      throw error;
    }
  }

  /** Asks the primary, with a batch of no claim. */
  async isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = {
        order: ['', '', 0] as const,
        resolve: () => resolve(true),
        reject: () => resolve(false),
      };
      this.#dispatch([answer], []);
    });
  }

  close(): void {}

  /** Takes the primary's answer to a batch. */
  answer({batch, letters, now}: ClaimAnswer): void {
    this.#clock.reach(now);
    const sent = this.#sent.get(batch);
    if (!sent) return;
    this.#sent.delete(batch);
    clearTimeout(sent.timer);
    sent.waiting.forEach(({resolve, reject}, i) => {
      const claim = sent.claims === 0 ? 'fresh' : CLAIMS.get(letters[i]);
      if (claim) resolve(claim);
      else reject(new Error('the primary could not store the nonce'));
    });
  }

  #queue(order: ClaimOrder): Promise<Claim> {
    this.#waiting += 1;
    const answered = new Promise<Claim>((resolve, reject) => {
      if (this.#gathered.length === 0) setImmediate(() => this.#flush());
      this.#gathered.push({order, resolve, reject});
    });
    return answered.finally(() => {
      this.#waiting -= 1;
    });
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#dispatch(
      gathered,
      gathered.map(({order}) => order),
    );
  }

  #dispatch(waiting: readonly Waiting[], claims: readonly ClaimOrder[]): void {
    const batch = this.#batches++;
    const fail = (error: Error) => {
      clearTimeout(timer);
      if (this.#sent.delete(batch)) for (const {reject} of waiting) reject(error);
    };
    // An answer that came while this process was busy is read before `setImmediate`.
    const late = () => setImmediate(fail, new Error('response of the primary timed out'));
    const timer = setTimeout(late, LONGEST_CLAIM).unref();
    this.#sent.set(batch, {waiting, claims: claims.length, timer});
    try {
      this.#send({batch, claims, now: this.#clock.now()}, (error) => error && fail(error));
    } catch (error) {
      fail(error as Error);
    }
  }
}

/** A replay store that several processes claim from, and the clock of its lifetimes. */
export interface SharedNonces<Store extends ReplayStore = ReplayStore> {
  readonly store: Store;
  readonly clock: SteadyClock;
}

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
