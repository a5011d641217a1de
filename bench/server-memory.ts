import {setTimeout as wait} from 'node:timers/promises';
import {start} from './contestant.js';
import {type Goal, heading, tell} from './report.js';
import {pace, saturate} from './server-load.js';
import {signed} from './signed-requests.js';

const RATE = 300;
const SECONDS = 60;
const STEP_SECONDS = 5;
const WARM_UP = 20_000;
/** The nonces of a minute need 3 MB. */
const LIMIT_MB = 10;

/** Measures by how much the service grows in a minute of 300 HMAC-signed requests a second. */
export async function benchMemory(): Promise<Goal[]> {
  const server = await start('paylens', {execArgv: ['--expose-gc']});
  // Measured after a garbage collection, so that garbage does not count.
  const memory = async () => (await server.usage()).memory / 1e6;
  await saturate(server.port, signed('process-payload', WARM_UP));
  await wait(1000);
  heading(`resident memory at ${RATE} requests a second`);
  const before = await memory();
  tell('after warm-up', `${before.toFixed(1)} MB`);
  let most = 0;
  for (let seconds = STEP_SECONDS; seconds <= SECONDS; seconds += STEP_SECONDS) {
    await pace(server.port, signed('process-payload', RATE * STEP_SECONDS), RATE);
    const now = await memory();
    most = Math.max(most, now - before);
    tell(`after ${seconds} s`, `${now.toFixed(1)} MB`);
  }
  server.stop();
  return [{name: 'MB grown in a minute', wanted: LIMIT_MB, found: most, most: true}];
}
