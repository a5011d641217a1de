import {isatty, ReadStream} from 'node:tty';
import type {PaylensError} from '../../contract/paylens-error.js';
import {note} from '../output/output.js';

/** The maximum size of a stream, and the error beyond it. */
export interface Limit {
  readonly bytes: number;
  readonly error: () => PaylensError;
}

/** All bytes of stdin. Throws the error of the limit as soon as there are more. */
export function readStdin(limit?: Limit): Promise<Buffer> {
  return readStream(openStdin(), limit);
}

/** Stdin for reading to its end; on a terminal a note says how to end it. */
export function openStdin(): ReadStream {
  if (!isatty(0)) return process.stdin;
  note(`Reading from the terminal: paste the input, then press Enter and ${END_KEYS}.`);
  // A separate stream: later prompts could not read from an ended process.stdin.
  return new ReadStream(0);
}

const END_KEYS = process.platform === 'win32' ? 'Ctrl-Z, Enter' : 'Ctrl-D';

/** All bytes of a stream. Throws the error of the limit as soon as there are more. */
export async function readStream(stream: NodeJS.ReadableStream, limit?: Limit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (limit && size > limit.bytes) throw limit.error();
  }
  return Buffer.concat(chunks);
}
