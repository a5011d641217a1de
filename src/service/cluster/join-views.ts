import {AggregatorRegistry, Counter, Gauge, Registry} from 'prom-client';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import type {HeldNonces} from '../replay/kept-replay-store.js';
import {addHeldMetrics} from '../replay/replay-metrics.js';

/** Metrics that the primary adds to those of its workers. */
interface PrimaryState {
  /** Workers that serve now. */
  readonly serving: number;
  /** Workers that died and were replaced. */
  readonly deaths: number;
  /** Undefined: a Redis holds the nonces. */
  readonly held: HeldNonces | undefined;
}

const MOST_RECEIVED = 1000;

/**
 * Merges the metrics of the workers with those of the primary: sums, or the aggregation that a
 * metric names.
 */
export async function joinMetrics(workers: readonly object[][], state: PrimaryState) {
  const own = await primaryMetrics(state);
  return AggregatorRegistry.aggregate([...workers, own] as object[][]).metrics();
}

/** Joins what workers received, oldest first; the latest thousand. */
export function joinReceived(workers: readonly (readonly ReceivedRequest[])[]): ReceivedRequest[] {
  const all = workers.flat().sort((a, b) => compare(a.time, b.time));
  return all.slice(-MOST_RECEIVED);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function primaryMetrics({serving, deaths, held}: PrimaryState): Promise<object[]> {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({name: 'paylens_workers', help: 'Worker processes in service', registers}).set(serving);
  new Counter({
    name: 'paylens_worker_deaths_total',
    help: 'Worker processes that exited unexpectedly and were replaced',
    registers,
  }).inc(deaths);
  if (held) addHeldMetrics(registers, () => held);
  return registry.getMetricsAsJSON();
}
