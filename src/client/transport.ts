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
  /** Throws 9020 when no whole answer came in time, 9021 when it is longer than 1 MiB. */
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
      const {status, headers: received} = reply;
      return {status, body: reply.body, header: (name) => received[name] ?? []};
    },
    close: () => dispatcher.destroy(),
  };
}
