import type {PaylensError} from '../../contract/paylens-error.js';

/** The maximum size of a stream, and the error beyond it. */
interface Limit {
  readonly bytes: number;
  readonly error: () => PaylensError;
}

/** All bytes of stdin. Throws the error of the limit as soon as there are more. */
export function readStdin(limit?: Limit): Promise<Buffer> {
  return readStream(process.stdin, limit);
}

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
