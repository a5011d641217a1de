import {MemoryReplayStore} from '../../auth/replay/memory-replay-store.js';
import type {KeptReplayStore} from './kept-replay-store.js';

/** The replay store of a service of one process: it holds nonces, so it is always there. */
export function keepInMemory(
  options: ConstructorParameters<typeof MemoryReplayStore>[0],
): KeptReplayStore {
  const store = new MemoryReplayStore(options);
  return {
    claim: (partnerId, nonce, lifetime) => store.claim(partnerId, nonce, lifetime),
    isReady: async () => true,
    failures: 0,
    get held() {
      return {nonces: store.size, bytes: store.bytes};
    },
    close: () => {},
  };
}
