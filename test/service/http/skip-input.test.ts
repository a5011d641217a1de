import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {resumeBodies, skipBody, skipRequests} from '../../../src/service/http/skip-input.js';

const HEAD = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const GET = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';
const body = (chunks: number) => `${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`;

/** What a server answers to all that one connection sends. */
async function answerOf(listener: RequestListener, sent: string): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => {});
  socket.write(sent);
  socket.end();
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** Resolves with the number of chunks at the end of a body. */
function chunksOf(request: IncomingMessage): Promise<number> {
  let chunks = 0;
  request.on('data', () => chunks++);
  return new Promise((resolve) => request.once('close', () => resolve(chunks)));
}

describe('a body that is skipped', () => {
  test('is handed on up to there, and ends as any other', async () => {
    let ended = false;
    let chunks = 0;
    const listener: RequestListener = (request, response) => {
      request.on('data', () => {
        chunks++;
        if (chunks === 3) skipBody(request.socket);
      });
      request.on('end', () => {
        ended = true;
        response.end();
      });
    };
    expect(await answerOf(listener, HEAD + body(5000))).toContain('HTTP/1.1 200');
    expect([chunks, ended]).toEqual([3, true]);
  });

  test('is followed by bodies that are not', async () => {
    const counts: Promise<number>[] = [];
    const listener: RequestListener = (request, response) => {
      resumeBodies(request.socket);
      counts.push(chunksOf(request));
      if (counts.length === 1) skipBody(request.socket);
      request.on('end', () => response.end());
    };
    await answerOf(listener, `${HEAD}${body(7)}${HEAD}${body(7)}`);
    expect(await Promise.all(counts)).toEqual([0, 7]);
  });

  test('leaves the parser as it was for the next connection', async () => {
    const counts: number[] = [];
    for (let i = 0; i < 4; i++)
      await answerOf(async (request, response) => {
        const chunks = chunksOf(request);
        if (i % 2 === 0) skipBody(request.socket);
        request.on('end', () => response.end());
        counts.push(await chunks);
      }, HEAD + body(9));
    expect(counts).toEqual([0, 9, 0, 9]);
  });
});

test('requests that are skipped are not made, and what comes later is reported', async () => {
  let made = 0;
  let reported = 0;
  await answerOf((request, response) => {
    made++;
    if (made === 2) skipRequests(request.socket, () => reported++);
    response.end();
  }, GET.repeat(500));
  expect([made, reported]).toEqual([2, 1]);
});
