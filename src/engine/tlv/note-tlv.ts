import {nounFor} from '../../contract/found-hex.js';
import {latin1Of, upperHexOf} from '../../platform/bytes.js';
import type {Part, Sensitivity, Trace} from '../trace.js';
import {readTlv, type TlvObject} from './ber.js';
import {holdsCardData, type TagKinds, tagName, tagSensitivity, UNKNOWN_TAG} from './tags.js';

/** Options for naming and nesting objects. */
export interface NoteOptions {
  /** The terminal's own tag names. */
  readonly names?: Readonly<Record<string, string>>;
  readonly depth?: number;
  /** Objects whose value the caller records itself. */
  readonly isOpened?: (object: TlvObject) => boolean;
  /** Objects whose value is masked, as far as the reader can determine, and not clear card data. */
  readonly isSafe?: (object: TlvObject) => boolean;
  /** Objects whose value is ciphertext although their tag and flag do not say so. */
  readonly isCiphertext?: (object: TlvObject) => boolean;
  /** The terminal's own tags that may contain a cleartext card number. */
  readonly cardTags?: ReadonlySet<string>;
  readonly kinds?: TagKinds;
}

/** Records every object: a constructed one as its header, then its children one level deeper. */
export function noteTlv(
  trace: Trace,
  objects: readonly TlvObject[],
  options: NoteOptions = {},
): void {
  if (!trace.recording) return;
  for (const object of objects) noteObject(trace, object, options);
}

/**
 * Records what is before the place where a list ends too early, objects inside a cut one included; of
 * bytes that begin with an unknown tag nothing. `base` is their offset in the payload.
 */
export function noteCutTlv(
  trace: Trace,
  bytes: Uint8Array,
  base: number,
  options: NoteOptions,
  idtechFlags = false,
): void {
  if (!trace.recording) return;
  const {objects} = readTlv(bytes, {base, idtechFlags, isCut: true});
  const [first] = objects;
  if (first && tagName(first.tag, options.names) !== UNKNOWN_TAG) noteTlv(trace, objects, options);
}

function noteObject(trace: Trace, object: TlvObject, options: NoteOptions): void {
  const {tag, offset, headerLength, lengthField, value, children, flag} = object;
  const depth = options.depth ?? 0;
  const named = `${tag} ${tagName(tag, options.names)}`;
  const name = flag ? `${named}, ${flag}` : named;
  const stated = Number.parseInt(lengthField.slice(lengthField.length > 2 ? 2 : 0), 16);
  const whole = stated > value.length ? `of ${stated} ` : '';
  const meaning = `${value.length} ${whole}${nounFor(whole ? stated : value.length, 'byte')}`;
  if (children !== undefined || options.isOpened?.(object)) {
    trace.note({offset, length: headerLength, depth, name, value: lengthField, meaning});
  } else {
    const length = headerLength + value.length;
    const part: MutablePart = {offset, length, depth, name, value: upperHexOf(value)};
    const text = printableText(value);
    if (text === undefined) part.meaning = meaning;
    else part.text = text;
    const sensitivity = sensitivityOf(object, options);
    if (sensitivity) part.sensitivity = sensitivity;
    trace.note(part);
  }
  if (children) noteTlv(trace, children, {...options, depth: depth + 1});
}

/** A list may have thousands of objects: their parts are made member by member. */
type MutablePart = {-readonly [M in keyof Part]: Part[M]};

function sensitivityOf(object: TlvObject, options: NoteOptions): Sensitivity | undefined {
  const {tag, value, flag} = object;
  if (flag === 'encrypted' || options.isCiphertext?.(object)) return 'ciphertext';
  const mayHoldCard = holdsCardData(tag) || options.cardTags?.has(tag);
  if (mayHoldCard && !flag && !options.isSafe?.(object)) return 'card';
  return mayHoldCard || flag ? undefined : tagSensitivity(tag, value, options.kinds);
}

/**
 * Records the bytes that no part covers yet: `00` between objects, and padding after the last one.
 */
export function noteFill(trace: Trace, bytes: Uint8Array): void {
  if (!trace.recording) return;
  let at = 0;
  for (const {offset, length} of trace.parts) {
    if (offset > at) noteFillBytes(trace, bytes, at, offset);
    at = Math.max(at, offset + length);
  }
  if (at < bytes.length) noteFillBytes(trace, bytes, at, bytes.length);
}

function noteFillBytes(trace: Trace, bytes: Uint8Array, from: number, to: number): void {
  const value = upperHexOf(bytes.subarray(from, to));
  trace.note({offset: from, length: to - from, depth: 0, name: 'fill', value});
}

/** A printable value as text, which is easier to read. */
function printableText(value: Uint8Array): string | undefined {
  if (value.length < 4) return undefined;
  const text = latin1Of(value);
  return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}
