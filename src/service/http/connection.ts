import type {ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** A connection as the load limits see it; times in milliseconds. */
export interface Connection {
  /** Bytes that the client has read, or also sent once it has read all; `since`: last change. */
  moved: number;
  since: number;
  /** Bytes that the client has read; `servedAt`: last change. */
  read: number;
  servedAt: number;
  /** Unread bytes of responses, with overhead. */
  waiting: number;
  /** Bytes of the bodies of its open requests. */
  bodies: number;
}

export function newConnection(now: number): Connection {
  return {moved: 0, since: now, read: 0, servedAt: now, waiting: 0, bodies: 0};
}

/** Notes what has changed. While responses are unread, sending more requests is no progress. */
export function observe(socket: Socket, connection: Connection, now: number): void {
  const {bytesRead, bytesWritten, writableLength} = socket;
  const read = bytesWritten - writableLength;
  const moved = writableLength > 0 ? read : bytesRead + read;
  if (moved !== connection.moved) Object.assign(connection, {moved, since: now});
  if (read !== connection.read) Object.assign(connection, {read, servedAt: now});
}

/** Whether the client waits for its response: the request is complete, and nothing is unread. */
export function isWaiting(socket: Socket): boolean {
  const {_httpMessage: response} = socket as {readonly _httpMessage?: ServerResponse};
  return socket.writableLength === 0 && response?.req.complete === true;
}
