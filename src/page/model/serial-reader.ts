import {decodeInput} from '../../engine/decode-input.js';
import {FrameSplitter, type WireFrame} from '../../engine/framing/frame-splitter.js';
import {upperHexOf} from '../../platform/bytes.js';
import {readInput} from './read-input.js';

/** What the page uses of a serial port (WebSerial). */
export interface ReaderPort {
  readonly open: (settings: {baudRate: number; bufferSize: number}) => Promise<void>;
  /** Null once the device is gone; another stream after an error of the line. */
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly close: () => Promise<void>;
  readonly forget: () => Promise<void>;
}

/** The browser's list of serial ports; undefined where there is none. */
export function serialPorts(): {readonly requestPort: () => Promise<ReaderPort>} | undefined {
  return 'serial' in navigator ? (navigator.serial as never) : undefined;
}

/** The default of 255 bytes loses parts of a read. */
const BUFFER_BYTES = 16_384;
/** Silence after which an unfinished message has ended. */
const IDLE_MS = 150;

/**
 * Opens a port and gives each read to `onRead`, until the port is gone or the signal is aborted; then
 * closes it. Writes nothing to it. Rejects if the port cannot be opened.
 */
export async function readPort(
  port: ReaderPort,
  {baudRate, signal}: {readonly baudRate: number; readonly signal: AbortSignal},
  onRead: (payload: string) => void,
): Promise<void> {
  await port.open({baudRate, bufferSize: BUFFER_BYTES});
  const splitter = new FrameSplitter();
  const take = (frames: readonly WireFrame[]) => {
    for (const frame of frames) {
      const payload = signal.aborted ? undefined : payloadOf(frame);
      if (payload !== undefined) onRead(payload);
    }
  };
  while (port.readable && !signal.aborted) {
    const reader = port.readable.getReader();
    const cancel = () => void reader.cancel().catch(() => {});
    signal.addEventListener('abort', cancel);
    let idle = 0;
    try {
      for (;;) {
        const {value} = await reader.read();
        clearTimeout(idle);
        if (!value) break;
        take(splitter.push(value));
        idle = setTimeout(() => take(splitter.flush()), IDLE_MS) as unknown as number;
      }
      break;
    } catch {
      // An error of the line, such as a lost byte: the port goes on with another stream.
    } finally {
      clearTimeout(idle);
      signal.removeEventListener('abort', cancel);
      reader.releaseLock();
    }
  }
  take(splitter.flush());
  await port.close().catch(() => {});
}

/** A read as text or hex; undefined if a message holds none. */
function payloadOf({form, bytes, damage}: WireFrame): string | undefined {
  const isText = form === 'line' || form === 'text';
  const payload = isText ? decodeInput(bytes) : upperHexOf(bytes);
  const failure = readInput(payload, undefined).failure?.code;
  return damage || failure !== 2100 ? payload : undefined;
}
