import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {type Contestant, start} from './contestant.js';
import {HOSTILE_KINDS, HostileClient, type HostileKind} from './hostile-clients.js';
import {median} from './measure.js';
import type {ServiceQuality} from './normal-client.js';
import {type Goal, heading, perSecond, tell} from './report.js';
import {saturate} from './server-load.js';
import {signed} from './signed-requests.js';

const ROUNDS = 5;
const REQUESTS = 8000;
const WARM_UP = 12_000;
const HALF_OPEN = 500;

/**
 * Measures what is left of the request rate of good clients while 500 others hold connections on
 * which they have sent half a request.
 */
export async function benchOverload(): Promise<Goal[]> {
  const server = await start('paylens');
  await saturate(server.port, signed('process-payload', WARM_UP));
  const rates: {alone: number; beside: number}[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await rate(server);
    const idlers = Array.from({length: HALF_OPEN}, () => new Idler(server.port));
    await Promise.all(idlers.map((idler) => idler.opened()));
    rates.push({alone, beside: await rate(server)});
    for (const idler of idlers) idler.end();
  }
  server.stop();
  const found = median(rates.map(({alone, beside}) => beside / alone));
  const name = `process-payload beside ${HALF_OPEN} half-open connections`;
  const goal = {name, wanted: 0.8, found};
  heading(name);
  tell('paylens, beside them', perSecond(median(rates.map(({beside}) => beside))));
  tell('paylens, without them', perSecond(median(rates.map(({alone}) => alone))), goal);
  return [goal];
}

async function rate({port}: Contestant): Promise<number> {
  const requests = signed('process-payload', REQUESTS);
  const begin = performance.now();
  await saturate(port, requests);
  return (1000 * requests.length) / (performance.now() - begin);
}

const HEAD = 'POST /api/v1/decrypt/parser HTTP/1.1\r\nHost: localhost\r\n';
const BODY = 'Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{"deviceType":';

/**
 * A client that sends half of its headers, or of its body, and reconnects when it is disconnected.
 */
class Idler {
  readonly #port: number;
  readonly #sent: string;
  #socket: Socket;
  #over = false;

  constructor(port: number) {
    this.#port = port;
    this.#sent = Math.random() < 0.5 ? HEAD : HEAD + BODY;
    this.#socket = this.#open();
  }

  opened(): Promise<void> {
    if (!this.#socket.connecting) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('connect', resolve));
  }

  end(): void {
    this.#over = true;
    this.#socket.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1', () => socket.write(this.#sent));
    socket.resume().on('error', () => {});
    socket.on('close', () => {
      if (!this.#over) this.#socket = this.#open();
    });
    return socket;
  }
}

/** As many as a service accepts, and a few more. */
const HOSTILE = {plain: 4096, tls: 2048} as const;
const HOSTILE_SECONDS = 12;
const MAX_MEGABYTES = 300;
const MAX_LATENCY_MS = 1000;

/**
 * Measures the peak memory of the service, and how long another client waits for its answer, while
 * as many hostile clients as it has connections attack: each kind alone, then all together. `only`
 * is a part of a kind's name, or `together`.
 */
export async function benchHostile(only = ''): Promise<Goal[]> {
  const plain = HOSTILE_KINDS.filter(({tls}) => tls === undefined);
  const attacks = [
    ...HOSTILE_KINDS.map((kind) => ({
      name: kind.name,
      kinds: [kind],
      isTls: kind.tls !== undefined,
    })),
    {name: 'all together', kinds: plain, isTls: false},
    {name: 'all together, in TLS', kinds: HOSTILE_KINDS.filter(({tls}) => tls), isTls: true},
  ].filter(({name}) => name.includes(only));
  heading('memory and latency under hostile clients');
  const goals: Goal[] = [];
  for (const {name, kinds, isTls} of attacks) {
    const {megabytes, quality} = await attack(kinds, isTls);
    const {answered, failed, median: usual, worst} = quality;
    const times = `${answered} answered, ${failed} failed, ${usual.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
    tell(name, `${megabytes.toFixed(0)} MiB; ${times}`);
    goals.push({name: `${name}: MiB`, wanted: MAX_MEGABYTES, found: megabytes, most: true});
    goals.push({name: `${name}: ms`, wanted: MAX_LATENCY_MS, found: worst, most: true});
    goals.push({name: `${name}: failed`, wanted: 0, found: failed, most: true});
  }
  return goals;
}

async function attack(kinds: readonly HostileKind[], isTls: boolean) {
  const server = await start(isTls ? 'tls' : 'paylens');
  const count = isTls ? HOSTILE.tls : HOSTILE.plain;
  const clients: HostileClient[] = [];
  for (let i = 0; i < count; i++) {
    clients.push(new HostileClient(server.port, kinds[i % kinds.length] as HostileKind));
    if (i % 64 === 63) await wait(10);
  }
  // In its own thread: the attack keeps this one busy.
  const file = new URL('normal-client.js', import.meta.url);
  const normal = new Worker(file, {workerData: {port: server.port, isTls}});
  await wait(HOSTILE_SECONDS * 1000);
  normal.postMessage('end');
  const [quality] = (await once(normal, 'message')) as [ServiceQuality];
  const megabytes = peakMegabytes(server.pid);
  for (const client of clients) client.end();
  server.stop();
  await wait(500);
  return {megabytes, quality};
}

/** The most that a process has had in memory (Linux: `VmHWM` in kB). */
function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
