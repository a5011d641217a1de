import type {Socket} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';

const closed = new WeakMap<Socket, AbortSignal>();

/**
 * Waits before an answer, but not for a client that has left: what waits keeps its request in memory.
 */
export async function waitForClient(milliseconds: number, socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const signal = closed.get(socket) ?? closing(socket);
  await wait(milliseconds, undefined, {ref: false, signal}).catch(() => {});
}

/** One for all requests of a connection: each listener of a socket takes memory. */
function closing(socket: Socket): AbortSignal {
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  closed.set(socket, controller.signal);
  return controller.signal;
}
