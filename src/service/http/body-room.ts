import type {Readable} from 'node:stream';
import {PaylensError} from '../../contract/paylens-error.js';

/** Bodies up to here are always taken: there are no more of them than connections. */
const SMALL = 8 * 1024;

type Done = (error: Error | null, body?: Uint8Array) => void;

interface RoomLimits {
  /** Bytes of one body. */
  readonly each: number;
  /** Bytes of all that are under way, small ones aside. */
  readonly together: number;
}

/** Where bodies are gathered: all of them together take so much memory and no more. */
export class BodyRoom {
  readonly #limits: RoomLimits;
  #held = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  /** Gathers a body. Fails with 2006 when it is too large, with 2 when there is no room. */
  gather(stream: Readable, done: Done): void {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let held = 0;
    const leave = () => {
      stream.off('data', onData).off('end', onEnd).off('error', end).off('close', leave);
      this.#held -= held;
      held = 0;
    };
    const end = (error: Error | null, body?: Uint8Array) => {
      leave();
      done(error, body);
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > SMALL) {
        this.#held += size - held;
        held = size;
      }
      const error = this.#errorOf(size);
      if (error) end(error);
    };
    const onEnd = () => end(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    stream.on('data', onData).on('end', onEnd).on('error', end).on('close', leave);
  }

  #errorOf(size: number): PaylensError | undefined {
    const {each, together} = this.#limits;
    if (size > each) return new PaylensError(2006, `expected at most ${each} bytes`);
    if (size > SMALL && this.#held > together) return new PaylensError(2, 'overloaded');
    return undefined;
  }
}
