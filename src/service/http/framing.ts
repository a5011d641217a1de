import type {IncomingMessage} from 'node:http';
import {PaylensError} from '../../contract/paylens-error.js';
import {headerValues} from './media-type.js';

/** The 2009 of a request that Node's parser lets through although RFC 9112 forbids it. */
export function framingError(request: IncomingMessage): PaylensError | undefined {
  const {rawHeaders, httpVersion, url = ''} = request;
  const hosts = headerValues(rawHeaders, 'host').length;
  const codings = headerValues(rawHeaders, 'transfer-encoding').join(',');
  const why =
    (!/^1\.[01]$/.test(httpVersion) && 'the request line has no HTTP/1.1') ||
    (hosts > 1 && 'two Host headers') ||
    (hosts === 0 && httpVersion !== '1.0' && 'no Host header') ||
    (codings !== '' &&
      codings.trim().toLowerCase() !== 'chunked' &&
      'transfer coding not chunked') ||
    (url.includes('#') && 'a fragment in the request target');
  return why ? new PaylensError(2009, why) : undefined;
}
