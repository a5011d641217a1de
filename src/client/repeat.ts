import {PaylensError} from '../contract/paylens-error.js';
import type {Exchange} from './sender.js';

/** How often each outcome came: `200`, `401 1003`, or `error 9020`. */
export type Outcomes = Readonly<Record<string, number>>;

/** The latencies of many requests, in milliseconds. */
export interface Latencies {
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface RepeatReport {
  readonly requests: number;
  readonly succeeded: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly outcomes: Outcomes;
  /** For requests that got a response; absent if none did. */
  readonly latency?: Latencies;
  /** The error code of the first request that did not succeed. */
  readonly firstError?: number;
}

interface RepeatOptions {
  readonly count: number;
  /** How many requests are under way at a time. */
  readonly concurrency: number;
  readonly done?: (finished: number) => void;
}

/** Runs `send` many times and reports how it went; a PaylensError that it throws is counted. */
export async function repeat(
  send: () => Promise<Exchange>,
  {count, concurrency, done}: RepeatOptions,
): Promise<RepeatReport> {
  const times: number[] = [];
  const errors: number[] = [];
  const outcomes: Record<string, number> = {};
  const start = performance.now();
  let started = 0;
  let finished = 0;
  const work = async () => {
    while (started < count) {
      started += 1;
      const {outcome, milliseconds, code} = await tried(send);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (milliseconds !== undefined) times.push(milliseconds);
      if (code !== undefined) errors.push(code);
      finished += 1;
      done?.(finished);
    }
  };
  await Promise.all(Array.from({length: Math.min(concurrency, count)}, work));
  const seconds = (performance.now() - start) / 1000;
  return {
    requests: count,
    succeeded: count - errors.length,
    seconds: round(seconds, 3),
    perSecond: round(count / seconds, 1),
    outcomes,
    ...(times.length > 0 && {latency: latenciesOf(times)}),
    ...(errors[0] !== undefined && {firstError: errors[0]}),
  };
}

/** Minimum, maximum and percentiles (nearest rank) of at least one time. */
export function latenciesOf(times: readonly number[]): Latencies {
  const sorted = [...times].sort((a, b) => a - b);
  const rank = (share: number) => {
    const index = Math.max(Math.ceil(share * sorted.length) - 1, 0);
    return round(sorted[index] ?? 0, 2);
  };
  return {min: rank(0), p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1)};
}

interface Tried {
  readonly outcome: string;
  readonly milliseconds?: number;
  readonly code?: number;
}

async function tried(send: () => Promise<Exchange>): Promise<Tried> {
  try {
    const {status, answer, milliseconds} = await send();
    if (answer.success) return {outcome: String(status), milliseconds};
    const {errCode: code = 0} = answer;
    return {outcome: `${status} ${code}`, milliseconds, code};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {outcome: `error ${error.code}`, code: error.code};
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
