import {isMarked} from '../../contract/parse-json.js';
import {assertNotUtf16} from '../../engine/decode-input.js';

const LINE_END = 0x0a;

/** The body size that the service accepts. */
export const MAX_LINE_BYTES = 65_536;

/**
 * Cuts a stream of bytes into blocks of whole lines, each in its own ArrayBuffer, as soon as they
 * arrive. Of a line longer than `MAX_LINE_BYTES` only the first `MAX_LINE_BYTES` + 1 bytes are kept.
 * The last line may lack its line ending. A leading byte order mark is dropped. Throws 9002 on UTF-16.
 */
export async function* readBlocks(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array();
  for await (const chunk of withoutMark(stream)) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      yield joined(rest, chunk.subarray(0, end), chunk.indexOf(LINE_END));
      rest = new Uint8Array();
    }
    if (rest.length <= MAX_LINE_BYTES) rest = beginning(rest, chunk.subarray(end));
  }
  if (rest.length > 0) yield rest;
}

const MARK_BYTES = 3;

async function* withoutMark(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of stream) {
    if (start) start = concat([start, chunk]);
    if (start && start.length < MARK_BYTES) continue;
    if (start) assertNotUtf16(start);
    yield start && isMarked(start) ? start.subarray(MARK_BYTES) : (start ?? chunk);
    start = undefined;
  }
  if (start) yield start;
}

/** The rest of the last chunk, and lines whose first ends at `firstEnd`. */
function joined(rest: Uint8Array, lines: Uint8Array, firstEnd: number): Uint8Array {
  const isLong = rest.length + firstEnd > MAX_LINE_BYTES;
  const kept = isLong ? Math.max(0, MAX_LINE_BYTES + 1 - rest.length) : firstEnd;
  return concat([rest, lines.subarray(0, kept), lines.subarray(firstEnd)]);
}

function beginning(rest: Uint8Array, more: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([rest, more.subarray(0, MAX_LINE_BYTES + 1 - rest.length)]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
