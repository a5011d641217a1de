import type {ReplayStore} from '../../auth/replay-store.js';
import {MemoryReplayStore} from '../../auth/replay-store.js';

/** A replay store with the state that a service reports. */
export interface ServiceReplayStore extends ReplayStore {
  /** Whether the store answers claims now. */
  isReady(): Promise<boolean>;
  /** Number of claims that the store could not answer. */
  readonly failures: number;
  /** Number of nonces in the memory of this process; absent if they are in Redis. */
  readonly size?: number | undefined;
  /** Forgets every nonce; absent for a store that other services may share. */
  clear?(): void;
  close(): void;
}

/** A replay store in memory, which is always ready. */
export function memoryStore(
  options: ConstructorParameters<typeof MemoryReplayStore>[0],
): ServiceReplayStore {
  let store = new MemoryReplayStore(options);
  return {
    claim: (partnerId, nonce, lifetime) => store.claim(partnerId, nonce, lifetime),
    isReady: async () => true,
    failures: 0,
    get size() {
      return store.size;
    },
    clear: () => {
      store = new MemoryReplayStore(options);
    },
    close: () => {},
  };
}
