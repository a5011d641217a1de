import {PaylensError} from '../../contract/paylens-error.js';
import {bytesOfHex, hexByte} from '../../platform/bytes.js';
import {isFill} from '../cipher/padding.js';
import {isConstructed} from './tags.js';

/** One BER-TLV data object (ISO/IEC 8825-1; EMV Book 3, Annex B). */
export interface TlvObject {
  /** Upper-case hex. */
  readonly tag: string;
  /** Offset of the tag from the start of the whole input. */
  readonly offset: number;
  /** Bytes of tag and length together. */
  readonly headerLength: number;
  /** The length field as encoded, in upper-case hex. */
  readonly lengthField: string;
  readonly value: Uint8Array;
  /** ID TECH's flag in the length byte: `A1 nn` masked, `C1 nn` encrypted. */
  readonly flag?: 'masked' | 'encrypted';
  readonly children?: readonly TlvObject[];
}

export interface TlvList {
  readonly objects: readonly TlvObject[];
  /** Index after the last object; padding follows. */
  readonly end: number;
}

interface TlvOptions {
  /** Parse the flags that ID TECH adds to the length byte. */
  readonly idtechFlags?: boolean;
  /** Offset of `bytes` in the payload, for messages and traces. */
  readonly base?: number;
  /** Read what is before the place where the list ends too early, or is none, also inside an object. */
  readonly isCut?: boolean;
}

const MAX_DEPTH = 8;
/** Nested ones included. A chip read has a few hundred at most. */
const MAX_TLV_OBJECTS = 4096;

/**
 * Parses `bytes` to their end as a list of BER-TLV objects; padding after the last object and `00`
 * between objects are skipped. The result is a list, not a map, because tags may repeat.
 *
 * Throws 2102 if a tag or length runs past the end, 2100 if the form of a length is undefined,
 * objects are nested deeper than 8, or there are more than 4,096.
 */
export function readTlv(bytes: Uint8Array, options: TlvOptions = {}): TlvList {
  return walkTlv(bytes, options, {depth: 1, count: {objects: 0}});
}

/** Every object of the list, nested ones included, in the order of the payload. */
export function flatten(objects: readonly TlvObject[]): TlvObject[] {
  const all: TlvObject[] = [];
  collect(objects, all);
  return all;
}

function collect(objects: readonly TlvObject[], all: TlvObject[]): void {
  for (const object of objects) {
    all.push(object);
    if (object.children) collect(object.children, all);
  }
}

/** Writes one object with the shortest length field. `tag` in hex. */
export function writeTlv(tag: string, value: Uint8Array): Uint8Array {
  const header = bytesOfHex(tag);
  const length = writeLength(value.length);
  const object = new Uint8Array(header.length + length.length + value.length);
  object.set(header);
  object.set(length, header.length);
  object.set(value, header.length + length.length);
  return object;
}

/** How deep a list is nested, and how many objects were read in the whole input. */
interface Walk {
  readonly depth: number;
  readonly count: {objects: number};
}

function walkTlv(bytes: Uint8Array, options: TlvOptions, walk: Walk): TlvList {
  const base = options.base ?? 0;
  if (walk.depth > MAX_DEPTH) {
    throw new PaylensError(2100, `TLV at byte ${base}: nested deeper than ${MAX_DEPTH}`);
  }
  const objects: TlvObject[] = [];
  let at = 0;
  while (at < bytes.length && !isFill(bytes, at)) {
    if (bytes[at] === 0) {
      at = endOfZeros(bytes, at);
      continue;
    }
    const object = options.isCut
      ? objectIfWhole(bytes, at, options, walk)
      : readObject(bytes, at, options, walk);
    if (!object) break;
    objects.push(object);
    at += object.headerLength + object.value.length;
  }
  return {objects, end: at};
}

/** Skips the whole run at once: testing for padding at every zero would take quadratic time. */
function endOfZeros(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === 0) end++;
  return end;
}

function objectIfWhole(...where: Parameters<typeof readObject>): TlvObject | undefined {
  try {
    return readObject(...where);
  } catch (error) {
    if (error instanceof PaylensError) return undefined;
    throw error;
  }
}

