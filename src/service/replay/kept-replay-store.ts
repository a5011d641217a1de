import {MemoryReplayStore} from '../../auth/replay/memory-replay-store.js';
import type {ReplayStore} from '../../auth/replay/replay-store.js';

/** A replay store with the state that a service reports. */
export interface KeptReplayStore extends ReplayStore {
  /** Whether the store answers claims now. */
  isReady(): Promise<boolean>;
  /** Number of claims that the store could not answer. */
  readonly failures: number;
  /** The nonces held, if they are held in this process. */
  readonly held?: HeldNonces | undefined;
  /** Forgets every nonce; absent where others may hold nonces in the same store. */
  clear?(): void;
  close(): void;
}

/** How many nonces a store holds, and the bytes they take. */
export interface HeldNonces {
  readonly nonces: number;
  readonly bytes: number;
}

/** The replay store of a service of one process: it holds nonces, so it is always there. */
export function keepInMemory(
  options: ConstructorParameters<typeof MemoryReplayStore>[0],
): KeptReplayStore {
  let store = new MemoryReplayStore(options);
  return {
    claim: (partnerId, nonce, lifetime) => store.claim(partnerId, nonce, lifetime),
    isReady: async () => true,
    failures: 0,
    get held() {
      return {nonces: store.size, bytes: store.bytes};
    },
    clear: () => {
      store = new MemoryReplayStore(options);
    },
    close: () => {},
  };
}
