import {request as ask} from 'node:http';
import {text} from 'node:stream/consumers';
import type {StreamBatch} from '../../../src/contract/control/inspected-request.js';
import {exchange, type RawResponse} from '../raw-http.js';

/** A token of the form that the command line makes. */
export const TOKEN = 'T'.repeat(43);

/** Sends a request exactly as it is written; `Host` is that of the service unless a line has it. */
export async function raw(
  url: string,
  line: string,
  headers: readonly string[] = [],
  body = '',
): Promise<RawResponse> {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${hostOf(url)}`];
  const sent = headers.filter((header) => header !== 'Host: -');
  const type = body === '' || headers.some((header) => /^content-type:/i.test(header));
  const lines = [
    `${line} HTTP/1.1`,
    ...host,
    ...sent,
    ...(type ? [] : ['Content-Type: application/json']),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const [answer] = await exchange(url, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8'));
  if (!answer) throw new Error('no answer');
  return answer;
}

/** The authority of a service. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Does an action of the inspector as its own page does. */
export async function act(url: string, name: string, action: object, token?: string) {
  const headers = [`Origin: ${url}`, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: empty'];
  const own = token === undefined ? headers : [...headers, `Authorization: Bearer ${token}`];
  const answer = await raw(url, `POST /_inspector/${name}`, own, JSON.stringify(action));
  // biome-ignore lint/suspicious/noExplicitAny: of any action
  return {...answer, object: JSON.parse(answer.body || '{}') as any};
}

/** Reads the stream until `isEnough`, and returns its lines. */
export async function watch(
  url: string,
  isEnough: (lines: readonly StreamBatch[]) => boolean,
  {after = '', token = ''} = {},
): Promise<readonly StreamBatch[]> {
  const headers = bearer(token);
  const stop = new AbortController();
  const response = await fetch(`${url}/_inspector/stream?after=${after}`, {
    headers,
    signal: stop.signal,
  });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const lines: StreamBatch[] = [];
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part) as StreamBatch));
    if (isEnough(lines)) break;
  }
  stop.abort();
  return lines;
}

/** The rows of the stream so far. */
export function rowsIn(lines: readonly StreamBatch[]) {
  return lines.flatMap(({requests = []}) => requests);
}

/** All rows that a service has now. */
export async function rowsOf(url: string, count: number, token = '') {
  return rowsIn(await watch(url, (lines) => rowsIn(lines).length >= count, {token}));
}

/** The detail of a row. */
export async function detailOf(
  url: string,
  row: {readonly process: number; readonly sequence: number},
  token = '',
) {
  const headers = bearer(token);
  const response = await fetch(`${url}/_inspector/detail?id=${row.process}-${row.sequence}`, {
    headers,
  });
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON
  return {status: response.status, detail: (await response.json()) as any};
}

/** The header that the page sends its token in. */
export function bearer(token: string): {authorization?: string} {
  return token === '' ? {} : {authorization: `Bearer ${token}`};
}

/** Opens a stream and reads nothing of it. */
export function openSilently(url: string): Promise<{readonly status: number; close: () => void}> {
  return new Promise((resolve, reject) => {
    const request = ask(`${url}/_inspector/stream`, (response) => {
      if (response.statusCode !== 200) void text(response);
      response.on('error', () => {});
      resolve({status: response.statusCode ?? 0, close: () => request.destroy()});
    });
    request.on('error', reject).end();
  });
}
