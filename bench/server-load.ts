import {connect, type Socket} from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** A keep-alive connection that has one request in flight at most. */
interface Line {
  /** Resolves when the answer is complete; rejects when its status is not 200. */
  readonly send: (request: Uint8Array) => Promise<void>;
  readonly close: () => void;
}

/** Sends all requests over `connections`, each the next as soon as its last was answered. */
export async function saturate(
  port: number,
  requests: readonly Uint8Array[],
  connections = 32,
): Promise<void> {
  const lines = await openLines(port, connections);
  let next = 0;
  const work = lines.map(async ({send}) => {
    for (let request = requests[next++]; request; request = requests[next++]) await send(request);
  });
  await Promise.all(work);
  for (const {close} of lines) close();
}

/**
 * Sends all requests at `rate` a second, come what may, and returns how many milliseconds each took
 * from the moment it was due.
 */
export async function pace(
  port: number,
  requests: readonly Uint8Array[],
  rate: number,
  connections = 64,
): Promise<number[]> {
  const free = await openLines(port, connections);
  const all = [...free];
  const took: number[] = [];
  const begin = performance.now();
  const answered: Promise<void>[] = [];
  for (let sent = 0; sent < requests.length; await nextTurn()) {
    const due = (performance.now() - begin) * (rate / 1000);
    for (let line = free.pop(); line; line = sent < due ? free.pop() : undefined) {
      const request = requests[sent];
      if (sent >= due || !request) {
        free.push(line);
        break;
      }
      const dueAt = begin + (sent * 1000) / rate;
      const used = line;
      const back = used.send(request).then(() => {
        took.push(performance.now() - dueAt);
        free.push(used);
      });
      answered.push(back);
      sent += 1;
    }
  }
  await Promise.all(answered);
  for (const {close} of all) close();
  return took;
}

function openLines(port: number, count: number): Promise<Line[]> {
  return Promise.all(Array.from({length: count}, () => openLine(port)));
}

async function openLine(port: number): Promise<Line> {
  const socket = connect({port, host: '127.0.0.1', noDelay: true});
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {send: (request) => exchange(socket, request), close: () => socket.destroy()};
}

function exchange(socket: Socket, request: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf(HEAD_END);
      if (end < 0) return;
      const head = received.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      socket.off('data', take).off('close', lost);
      if (head.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(received.toString()));
    };
    const lost = () => reject(new Error('the connection was closed'));
    socket.on('data', take).once('close', lost);
    socket.write(request);
  });
}

/** Sleeps in between: a load that spins leaves the server's other threads no core of two. */
function nextTurn(): Promise<void> {
  Atomics.wait(CELL, 0, 0, NAP_MS);
  return new Promise((resolve) => setImmediate(resolve));
}

const CELL = new Int32Array(new SharedArrayBuffer(4));
const NAP_MS = 0.05;
