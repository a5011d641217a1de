import type {Readable} from 'node:stream';
import {PaylensError} from '../../contract/paylens-error.js';

/** Where a body is collected. */
interface BodyRoom {
  readonly maxBytes: number;
  /** Asks for room; `bytes` is the size of its buffer now, and was `before`. */
  readonly resize: (before: number, bytes: number) => boolean;
  /** Fails with 2009 if the parts are many and small: each takes microseconds, whatever its size. */
  readonly limitsParts?: boolean;
}

type BodyDone = (error: Error | null, body?: Uint8Array) => void;

const EMPTY = new Uint8Array();
const MIN_GROWTH_BYTES = 1024;
/** So many parts are accepted whatever their size; of more, each must have so many bytes on average. */
const MAX_SMALL_PARTS = 64;
const MIN_PART_BYTES = 32;

/**
 * Collects a body in one buffer that grows, whatever the size of its parts. Fails with 2006 above
 * `maxBytes`, with 2 if there is no room, with 2009 if the client leaves or if `limitsParts` does not permit its
 * parts.
 */
export function collectBody(stream: Readable, room: BodyRoom, done: BodyDone): void {
  const {resize} = room;
  let buffer: Uint8Array = EMPTY;
  let [size, parts] = [0, 0];
  const leave = () => {
    release();
    resize(buffer.length, 0);
  };
  const fail = (error: Error) => {
    leave();
    done(error);
  };
  const onError = () => fail(new PaylensError(2009, 'the connection was lost within the body'));
  const onData = (part: Uint8Array) => {
    const needed = size + part.length;
    const refusal = refusalOf(++parts, needed, room);
    if (refusal) return fail(refusal);
    const {length} = buffer;
    if (needed > length) {
      // Mostly the first part is the whole body.
      buffer = size === 0 ? part : grown(buffer, needed, room.maxBytes);
      if (!resize(length, buffer.length)) return fail(new PaylensError(2, 'overloaded'));
    }
    if (buffer !== part) buffer.set(part, size);
    size = needed;
  };
  const onEnd = () => {
    release();
    done(null, size === buffer.length ? buffer : buffer.subarray(0, size));
  };
  const release = () => {
    stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', leave);
  };
  stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', leave);
}

function refusalOf(parts: number, bytes: number, room: BodyRoom): PaylensError | undefined {
  if (bytes > room.maxBytes) return tooLarge(room.maxBytes);
  if (!room.limitsParts || parts <= MAX_SMALL_PARTS || bytes >= parts * MIN_PART_BYTES)
    return undefined;
  return new PaylensError(2009, `the body came in ${parts} chunks: expected larger ones`);
}

/** The error of a body with more bytes than the limit. */
export function tooLarge(maxBytes: number): PaylensError {
  return new PaylensError(2006, `expected at most ${maxBytes} bytes`);
}

/** A copy of `buffer` with room for so many bytes, outside of the pool that small buffers share. */
function grown(buffer: Uint8Array, needed: number, maxBytes: number): Uint8Array {
  const larger = Buffer.allocUnsafeSlow(Math.min(2 * needed + MIN_GROWTH_BYTES, maxBytes));
  larger.set(buffer);
  return larger;
}
