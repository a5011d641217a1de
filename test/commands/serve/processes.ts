import {readFileSync} from 'node:fs';
import {Pool} from 'undici';
import {hmacHeader} from '../../service/node-signature.js';

const PATH = '/api/v1/partner/validate';

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Environment and arguments of a process, as others on the machine see them (Linux). */
export function visibleOf(pid: number): string {
  return ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`)).join('\n');
}

/** Posts on a new connection. */
export async function postAlone(url: string, authorization: string) {
  const headers = {'content-type': 'application/json', authorization, connection: 'close'};
  const response = await fetch(url + PATH, {method: 'POST', headers, body: '{}'});
  await response.text();
  return {status: response.status};
}

/**
 * Sends `nonces` signed requests at the same time to both servers, over 64 connections each; counts
 * the responses by status.
 */
export async function sendToBoth(
  urls: readonly [string, string],
  nonces: number,
): Promise<Record<number, number>> {
  const pools = urls.map((url) => new Pool(url, {connections: 64}));
  const counts: Record<number, number> = {};
  let sent = 0;
  const send = async (pool: Pool, authorization: string) => {
    const headers = {'content-type': 'application/json', authorization};
    const {statusCode, body} = await pool.request({
      path: PATH,
      method: 'POST',
      headers,
      body: '{}',
    });
    await body.dump();
    counts[statusCode] = (counts[statusCode] ?? 0) + 1;
  };
  const pairs = async () => {
    for (; sent < nonces; ) {
      sent += 1;
      const header = hmacHeader({nonce: `nonce-${sent}`});
      await Promise.all(pools.map((pool) => send(pool, header)));
    }
  };
  await Promise.all(Array.from({length: 48}, pairs));
  await Promise.all(pools.map((pool) => pool.close()));
  return counts;
}
