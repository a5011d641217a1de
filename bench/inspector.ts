import {type Contestant, start} from './contestant.js';
import {median} from './measure.js';
import {type Goal, heading, tell} from './report.js';
import {pace} from './server-load.js';
import {signed} from './signed-requests.js';

/** Enough for an interval: the 10th and the 22nd of 31 ratios are the bounds of 95 % (binomial). */
const ROUNDS = 31;
const BOUNDS = [9, 21] as const;
const RATE = 3000;
const SECONDS = 2;
const WARM_UP = 12_000;
const COOKIE_TOKEN = 'T'.repeat(43);

/** What is compared: a service without an inspector, with one that nobody watches, and watched. */
type Turn = 'without' | 'unwatched' | 'watched';

const TURNS: readonly (readonly Turn[])[] = [
  ['without', 'unwatched', 'watched'],
  ['watched', 'without', 'unwatched'],
  ['unwatched', 'watched', 'without'],
];

/**
 * Measures what the inspector costs: CPU per request at 3,000 requests a second without it, with it,
 * and with one client on the stream, in turns. Nothing but the stream is read.
 */
export async function benchInspector(): Promise<Goal[]> {
  const [plain, inspected] = await Promise.all([start('real'), start('inspected')]);
  for (const {port} of [plain, inspected])
    await pace(port, signed('process-payload', WARM_UP), RATE);
  const cookie = await signIn(inspected.port);
  const rounds: Record<Turn, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const costs = {without: 0, unwatched: 0, watched: 0};
    for (const turn of TURNS[round % TURNS.length] ?? []) {
      const client = turn === 'watched' ? await watch(inspected.port, cookie) : undefined;
      costs[turn] = await costOf(turn === 'without' ? plain : inspected);
      client?.stop();
      if (client && client.bytes() < RATE * SECONDS) throw new Error('the stream sent too little');
    }
    rounds.push(costs);
  }
  for (const {stop} of [plain, inspected]) stop();
  const name = `inspector: CPU a request at ${RATE} a second, one client`;
  heading(name);
  const cost = (turn: Turn) => `${median(rounds.map((costs) => costs[turn])).toFixed(1)} us`;
  tell('without an inspector', cost('without'));
  tell('nobody watches', `${cost('unwatched')} ${intervalOf(rounds, 'unwatched', 'without')}`);
  const found = median(rounds.map(({watched, unwatched}) => watched / unwatched));
  const goal = {name, wanted: 1.05, found, most: true} as const;
  tell('one client', `${cost('watched')} ${intervalOf(rounds, 'watched', 'unwatched')}`, goal);
  return [goal];
}

/** Microseconds of CPU per request. */
async function costOf({port, usage}: Contestant): Promise<number> {
  const requests = signed('process-payload', RATE * SECONDS);
  const before = await usage();
  await pace(port, requests, RATE);
  return ((await usage()).cpu - before.cpu) / requests.length;
}

/** The ratio of two costs of the same round: its median, and the 95 % interval of that. */
function intervalOf(rounds: readonly Record<Turn, number>[], of: Turn, to: Turn): string {
  const ratios = rounds.map((costs) => costs[of] / costs[to]).sort((a, b) => a - b);
  const [low, high] = BOUNDS.map((at) => ratios[at]?.toFixed(3));
  return `(${median(ratios).toFixed(3)} x, ${low} to ${high})`;
}

async function signIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/_inspector/exchange`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({token: COOKIE_TOKEN}),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Reads the stream until told to stop, and counts what came. */
async function watch(
  port: number,
  cookie: string,
): Promise<{stop: () => void; bytes: () => number}> {
  const stop = new AbortController();
  const url = `http://127.0.0.1:${port}/_inspector/stream`;
  const {body} = await fetch(url, {signal: stop.signal, headers: {cookie}});
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
  };
  body?.pipeTo(new WritableStream({write: count})).catch(() => {});
  return {stop: () => stop.abort(), bytes: () => bytes};
}
