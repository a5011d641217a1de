import {upperHexOf} from '../../platform/bytes.js';
import type {Part, Trace} from '../trace.js';

/** Records a run of bytes in hex, and what is known of it; nothing if it is empty. */
export function noteBytes(
  trace: Trace,
  offset: number,
  bytes: Uint8Array,
  name: string,
  said: Partial<Pick<Part, 'depth' | 'meaning' | 'sensitivity'>> = {},
): void {
  if (!trace.recording || bytes.length === 0) return;
  trace.note({offset, length: bytes.length, depth: 0, name, value: upperHexOf(bytes), ...said});
}
