import {Counter, Gauge, type Registry} from 'prom-client';
import type {HeldNonces, KeptReplayStore} from './kept-replay-store.js';

/** Adds the metrics of a process's replay store, which are collected when /metrics is requested. */
export function addReplayMetrics(registers: Registry[], replay: () => KeptReplayStore): void {
  new Gauge({
    name: 'paylens_replay_store_up',
    help: 'Whether the replay store is reachable (1) or not (0)',
    registers,
    aggregator: 'min',
    async collect() {
      this.set((await replay().isReady()) ? 1 : 0);
    },
  });
  new Counter({
    name: 'paylens_replay_store_failures_total',
    help: 'Nonces the replay store could not store; their requests got 503',
    registers,
    collect() {
      this.reset();
      this.inc(replay().failures);
    },
  });
  if (replay().held) addHeldMetrics(registers, () => replay().held ?? NOTHING);
}

/** Adds the metrics of the nonces that a process stores. */
export function addHeldMetrics(registers: Registry[], held: () => HeldNonces): void {
  new Gauge({
    name: 'paylens_replay_store_nonces',
    help: 'Used nonces stored for replay protection',
    registers,
    collect() {
      this.set(held().nonces);
    },
  });
  new Gauge({
    name: 'paylens_replay_store_bytes',
    help: 'Memory used by stored nonces, in bytes',
    registers,
    collect() {
      this.set(held().bytes);
    },
  });
}

const NOTHING: HeldNonces = {nonces: 0, bytes: 0};
