import {latin1Of, upperHexOf} from '../bytes.js';
import type {Trace} from '../trace.js';
import type {TlvObject} from './ber.js';
import {holdsCardData, tagName} from './tags.js';

/** How objects are named and nested. */
export interface NoteOptions {
  /** The terminal's own tag names. */
  readonly names?: Readonly<Record<string, string>>;
  readonly depth?: number;
  /** Objects whose value the caller notes itself. */
  readonly isOpened?: (object: TlvObject) => boolean;
  /** Objects whose value is ciphertext or masked, so that nothing in it is card data. */
  readonly isSafe?: (object: TlvObject) => boolean;
  /** The terminal's own tags that may hold a clear card number. */
  readonly cardTags?: ReadonlySet<string>;
}

/** Notes every object: a constructed one as its header, then its children one level deeper. */
export function noteTlv(
  trace: Trace,
  objects: readonly TlvObject[],
  options: NoteOptions = {},
): void {
  if (!trace.recording) return;
  for (const object of objects) noteObject(trace, object, options);
}

function noteObject(trace: Trace, object: TlvObject, options: NoteOptions): void {
  const {tag, offset, headerLength, lengthField, value, children, flag} = object;
  const depth = options.depth ?? 0;
  const isHeaderOnly = children !== undefined || options.isOpened?.(object);
  const name = `${tag} ${tagName(tag, options.names)}`;
  const mayHoldCard = holdsCardData(tag) || options.cardTags?.has(tag);
  const isCard = mayHoldCard && !flag && !options.isSafe?.(object);
  trace.note({
    offset,
    length: headerLength + (isHeaderOnly ? 0 : value.length),
    depth,
    name: flag ? `${name}, ${flag}` : name,
    value: isHeaderOnly ? lengthField : upperHexOf(value),
    meaning: isHeaderOnly ? `${value.length} bytes` : textMeaning(value),
    ...(isCard ? {sensitivity: 'card' as const} : {}),
  });
  if (children) noteTlv(trace, children, {...options, depth: depth + 1});
}

/** Notes the bytes that no part names yet: `00` between objects, and the fill behind the last. */
export function noteFill(trace: Trace, bytes: Uint8Array): void {
  if (!trace.recording) return;
  let at = 0;
  for (const {offset, length} of trace.parts.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > at) noteGap(trace, bytes, at, offset);
    at = Math.max(at, offset + length);
  }
  if (at < bytes.length) noteGap(trace, bytes, at, bytes.length);
}

function noteGap(trace: Trace, bytes: Uint8Array, from: number, to: number): void {
  const value = upperHexOf(bytes.subarray(from, to));
  trace.note({offset: from, length: to - from, depth: 0, name: 'fill', value});
}

/** Printable values are easier to read as text. */
function textMeaning(value: Uint8Array): string {
  const text = latin1Of(value);
  return value.length > 3 && /^[\x20-\x7e]+$/.test(text) ? `"${text}"` : `${value.length} bytes`;
}