function readObject(bytes: Uint8Array, at: number, options: TlvOptions, walk: Walk): TlvObject {
  const base = options.base ?? 0;
  if (++walk.count.objects > MAX_TLV_OBJECTS) {
    throw new PaylensError(2100, `TLV at byte ${base + at}: more than ${MAX_TLV_OBJECTS} objects`);
  }
  const tagEnd = readTagEnd(bytes, at, base);
  const tag = hexOfRange(bytes, at, tagEnd);
  const {length, end, flag} = readLength(bytes, tagEnd, tag, options);
  if (end + length > bytes.length && !(options.isCut && isConstructed(tag))) {
    throw new PaylensError(
      2102,
      `tag ${tag} at byte ${base + at}: expected ${length} bytes of value, found ${bytes.length - end}`,
      {fault: {kind: 'tag', tag}},
    );
  }
  const value = bytes.subarray(end, end + length);
  const object: {-readonly [M in keyof TlvObject]: TlvObject[M]} = {
    tag,
    offset: base + at,
    headerLength: end - at,
    lengthField: hexOfRange(bytes, tagEnd, end),
    value,
  };
  if (flag) object.flag = flag;
  if (flag !== 'encrypted' && isConstructed(tag)) {
    const {idtechFlags = false, isCut = false} = options;
    const inner = {base: base + end, idtechFlags, isCut};
    const below = {depth: walk.depth + 1, count: walk.count};
    object.children = walkTlv(value, inner, below).objects;
  }
  return object;
}

/**
 * The end of a tag: if the low five bits of the first byte are all set, it continues while bit 8 is
 * set.
 */
function readTagEnd(bytes: Uint8Array, at: number, base: number): number {
  if (((bytes[at] ?? 0) & 0x1f) !== 0x1f) return at + 1;
  let end = at + 1;
  while (end - at < MAX_TAG_BYTES && ((bytes[end] ?? 0) & 0x80) !== 0) end++;
  if (end - at >= MAX_TAG_BYTES) {
    throw new PaylensError(2100, `tag at byte ${base + at}: longer than ${MAX_TAG_BYTES} bytes`);
  }
  if (end >= bytes.length) {
    const fault = {kind: 'tag', tag: ''} as const;
    throw new PaylensError(2102, `tag at byte ${base + at}: truncated`, {fault});
  }
  return end + 1;
}

const MAX_TAG_BYTES = 4;

interface Length {
  readonly length: number;
  readonly end: number;
  readonly flag?: 'masked' | 'encrypted';
}

function readLength(bytes: Uint8Array, at: number, tag: string, options: TlvOptions): Length {
  const first = bytes[at];
  if (first !== undefined && first < 0x80) return {length: first, end: at + 1};
  const where = `length of tag ${tag} at byte ${(options.base ?? 0) + at}`;
  const fault = {kind: 'tag', tag} as const;
  if (first === undefined) throw new PaylensError(2102, `${where}: missing`, {fault});
  const flags = options.idtechFlags ? first & 0x60 : 0;
  const count = (first & 0x7f) - flags;
  if (count < 1 || count > 3 || flags === 0x60) {
    throw new PaylensError(2100, `${where}: expected 00-7F, 81, 82 or 83, found ${hexByte(first)}`);
  }
  if (at + 1 + count > bytes.length) throw new PaylensError(2102, `${where}: truncated`, {fault});
  let length = 0;
  for (let i = at + 1; i <= at + count; i++) length = length * 256 + (bytes[i] ?? 0);
  const end = at + 1 + count;
  if (flags === 0) return {length, end};
  return {length, end, flag: flags === 0x20 ? 'masked' : 'encrypted'};
}

/** A few bytes in upper-case hex: an array for each tag would cost more than the rest of the walk. */
function hexOfRange(bytes: Uint8Array, from: number, to: number): string {
  let hex = '';
  for (let i = from; i < to; i++) hex += hexByte(bytes[i] ?? 0);
  return hex;
}

function writeLength(length: number): number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  return [0x82, length >> 8, length & 0xff];
}
