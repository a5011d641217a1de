import {PaylensError} from '../contract/paylens-error.js';
import {type NetworkOptions, openDispatcher} from './dispatcher.js';
import {networkReason} from './network-reason.js';

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

/** Sends POST requests with JSON over kept connections. */
export interface Transport {
  /** Throws 9020 when no whole answer came in time. */
  readonly post: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/** Opens a transport. Throws 9001 for a proxy URL that is none. */
export async function openTransport(options: NetworkOptions): Promise<Transport> {
  const {request: send} = await import('undici');
  const dispatcher = await openDispatcher(options);
  return {
    post: async ({url, body, authorization}) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(authorization !== undefined && {authorization}),
      };
      try {
        const signal = AbortSignal.timeout(options.timeout);
        const init = {method: 'POST', headers, body, signal, dispatcher} as const;
        const {statusCode, headers: received, body: stream} = await send(url, init);
        const bytes = new Uint8Array(await stream.arrayBuffer());
        return {status: statusCode, body: bytes, header: (name) => [received[name] ?? []].flat()};
      } catch (error) {
        throw networkError(error, options.timeout);
      }
    },
    close: () => dispatcher.close(),
  };
}

function networkError(error: unknown, timeout: number): PaylensError {
  const {name, code, cause} = error as {name?: string; code?: string; cause?: {code?: string}};
  if (name === 'TimeoutError')
    return new PaylensError(9020, `no answer within ${timeout / 1000} s`, {cause: error});
  return new PaylensError(9020, networkReason(code ?? cause?.code), {cause: error});
}
