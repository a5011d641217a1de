import type {Socket} from 'node:net';

/** What Node's HTTP server sets on the parser of a connection. Its callbacks have numbers as names. */
interface NodeParser {
  onIncoming: ((...given: never[]) => number) | null;
  [callback: number]: unknown;
}

/** Tells the parser that another protocol follows, so that it does not parse what follows as HTTP. */
const OTHER_PROTOCOL = 2;
const resumptions = new WeakMap<Socket, () => void>();

/**
 * Skips what else was read of a connection, and calls `onMore` when more comes. Otherwise Node makes a
 * request of everything that it has read, hundreds in 64 KiB, even after the connection was destroyed.
 */
export function skipRequests(socket: Socket, onMore = () => {}): void {
  const parser = parserOf(socket);
  if (!parser) return;
  parser.onIncoming = () => {
    onMore();
    return OTHER_PROTOCOL;
  };
}

/**
 * Parses the rest of a body without handing it on, until `resumeBodies`. Node takes two microseconds
 * for each chunk of a body, even if nobody reads it; a chunk may have one byte.
 */
export function skipBody(socket: Socket): void {
  const parser = parserOf(socket);
  const callbacks = Object.entries((parser ?? {}) as Readonly<Record<string, unknown>>);
  const isOnBody = (value: unknown) => typeof value === 'function' && value.name === 'parserOnBody';
  const [key, onBody] = callbacks.find(([, value]) => isOnBody(value)) ?? [];
  if (!parser || key === undefined) return;
  const resume = () => {
    parser[Number(key)] = onBody;
  };
  parser[Number(key)] = undefined;
  resumptions.set(socket, resume);
  // Node then uses the parser for another connection.
  socket.once('close', resume);
}

/** Hands on the bodies of further requests. */
export function resumeBodies(socket: Socket): void {
  const resume = resumptions.get(socket);
  if (!resume) return;
  resumptions.delete(socket);
  socket.off('close', resume);
  resume();
}

function parserOf(socket: Socket): NodeParser | undefined {
  return (socket as {readonly parser?: NodeParser | null}).parser ?? undefined;
}
