import {isBinary} from '../decode-input.js';
import {compactHex} from '../forms/payload-bytes.js';
import type {Part, Unit} from '../trace.js';

/** The parts of a payload, and the unit of their offsets. */
interface Named {
  readonly unit: Unit;
  readonly parts: readonly Part[];
}

/** The name of what the reader did not reach. */
export const UNREAD = 'not read';

/**
 * The parts of a trace plus a part `not read`, without value, for each run that the reader did not
 * reach. The punctuation between the members of JSON and key=value text has no part, as in the
 * trace.
 */
export function nameUnread(trace: Named, payload: string): Named {
  const unit = unitOf(trace, payload);
  const text = unit === 'character' && trace.parts.length > 0 ? payload : undefined;
  const parts: Part[] = [];
  let at = 0;
  for (const part of trace.parts) {
    parts.push(...unreadBetween(at, part.offset, text), part);
    at = part.offset + part.length;
  }
  return {unit, parts: [...parts, ...unreadBetween(at, lengthIn(unit, payload), text)]};
}

/** The unit of a trace; text that no reader has begun to parse is traced in bytes by default. */
function unitOf({unit, parts}: Named, payload: string): Unit {
  const isText = compactHex(payload) === undefined && !isBinary(payload);
  return parts.length === 0 && isText ? 'character' : unit;
}

const PUNCTUATION = /^[\s{}[\]",:;=&|]*$/;

function unreadBetween(offset: number, end: number, text: string | undefined): Part[] {
  if (offset >= end) return [];
  if (text !== undefined && PUNCTUATION.test(text.slice(offset, end))) return [];
  return [{offset, length: end - offset, depth: 0, name: UNREAD, value: ''}];
}

/** Length of the payload; a byte with only one hex digit counts. */
export function lengthIn(unit: Unit, payload: string): number {
  const digits = unit === 'byte' ? compactHex(payload) : undefined;
  return digits === undefined ? payload.length : Math.ceil(digits.length / 2);
}
