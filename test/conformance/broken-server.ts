import {createServer, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {request} from 'undici';

/** A response that a break may change before it is forwarded. */
export interface Passing {
  status: number;
  headers: Record<string, string | string[]>;
  text: string;
  /** The body of the previous response. */
  previous: string;
}

/** A proxy in front of a correct server that breaks one rule in the last response. */
export interface BrokenServer {
  readonly url: string;
  /** From now on the response to the `last`-th request is changed by `change`. */
  readonly arm: (last: number, change: (passing: Passing) => void) => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy between the scenarios and the correct server at `upstream`. */
export async function startBrokenServer(upstream: string): Promise<BrokenServer> {
  let remaining = 0;
  let previous = '';
  let expectsBody = true;
  let armed: (passing: Passing) => void = () => {};
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    const passing = {...(await pass(upstream, incoming, body)), previous};
    const isChallenge =
      body.length === 0 && incoming.method === 'POST' && remaining > 0 && expectsBody;
    if (!isChallenge && --remaining === 0) armed(passing);
    previous = passing.text;
    outgoing.writeHead(passing.status, passing.headers).end(passing.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arm: (last, change) => {
      remaining = Math.abs(last);
      expectsBody = last > 0;
      armed = change;
    },
    close: () => closed(server),
  };
}

async function pass(upstream: string, incoming: IncomingMessage, body: Buffer) {
  const {connection: _, host: __, 'transfer-encoding': ___, ...headers} = incoming.headers;
  const reply = await request(upstream + incoming.url, {
    method: incoming.method as 'POST',
    headers,
    body: incoming.method === 'GET' ? null : body,
  });
  const {'content-length': ____, connection: _____, ...kept} = reply.headers;
  const text = await reply.body.text();
  return {status: reply.statusCode, headers: kept as Passing['headers'], text};
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
