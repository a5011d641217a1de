import {connect, type Socket} from 'node:net';

/** One HTTP response as received. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string[]>;
  readonly body: string;
}

/**
 * Sends bytes over a new socket and reads until the server closes, or until `expected` responses
 * are complete. `act` may send more.
 */
export async function exchange(
  url: string,
  sent: string | Uint8Array,
  expected = 1,
  act: (socket: Socket) => unknown = () => {},
): Promise<RawResponse[]> {
  const {hostname, port} = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const finish = () => {
      socket.destroy();
      resolve(split(Buffer.concat(chunks)));
    };
    socket.setTimeout(50_000, () => reject(new Error('no answer within 50 s')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (split(Buffer.concat(chunks)).length >= expected) finish();
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    );
    socket.on('close', finish);
    socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent);
    act(socket);
  });
}

/** A POST as text: the given header lines, then Content-Length, then the body. */
export function post(target: string, headers: readonly string[], body = ''): string {
  const lines = [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function split(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes.toString('latin1');
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return responses;
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map<string, string[]>();
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase();
      const value = line.slice(line.indexOf(':') + 1).trim();
      headers.set(name, [...(headers.get(name) ?? []), value]);
    }
    const length = Number(headers.get('content-length')?.[0] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return responses;
    const status = Number(statusLine.split(' ')[1]);
    if (status !== 100)
      responses.push({status, headers, body: Buffer.from(body, 'latin1').toString()});
    rest = rest.slice(end + 4 + length);
  }
}
