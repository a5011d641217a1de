import {execFile} from 'node:child_process';
import {on, once} from 'node:events';
import {constants, createReadStream, writeSync} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {connect, createServer, type Socket} from 'node:net';
import type {Readable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {ReadStream} from 'node:tty';
import {promisify} from 'node:util';
import {isLoopbackAddress, isLoopbackName} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemReason} from '../../files/system-error.js';
import {openStdin} from '../input/read-stream.js';
import {note, warn} from '../output/output.js';

/** One connection to a terminal, from its first byte to its last. */
export interface Connection {
  readonly stream: Readable;
  /** Sends bytes to the terminal; absent: it cannot be written to. */
  readonly write?: (bytes: Uint8Array) => void;
}

/** Where the bytes of terminals come from. */
export interface Source {
  readonly name: string;
  /** Whether several terminals may be connected at once. */
  readonly isServer: boolean;
  /** Milliseconds of silence after which an unfinished frame has ended. */
  readonly idleMs: number;
  /** Opens it. Rejects with 9002 or 9020. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Connection>;
}

const SERIAL_IDLE_MS = 150;
const NETWORK_IDLE_MS = 1000;
/** How long after a failure a source is tried again. */
const RETRY_MS = 1000;

const KINDS: readonly (readonly [RegExp, (...parts: string[]) => Source])[] = [
  [/^-$/, stdinSource],
  [/^tcp-listen:(?:\[([\da-f:.]+)\]:|([^:]+):)?(\d{1,5})$/i, serverSource],
  [/^tcp:(?:\[([\da-f:.]+)\]|([^:]+)):(\d{1,5})$/i, clientSource],
  [/^(?!tcp(?:-listen)?:)(.+?)(?::(\d+))?$/, deviceSource],
];

/** The source that a text names: `-`, tcp:HOST:PORT, tcp-listen:PORT, or DEVICE:BAUD. Throws 9001. */
export function sourceOf(text: string): Source {
  for (const [pattern, source] of KINDS) {
    const match = pattern.exec(text);
    if (match && !hasNoPort(text, match.at(-1))) return source(...match.slice(1));
  }
  throw new PaylensError(
    9001,
    `${text}: expected tcp:HOST:PORT or tcp-listen:PORT, with a port of at most ${MAX_PORT}`,
  );
}

const MAX_PORT = 65_535;

/** Whether a text of a network source has a port that there is not. */
function hasNoPort(text: string, port: string | undefined): boolean {
  return /^tcp/i.test(text) && Number(port) > MAX_PORT;
}

/** The connections of a source one after another; it is opened again and again if `retries`. */
export async function* connectionsOf(
  source: Source,
  retries: boolean,
  signal: AbortSignal,
): AsyncGenerator<Connection> {
  for (;;) {
    try {
      yield* source.open(signal);
      if (retries) note(`${source.name} has ended; waiting for it.`);
    } catch (error) {
      if (!retries || signal.aborted) throw error;
      note(`${(error as Error).message}; waiting for it.`);
    }
    if (!retries || signal.aborted) return;
    await delay(RETRY_MS, undefined, {signal});
  }
}

function stdinSource(): Source {
  const open = async function* () {
    yield {stream: openStdin()};
  };
  return {name: 'stdin', isServer: false, idleMs: NETWORK_IDLE_MS, open};
}

function clientSource(ipv6 = '', name = '', port = ''): Source {
  const host = ipv6 || name;
  const address = `${host}:${port}`;
  const open = async function* (signal: AbortSignal) {
    const socket = connect({host, port: Number(port), noDelay: true, signal});
    await whenOpen(socket, 'connect', address);
    yield connectionOn(socket);
  };
  return {name: address, isServer: false, idleMs: NETWORK_IDLE_MS, open};
}

function serverSource(ipv6 = '', name = '', port = ''): Source {
  const host = ipv6 || name || '127.0.0.1';
  const open = async function* (signal: AbortSignal) {
    const server = createServer({noDelay: true}).listen({host, port: Number(port), signal});
    await whenOpen(server, 'listening', `${host}:${port}`);
    const address = server.address();
    const isOwn = isLoopbackAddress(host) || isLoopbackName(host);
    if (!isOwn) warn('Others on the network can connect and send reads.');
    note(`Listening on ${host}:${typeof address === 'object' ? address?.port : port}`);
    for await (const [socket] of on(server, 'connection', {signal})) yield connectionOn(socket);
  };
  return {name: `${host}:${port}`, isServer: true, idleMs: NETWORK_IDLE_MS, open};
}

function deviceSource(path = '', baud?: string): Source {
  const connections = async function* () {
    const {O_RDWR, O_NOCTTY, O_NONBLOCK} = constants;
    const file = await open(path, O_RDWR | O_NOCTTY | O_NONBLOCK).catch((error: unknown) => {
      throw new PaylensError(9002, `${path}: ${systemReason(error)}`);
    });
    const stream = await streamOf(file, path, baud);
    yield {stream, write: (bytes: Uint8Array) => writeSync(file.fd, bytes)};
  };
  return {name: path, isServer: false, idleMs: SERIAL_IDLE_MS, open: connections};
}

/** A serial device, which gets every byte as it is; or a file of captured bytes. */
async function streamOf(file: FileHandle, path: string, baud: string | undefined) {
  if (!(await file.stat()).isCharacterDevice()) return file.createReadStream();
  if (baud !== undefined) await setSpeed(path, baud);
  try {
    return new ReadStream(file.fd).setRawMode(true);
  } catch {
    // No terminal device, such as /dev/hidraw0.
    return createReadStream(path, {fd: file});
  }
}

async function setSpeed(path: string, baud: string): Promise<void> {
  const selects = process.platform === 'darwin' ? '-f' : '-F';
  try {
    await promisify(execFile)('stty', [selects, path, baud, 'raw', '-echo']);
  } catch {
    throw new PaylensError(9002, `${path}: the speed ${baud} could not be set`, {
      hint: 'Check that it is a serial device that takes this speed, and that stty is installed.',
    });
  }
}

async function whenOpen(
  emitter: Socket | ReturnType<typeof createServer>,
  event: string,
  at: string,
) {
  try {
    await once(emitter, event);
  } catch (error) {
    throw new PaylensError(9020, `${at}: ${systemReason(error)}`, {
      hint: 'Check the address, and that the terminal or its bridge is running.',
    });
  }
}

function connectionOn(socket: Socket): Connection {
  // Whoever reads meets the error; without a listener it would end the process.
  socket.on('error', () => {});
  return {stream: socket, write: (bytes) => socket.write(bytes)};
}
