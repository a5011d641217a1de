import type {Operation} from '../src/contract/operation.js';
import {type Contestant, start} from './contestant.js';
import {median} from './measure.js';
import {type Goal, heading, tell} from './report.js';
import type {ServerKind} from './server-child.js';
import {pace, saturate} from './server-load.js';
import {signed} from './signed-requests.js';

const ROUNDS = 5;
const REQUESTS = 4000;
const WARM_UP = 12_000;
/** After a pause every server is slow for a moment, which is not part of the steady rate. */
const RUN_IN_S = 0.5;
const MEASURED_S = 4;
const REPLY_BYTES: Readonly<Partial<Record<Operation, number>>> = {
  'process-payload': 1300,
  'validate-partner': 60,
};

/**
 * Measures the service, with its log and metrics, and bare node:http servers with the same
 * HMAC-signed requests: CPU time per request, and the latency at half the maximum rate.
 */
export async function benchServer(): Promise<Goal[]> {
  return [
    ...(await benchCpu('process-payload', [['bare', 5], ['signed', 1.25], ['fastify']])),
    ...(await benchCpu('validate-partner', [['bare', 3.4]])),
    await benchLatency(),
  ];
}

async function benchCpu(
  operation: Operation,
  goals: readonly (readonly [ServerKind, number?])[],
): Promise<Goal[]> {
  const kinds: ServerKind[] = ['paylens', ...goals.map(([kind]) => kind)];
  const servers = await Promise.all(
    kinds.map((kind) => start(kind, {replyBytes: REPLY_BYTES[operation]})),
  );
  for (const {port} of servers) await saturate(port, signed(operation, WARM_UP));
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await cpuRound(operation, servers));
  for (const {stop} of servers) stop();
  const title = `${operation}, HMAC: CPU a request`;
  const cost = (i: number) => `${median(rounds.map((costs) => costs[i] ?? 0)).toFixed(1)} us`;
  heading(title);
  tell(NAMES.paylens, cost(0));
  return goals.map(([kind, wanted = Number.POSITIVE_INFINITY], i) => {
    const found = median(rounds.map((costs) => (costs[0] ?? 0) / (costs[i + 1] ?? 0)));
    const goal = {name: `${title}: ${NAMES[kind]}`, wanted, found, most: true} as const;
    tell(NAMES[kind], cost(i + 1), goal);
    return goal;
  });
}

const NAMES: Readonly<Record<ServerKind, string>> = {
  bare: 'bare node:http',
  signed: 'bare + HMAC + engine',
  fastify: 'fastify alone',
  paylens: 'paylens',
  tls: 'paylens over TLS',
  real: 'paylens, real mode',
  inspected: 'paylens, real mode with inspector',
};

/** Microseconds of CPU per request of each server, in turns. */
async function cpuRound(operation: Operation, servers: readonly Contestant[]): Promise<number[]> {
  const costs: number[] = [];
  for (const {port, usage} of servers) {
    const requests = signed(operation, REQUESTS);
    const before = await usage();
    await saturate(port, requests);
    costs.push(((await usage()).cpu - before.cpu) / REQUESTS);
  }
  return costs;
}

async function benchLatency(): Promise<Goal> {
  const operation = 'process-payload';
  const servers = await Promise.all([
    start('paylens'),
    start('bare', {replyBytes: REPLY_BYTES[operation]}),
  ]);
  for (const {port} of servers) await saturate(port, signed(operation, WARM_UP));
  const rate = (await saturatedRate(servers[0]?.port ?? 0)) / 2;
  // One request at a time uses other code paths than many, so these are warmed up as well.
  for (const {port} of servers) await pace(port, signed(operation, WARM_UP), rate);
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const slowest: number[] = [];
    for (const {port} of servers) {
      const requests = signed(operation, Math.ceil((RUN_IN_S + MEASURED_S) * rate));
      const took = await pace(port, requests, rate);
      slowest.push(p99(took.subarray(RUN_IN_S * rate)));
    }
    rounds.push(slowest);
  }
  for (const {stop} of servers) stop();
  const found = median(rounds.map(([ours = 0, bare = 0]) => ours / bare));
  const [ours, bare] = [0, 1].map((i) => median(rounds.map((slowest) => slowest[i] ?? 0)));
  const name = `p99 at ${Math.round(rate)} process-payload requests a second`;
  const goal = {name, wanted: 3, found, most: true} as const;
  heading(name);
  tell(NAMES.paylens, `${ours?.toFixed(2)} ms`);
  tell(NAMES.bare, `${bare?.toFixed(2)} ms`, goal);
  return goal;
}

/** The median of five: a single one can exceed the sustainable rate by a quarter. */
async function saturatedRate(port: number): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const requests = signed('process-payload', REQUESTS);
    const begin = performance.now();
    await saturate(port, requests);
    rates.push((1000 * requests.length) / (performance.now() - begin));
  }
  return median(rates);
}

function p99(values: Float64Array): number {
  return values.toSorted()[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
