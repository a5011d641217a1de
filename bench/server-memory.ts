import {start} from './contestant.js';
import {type Goal, heading, tell} from './report.js';
import {saturate} from './server-load.js';
import {signed} from './signed-requests.js';

const WARM_UP = 100_000;
const REQUESTS = 1_000_000;
const SHOWN_EVERY = 100_000;
const AT_ONCE = 10_000;
const LIMIT = 40;

/**
 * Measures by how many megabytes the service grows over a million HMAC-signed process-payload
 * requests, not counting the nonces that it must keep. Takes minutes.
 */
export async function benchMemory(): Promise<Goal[]> {
  const server = await start('paylens', {execArgv: ['--expose-gc']});
  const memory = async () => {
    // Measured after a garbage collection, so that garbage does not count.
    const {memory: rss} = await server.usage();
    return (rss - (await storeBytes(server.port))) / 1e6;
  };
  await send(server.port, WARM_UP);
  const before = await memory();
  heading('memory of the service without its nonces');
  tell('after warm-up', megabytes(before));
  let most = 0;
  for (let sent = SHOWN_EVERY; sent <= REQUESTS; sent += SHOWN_EVERY) {
    await send(server.port, SHOWN_EVERY);
    const grown = (await memory()) - before;
    most = Math.max(most, grown);
    tell(`after ${sent.toLocaleString('en')} requests`, `+${megabytes(grown)}`);
  }
  server.stop();
  console.log(`  grew by ${megabytes(most)} at most (limit ${LIMIT} MB)`);
  return [{name: 'MB grown in 1,000,000 requests', wanted: LIMIT, found: most, most: true}];
}

async function send(port: number, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    await saturate(port, signed('process-payload', AT_ONCE));
  }
}

async function storeBytes(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^paylens_replay_store_bytes (\d+)$/m.exec(metrics)?.[1]);
}

function megabytes(value: number): string {
  return `${value.toFixed(1)} MB`;
}
