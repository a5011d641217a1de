import {isJsonObject, readJson} from '../parse-json.js';
import {PaylensError} from '../paylens-error.js';

/** One side of a recorded exchange; secrets and card data are asterisks, in place. */
export interface RecordedMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As text; a response that came compressed is unpacked. */
  readonly body?: string;
  /** In place of `body`, if it is no UTF-8. */
  readonly bodyBase64?: string;
  /** Card data in the body was masked. */
  readonly masked?: true;
}

/** A line of `serve --record`: a request that was passed on, and the answer of the endpoint. */
export interface ExchangeRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Card data in one of the two was masked. */
  readonly masked?: true;
  readonly request: RecordedMessage & {readonly method: string; readonly target: string};
  readonly response: RecordedMessage & {readonly status: number};
}

/** Reads a line of a record. Throws 9002. */
export function parseExchange(line: string): ExchangeRecord {
  const read = readJson(line);
  const {request, response} = ('value' in read && isJsonObject(read.value) ? read.value : {}) as {
    readonly [name: string]: unknown;
  };
  const isExchange =
    isJsonObject(request) &&
    isJsonObject(response) &&
    typeof request.target === 'string' &&
    Array.isArray(response.headers) &&
    Number.isInteger(response.status) &&
    [request.body ?? '', response.body ?? ''].every((body) => typeof body === 'string');
  if (isExchange && 'value' in read) return read.value as unknown as ExchangeRecord;
  throw new PaylensError(9002, 'expected a line that `serve --record` has written');
}
