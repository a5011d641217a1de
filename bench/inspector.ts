import {start} from './contestant.js';
import {median} from './measure.js';
import {type Goal, heading, tell} from './report.js';
import {pace} from './server-load.js';
import {signed} from './signed-requests.js';

const ROUNDS = 7;
const RATE = 3000;
const SECONDS = 2;
const WARM_UP = 12_000;

/**
 * Measures what the inspector costs: CPU per request at 3,000 requests a second, with one client on
 * the stream and without, in turns. Nothing but the stream is read.
 */
export async function benchInspector(): Promise<Goal[]> {
  const {port, usage, stop} = await start('paylens');
  await pace(port, signed('process-payload', WARM_UP), RATE);
  const costOf = async () => {
    const requests = signed('process-payload', RATE * SECONDS);
    const before = await usage();
    await pace(port, requests, RATE);
    return ((await usage()).cpu - before.cpu) / requests.length;
  };
  const rounds: (readonly [watched: number, alone: number])[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await costOf();
    const client = await watch(port);
    const watched = await costOf();
    client.stop();
    if (client.bytes() < RATE * SECONDS) throw new Error('the stream sent too little');
    rounds.push([watched, alone]);
  }
  stop();
  const name = `inspector: CPU a request at ${RATE} a second, one client`;
  const found = median(rounds.map(([watched, alone]) => watched / alone));
  const goal = {name, wanted: 1.05, found, most: true} as const;
  heading(name);
  tell('without a client', `${median(rounds.map(([, alone]) => alone)).toFixed(1)} us`);
  tell('with a client', `${median(rounds.map(([watched]) => watched)).toFixed(1)} us`, goal);
  return [goal];
}

/** Reads the stream until told to stop, and counts what came. */
async function watch(port: number): Promise<{stop: () => void; bytes: () => number}> {
  const stop = new AbortController();
  const url = `http://127.0.0.1:${port}/_inspector/stream`;
  const {body} = await fetch(url, {signal: stop.signal});
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
  };
  body?.pipeTo(new WritableStream({write: count})).catch(() => {});
  return {stop: () => stop.abort(), bytes: () => bytes};
}
