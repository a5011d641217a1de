import type {Part, Trace} from '../src/engine/trace.js';

/** Positions where the parts of a trace leave a gap, overlap or do not end at `length`. */
export function untiled({parts}: Trace, length: number): string | undefined {
  let at = 0;
  for (const part of parts) {
    if (part.offset !== at) return `${describe(part)}: expected offset ${at}`;
    at += part.length;
  }
  return at === length ? undefined : `parts end at ${at}, expected ${length}`;
}

function describe({name, offset, length}: Part): string {
  return `${name} at ${offset}, length ${length}`;
}
