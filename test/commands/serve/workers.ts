import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {Pool} from 'undici';
import {hmacHeader} from '../../service/node-signature.js';
import type {Serving} from './serving.js';

const PATH = '/api/v1/partner/validate';

/** The process ids of the workers of a service. */
export function workersOf({pid}: Pick<Serving, 'pid'>): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], {encoding: 'utf8'});
  return children.split('\n').filter(Boolean).map(Number);
}

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

/** Posts on a new connection, so that the workers take turns. */
export async function postAlone(url: string, authorization: string) {
  const headers = {'content-type': 'application/json', authorization, connection: 'close'};
  const response = await fetch(url + PATH, {method: 'POST', headers, body: '{}'});
  const {messageId} = (await response.json()) as {messageId: string};
  return {status: response.status, draw: messageId.slice(15, 20)};
}

/**
 * Sends `nonces` signed requests, each twice at the same time, over 64 connections; counts the
 * responses by status.
 */
export async function sendTwice(url: string, nonces: number): Promise<Record<number, number>> {
  const pool = new Pool(url, {connections: 64});
  const counts: Record<number, number> = {};
  let sent = 0;
  const send = async (authorization: string) => {
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
      await Promise.all([send(header), send(header)]);
    }
  };
  await Promise.all(Array.from({length: 48}, pairs));
  await pool.close();
  return counts;
}
