import {PaylensError} from '../contract/paylens-error.js';
import {type NetworkOptions, openDispatcher} from './dispatcher.js';
import {exchange, type HttpCall, type HttpReply} from './exchange.js';

export interface HttpRequest {
  readonly url: string;
  readonly body: Uint8Array;
  readonly authorization?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  /** The values of a header, by its name in lower case. */
  readonly header: (name: string) => readonly string[];
}

/** Sends POST requests with JSON over persistent connections. */
export interface Transport {
  /** Throws 9020 when no whole answer came in time, 9021 when it redirects, is encoded or longer than 1 MiB. */
  readonly post: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/** Called with every request before it is sent, and with its response. */
export interface Watcher {
  readonly sent: (call: HttpCall) => void;
  readonly received: (reply: HttpReply) => void;
}

/** Opens a transport. */
export async function openTransport(
  options: NetworkOptions,
  watcher?: Watcher,
): Promise<Transport> {
  const dispatcher = await openDispatcher(options);
  return {
    post: async ({url, body, authorization}) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(authorization !== undefined && {authorization}),
      };
      const call = {url, verb: 'POST', headers, body};
      watcher?.sent(call);
      const reply = await exchange(call, {timeout: options.timeout, dispatcher});
      watcher?.received(reply);
      assertPlain(call, reply);
      const {status, headers: received} = reply;
      return {status, body: reply.body, header: (name) => received[name] ?? []};
    },
    close: () => dispatcher.destroy(),
  };
}

/** Refuses what no client of the interface can use: a redirect, and a body that is not plain JSON. */
function assertPlain({url}: HttpCall, {status, headers}: HttpReply): void {
  const from = `POST ${url}: HTTP ${status}: expected a response of the interface`;
  const encodings = (headers['content-encoding'] ?? []).join(', ');
  if (status >= 300 && status < 400)
    throw new PaylensError(9021, `${from}, found a redirect ${targetOf(headers.location, url)}`, {
      hint: 'Redirects are not followed: a signature holds for one path, and credentials for one host. If the new address is right, pass it as the base URL.',
    });
  if (encodings !== '' && encodings.toLowerCase() !== 'identity')
    throw new PaylensError(9021, `${from}, found Content-Encoding ${JSON.stringify(encodings)}`, {
      hint: 'The request allows no encoding (Accept-Encoding: identity), and the interface has JSON. Switch compression off in the endpoint, or in what stands in front of it.',
    });
}

/** Where a redirect points, without the query and a password, which may be secret. */
function targetOf([location = '']: readonly string[] = [], base: string): string {
  if (location === '' || !URL.canParse(location, base)) return 'without a usable Location';
  const {protocol, host, pathname} = new URL(location, base);
  return `to ${protocol}//${host}${pathname}`;
}
