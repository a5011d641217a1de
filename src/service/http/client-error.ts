import {type ServerResponse, STATUS_CODES} from 'node:http';
import type {Socket} from 'node:net';
import {PaylensError} from '../../contract/paylens-error.js';
import type {HttpAnswer} from './http-message.js';
import type {Refusal} from './refusals.js';

interface ParserError extends Error {
  readonly code?: string;
}

/**
 * Responds to anything that did not become a request: malformed HTTP 400, late 408, oversized
 * headers 431.
 */
export function answerClientError(
  error: ParserError,
  socket: Socket,
  refuse: (refusal: Refusal) => HttpAnswer,
): void {
  // While a response is being sent, a second one would be read as part of it.
  const {_httpMessage: underWay} = socket as {readonly _httpMessage?: ServerResponse};
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_CODE[error.code ?? ''] ?? 400;
  const {body, headers} = refuse({error: new PaylensError(2009), status});
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};
