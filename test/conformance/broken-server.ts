import {createServer, type IncomingHttpHeaders, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {request} from 'undici';

/** A request as a deviation looks at it. */
export interface Asked {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly authorization: string;
  readonly text: string;
  /** Empty when the body is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The Authorization headers before this one. */
  readonly before: readonly string[];
}

/** The answer to it, which a deviation may change. */
export interface Passing {
  status: number;
  headers: Record<string, string | string[]>;
  text: string;
}

/** Breaks a rule in some of the answers. */
export type Deviation = (asked: Asked, passing: Passing) => void;

/** A proxy in front of a correct server. */
export interface BrokenServer {
  readonly url: string;
  /** From now on these deviations change the answers. */
  readonly deviate: (deviations: readonly Deviation[]) => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy between the scenarios and the correct server at `upstream`. */
export async function startBrokenServer(upstream: string): Promise<BrokenServer> {
  let armed: readonly Deviation[] = [];
  let before: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const text = await bodyOf(incoming);
    const passing = await pass(upstream, incoming, text);
    const {method: verb = '', url: path = '', headers} = incoming;
    const {authorization = ''} = headers;
    const asked = {verb, path, headers, authorization, text, body: objectOf(text), before};
    for (const deviation of armed) deviation(asked, passing);
    before = [...before, authorization];
    outgoing.writeHead(passing.status, passing.headers).end(passing.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    deviate: (deviations) => {
      armed = deviations;
      before = [];
    },
    close: () => closed(server),
  };
}

async function pass(upstream: string, incoming: IncomingMessage, body: string): Promise<Passing> {
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

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
