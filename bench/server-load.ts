import {connect, type Socket} from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * Sends all requests over `connections`; each connection sends the next when it has its response.
 */
export async function saturate(
  port: number,
  requests: readonly Uint8Array[],
  connections = 32,
): Promise<void> {
  const lines = await openLines(port, connections);
  let next = 0;
  const work = lines.map(async (line) => {
    for (let request = requests[next++]; request; request = requests[next++])
      await new Promise<void>((answered, lost) => line.send(request, answered, lost));
  });
  await Promise.all(work);
  for (const line of lines) line.close();
}

/**
 * Sends all requests at `rate` per second, without waiting for responses, and returns the
 * milliseconds that each took from the time it was due. It keeps almost nothing of a request: time
 * spent in its own garbage collector would count as latency of the server.
 */
export async function pace(
  port: number,
  requests: readonly Uint8Array[],
  rate: number,
  connections = 64,
): Promise<Float64Array> {
  const lines = await openLines(port, connections);
  const free = [...lines];
  const took = new Float64Array(requests.length);
  let answered = 0;
  let loss: Error | undefined;
  const lost = (error: Error) => {
    loss = error;
  };
  const begin = performance.now();
  const dueAt = (index: number) => begin + (index * 1000) / rate;
  for (let sent = 0; answered < requests.length; await nextTurn()) {
    if (loss) throw loss;
    while (sent < requests.length && dueAt(sent) <= performance.now()) {
      const line = free.pop();
      if (!line) break;
      const index = sent++;
      const done = () => {
        took[index] = performance.now() - dueAt(index);
        answered += 1;
        free.push(line);
      };
      line.send(requests[index] as Uint8Array, done, lost);
    }
  }
  for (const line of lines) line.close();
  return took;
}

function openLines(port: number, count: number): Promise<Line[]> {
  return Promise.all(Array.from({length: count}, () => Line.open(port)));
}

/** A keep-alive connection with at most one request in flight. */
class Line {
  readonly #socket: Socket;
  #received: Buffer = NOTHING;
  #answered = () => {};
  #lost: (error: Error) => void = () => {};

  static async open(port: number): Promise<Line> {
    const socket = connect({port, host: '127.0.0.1', noDelay: true});
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new Line(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('close', () => this.#lost(new Error('the connection was closed')));
  }

  /** Calls `answered` when the response is complete, `lost` if its status is not 200. */
  send(request: Uint8Array, answered: () => void, lost: (error: Error) => void): void {
    this.#answered = answered;
    this.#lost = lost;
    this.#socket.write(request);
  }

  close(): void {
    this.#lost = () => {};
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received === NOTHING ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = received;
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < end + HEAD_END.length + length) return;
    this.#received = NOTHING;
    if (head.startsWith('HTTP/1.1 200')) this.#answered();
    else this.#lost(new Error(received.toString()));
  }
}

/** Sleeps in between: with busy waiting the server's other threads would have no core. */
function nextTurn(): Promise<void> {
  Atomics.wait(CELL, 0, 0, NAP_MS);
  return new Promise((resolve) => setImmediate(resolve));
}

const CELL = new Int32Array(new SharedArrayBuffer(4));
const NAP_MS = 0.05;
