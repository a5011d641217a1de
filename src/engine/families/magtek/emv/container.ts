import {PaylensError} from '../../../../contract/paylens-error.js';
import {concatBytes} from '../../../../platform/bytes.js';
import {type MacKind, schemeOfMac} from '../../../dukpt/mac.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {bodyOf, readTlvBody} from '../../../forms/tlv/tlv-body.js';
import type {MessageMac, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import type {Trace} from '../../../trace.js';
import {assertKsnLength, keyUseOf} from '../settings.js';
import {readSwipeTemplate} from '../swipe/template.js';
import {hexOfTag, MAGTEK, readTemplate, TAG} from '../tags.js';
import {emvReading} from './emv-reading.js';

export const MAC_BYTES = 4;
const WORD_BYTES = 2;
const CONTAINER = 0xf9;

/** True for the container F9 with the word of its length before it, or alone. */
export function isContainer(bytes: Uint8Array): boolean {
  return bytes[0] === CONTAINER || bytes[WORD_BYTES] === CONTAINER;
}

/**
 * Reads a container of the DynaPro format: the word of its length, F9, zeros, and the MAC
 * (docs/terminals/magtek.md#containers). `base`: its place in the payload.
 *
 * Throws 2101 if something else follows F9, 2102 if it ends too early, and as emvReading does.
 */
export function readContainer(bytes: Uint8Array, base: number, trace: Trace): Reading {
  const start = bytes[0] === CONTAINER ? 0 : WORD_BYTES;
  const end = endOfContainer(bytes, start, base, trace);
  const frame = bytes.subarray(start, end);
  const objects = readTlvBody(bodyOf(frame, base + start), trace, MAGTEK.notes);
  const all = flatten(objects);
  const tail = readTail(bytes, {end, base, isAes: isAes(all)}, trace);
  const reading = all.some(({tag}) => tag === TAG.data || tag === TAG.selectableData)
    ? emvReading('container, DynaPro format', objects)
    : (readSwipeTemplate('container, DynaPro format', all) ??
      emvReading('container, DynaPro format', objects));
  const macs = macsIn(all, {frame, ...tail});
  return macs.length > 0 ? {...reading, macs} : reading;
}

/** True for encrypted data alone, as a reader answers the command that encrypts data of the user. */
export function isUserData(bytes: Uint8Array): boolean {
  return bytes[0] === 0xf8;
}

/** Reads encrypted data alone. Throws 2102 if it ends too early, and as emvReading does. */
export function readUserData(bytes: Uint8Array, trace: Trace): Reading {
  return emvReading("encrypted data of the reader's user", readTemplate(bytes, 0, trace));
}

/** The end of F9, by the word before it, which must be that of F9's own length. */
function endOfContainer(bytes: Uint8Array, start: number, base: number, trace: Trace): number {
  const own = start + objectLength(bytes.subarray(start), base + start);
  if (start === 0) return own;
  const stated = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const word = bytes.subarray(0, start);
  noteBytes(trace, base, word, 'length of F9', {meaning: `${stated} bytes`});
  if (start + stated > bytes.length) {
    throw new PaylensError(
      2102,
      `byte ${base}: expected ${stated} bytes of F9, found ${bytes.length - start}`,
    );
  }
  trace.check('length word', base, String(own - start), String(stated));
  return own;
}

/** Bytes of the first object with its header. Throws 2102 if the header is not whole. */
function objectLength(bytes: Uint8Array, at: number): number {
  const first = bytes[1] ?? 0;
  const count = first < 0x80 ? 0 : first & 0x7f;
  const length =
    count === 0 ? first : bytes.subarray(2, 2 + count).reduce((sum, byte) => 256 * sum + byte, 0);
  if (bytes.length < 2 + count)
    throw new PaylensError(2102, `byte ${at}: the header of F9 is truncated`);
  const whole = 2 + count + length;
  if (whole <= bytes.length) return whole;
  throw new PaylensError(2102, `byte ${at}: expected ${whole} bytes of F9, found ${bytes.length}`);
}

interface Tail {
  readonly padding: Uint8Array;
  readonly mac: Uint8Array;
  /** Offset of the MAC. */
  readonly offset: number;
}

interface TailPlace {
  readonly end: number;
  readonly base: number;
  readonly isAes: boolean;
}

/** Zeros, then the MAC. Throws 2101 for anything else, 2102 for a part of a MAC. */
function readTail(bytes: Uint8Array, {end, base, isAes}: TailPlace, trace: Trace): Tail {
  const rest = bytes.subarray(end);
  const most = isAes ? 2 * 16 + 3 : 2 * 8 + 3;
  const split = Math.max(rest.length - MAC_BYTES, 0);
  const isCut = rest.length > 0 && rest.length < MAC_BYTES && rest.some((byte) => byte !== 0);
  if (isCut)
    throw new PaylensError(
      2102,
      `MAC at byte ${base + end}: expected ${MAC_BYTES} bytes, found ${rest.length}`,
    );
  const [padding, mac] = [rest.subarray(0, split), rest.subarray(split)];
  noteBytes(trace, base + end, padding, 'padding', {sensitivity: 'opaque'});
  noteBytes(trace, base + end + split, mac, 'MAC', {sensitivity: 'opaque'});
  const isZero = padding.every((byte) => byte === 0);
  if (rest.length <= most && isZero) return {padding, mac, offset: base + end + split};
  throw new PaylensError(
    2101,
    `byte ${base + end}: expected zeros and a MAC after F9, found ${rest.length} bytes`,
  );
}

function isAes(all: readonly TlvObject[]): boolean {
  const types: readonly string[] = [TAG.macType, TAG.dataType];
  return all.some(({tag, value}) => types.includes(tag) && ((value[0] ?? 0) & 0x30) !== 0);
}

/** The MAC runs over the word of the length, F9 and the padding. */
function macsIn(
  all: readonly TlvObject[],
  {frame, padding, mac, offset}: Tail & {readonly frame: Uint8Array},
): MessageMac[] {
  const ksn = hexOfTag(all, TAG.macKsn);
  const isSent = mac.length === MAC_BYTES && mac.some((byte) => byte !== 0);
  if (!isSent || /^0*$/.test(ksn)) return [];
  const kind = macKindOf(Number.parseInt(hexOfTag(all, TAG.macType) || USUAL_MAC, 16));
  if (!kind) return [];
  assertKsnLength({algorithm: schemeOfMac(kind)}, ksn, `tag ${TAG.macKsn}`);
  const message = concatBytes(lengthWord(frame.length), frame, padding);
  return [{...kind, name: 'MAC', offset, ksn, message, mac, sent: MAC_BYTES}];
}

const USUAL_MAC = '82';

/** How a MAC of this encryption type is computed; undefined if it is not known. */
export function macKindOf(type: number): MacKind | undefined {
  const use = keyUseOf(type);
  if (!use) return undefined;
  if ('usage' in use) {
    return use.usage.startsWith('mac') ? {method: 'cmac', variant: 'none', aes: use} : undefined;
  }
  return use.variant.startsWith('mac') ? {method: 'retail', variant: use.variant} : undefined;
}

export function lengthWord(length: number): Uint8Array {
  return Uint8Array.of(length >> 8, length & 0xff);
}
