import type {Readable} from 'node:stream';
import {FrameSplitter, type WireFrame} from '../../engine/framing/frame-splitter.js';

/** How a device ends that is unplugged, a pseudo-terminal or a connection whose other end is closed. */
const GONE: ReadonlySet<string> = new Set(['EIO', 'ENXIO', 'ENODEV', 'ECONNRESET']);

/**
 * Gives each frame of a stream to `take`, one after another. What is unfinished after `idleMs`
 * without a byte, or at the end, has ended. The stream ends with the signal.
 */
export async function takeFrames(
  stream: Readable,
  {idleMs, signal}: {readonly idleMs: number; readonly signal: AbortSignal},
  take: (frame: WireFrame) => Promise<void>,
): Promise<void> {
  const splitter = new FrameSplitter();
  let taken = Promise.resolve();
  const takeAll = (frames: readonly WireFrame[]) => {
    for (const frame of frames) taken = taken.then(() => take(frame));
    // Whoever awaits it meets the error; until then it must not count as unhandled.
    taken.catch(() => stream.destroy());
  };
  let idle: NodeJS.Timeout | undefined;
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, {once: true});
  if (signal.aborted) stop();
  try {
    for await (const chunk of stream) {
      clearTimeout(idle);
      takeAll(splitter.push(chunk));
      idle = setTimeout(() => takeAll(splitter.flush()), idleMs);
      await taken;
    }
  } catch (error) {
    if (!stream.destroyed || !isEnd(error)) throw error;
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', stop);
  }
  takeAll(splitter.flush());
  await taken;
}

function isEnd(error: unknown): boolean {
  const {code = ''} = error as {code?: string};
  return GONE.has(code) || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}
