import type {ReplayStore} from '../../auth/replay/replay-store.js';

/** A replay store as a service keeps one. */
export interface KeptReplayStore extends ReplayStore {
  /** Whether it answers claims now. */
  isReady(): Promise<boolean>;
  /** Claims that it could not answer. */
  readonly failures: number;
  /** What it holds, if that is in this process. */
  readonly held?: HeldNonces | undefined;
  close(): void;
}

/** How many nonces a store holds, and the bytes they take. */
export interface HeldNonces {
  readonly nonces: number;
  readonly bytes: number;
}
