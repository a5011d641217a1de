import {connect, type Socket} from 'node:net';
import {type Contestant, start} from './contestant.js';
import {median} from './measure.js';
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
