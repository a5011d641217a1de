import {ERROR_CATALOGUE} from '../../contract/error-catalogue.js';
import {errorObjectOf} from '../../contract/error-object.js';
import type {PaylensError} from '../../contract/paylens-error.js';

/** A response of the service: always JSON, always with a messageId. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

interface Ids {
  readonly messageId: string;
  readonly reference?: string | undefined;
}

/** Seconds after which a client may try again, when the service is busy or a store is away. */
const RETRY_AFTER = '1';

/** The error object of `error`, with the status of the catalogue unless the case has its own. */
export function errorAnswer(
  error: PaylensError,
  ids: Ids,
  extra: {status?: number; headers?: HttpAnswer['headers']} = {},
): HttpAnswer {
  const status = extra.status ?? ERROR_CATALOGUE[error.code].http ?? 500;
  const retry = status === 503 ? {'retry-after': RETRY_AFTER} : {};
  return {
    status,
    headers: {...JSON_HEADERS, ...retry, ...extra.headers},
    body: JSON.stringify(errorObjectOf(error, ids)),
  };
}

/** The success response: `success`, `reference` if one was sent, `messageId`, then the result. */
export function successAnswer({messageId, reference}: Ids, result: object = {}): HttpAnswer {
  const body = JSON.stringify({success: true, reference, messageId, ...result});
  return {status: 200, headers: JSON_HEADERS, body};
}

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
} as const;
