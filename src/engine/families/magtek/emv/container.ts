import {PaylensError} from '../../../../contract/paylens-error.js';
import {concatBytes} from '../../../../platform/bytes.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {schemeOfMac} from '../../../dukpt/mac.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {bodyOf, readTlvBody} from '../../../forms/tlv/tlv-body.js';
import type {MessageMac, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import {noteCutTlv} from '../../../tlv/note-tlv.js';
import type {Trace} from '../../../trace.js';
import {assertKsnScheme, macKindOf} from '../settings.js';
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
  const stated = start > 0 ? statedLength(bytes, base, trace) : undefined;
  const end = start + wholeObjectBytes(bytes.subarray(start), base + start, trace);
  if (stated !== undefined) {
    const rest = bytes.length - WORD_BYTES;
    if (stated > rest)
      throw new PaylensError(2102, `byte ${base}: expected ${stated} bytes of F9, found ${rest}`);
    trace.check('length word', base, String(end - start), String(stated));
  }
  const frame = bytes.subarray(start, end);
  const objects = readTlvBody(bodyOf(frame, base + start), trace, MAGTEK.notes);
  const all = flatten(objects);
  const tail = readTail(bytes.subarray(end), base + end, isAes(all), trace);
  const form = 'container, DynaPro format';
  const hasData = all.some(({tag}) => tag === TAG.data || tag === TAG.selectableData);
  const swipe = hasData ? undefined : readSwipeTemplate(form, all);
  const macs = macsIn(all, frame, tail);
  const reading = swipe ?? emvReading(form, objects);
  return macs.length > 0 ? {macs, ...reading} : reading;
}

/** True for encrypted data alone, as a reader answers the command that encrypts data of the user. */
export function isUserData(bytes: Uint8Array): boolean {
  return bytes[0] === 0xf8;
}

/** Reads encrypted data alone. Throws 2102 if it ends too early, and as emvReading does. */
export function readUserData(bytes: Uint8Array, trace: Trace): Reading {
  return emvReading("encrypted data of the reader's user", readTemplate(bytes, 0, trace));
}

/** The word before F9, which is its length. */
function statedLength(bytes: Uint8Array, base: number, trace: Trace): number {
  const [high = 0, low = 0] = bytes;
  const stated = (high << 8) | low;
  const meaning = `${stated} bytes`;
  noteBytes(trace, base, bytes.subarray(0, WORD_BYTES), 'length of F9', {meaning});
  return stated;
}

/** Bytes of the first object with its header. Throws 2102 if it is not whole. */
function wholeObjectBytes(bytes: Uint8Array, at: number, trace: Trace): number {
  const [, first = 0] = bytes;
  const count = first < 0x80 ? 0 : first & 0x7f;
  const digits = count === 0 ? [first] : [...bytes.subarray(2, 2 + count)];
  const whole = 2 + count + digits.reduce((sum, byte) => 256 * sum + byte, 0);
  if (bytes.length < 2 + count)
    throw new PaylensError(2102, `byte ${at}: the header of F9 is truncated`);
  if (whole <= bytes.length) return whole;
  noteCutTlv(trace, bytes, at, MAGTEK.notes);
  throw new PaylensError(2102, `byte ${at}: expected ${whole} bytes of F9, found ${bytes.length}`);
}

/** The bytes after F9. */
interface Tail {
  readonly padding: Uint8Array;
  readonly mac: Uint8Array;
  /** Offset of the MAC. */
  readonly offset: number;
}

/** Zeros, then the MAC. Throws 2101 for anything else, 2102 for a part of a MAC. */
function readTail(rest: Uint8Array, at: number, isAesMac: boolean, trace: Trace): Tail {
  const {length} = rest;
  const split = Math.max(length - MAC_BYTES, 0);
  const [padding, mac] = [rest.subarray(0, split), rest.subarray(split)];
  if (length < MAC_BYTES && mac.some((byte) => byte !== 0))
    throw new PaylensError(2102, `MAC at byte ${at}: expected ${MAC_BYTES} bytes, found ${length}`);
  noteBytes(trace, at, padding, 'padding', {sensitivity: 'opaque'});
  noteBytes(trace, at + split, mac, 'MAC', {sensitivity: 'opaque'});
  const limit = 2 * blockSizeOf(isAesMac ? 'aes' : 'tdes') + MAC_BYTES - 1;
  if (length <= limit && padding.every((byte) => byte === 0))
    return {padding, mac, offset: at + split};
  const detail = `byte ${at}: expected zeros and a MAC after F9, found ${length} bytes`;
  throw new PaylensError(2101, detail);
}

function isAes(all: readonly TlvObject[]): boolean {
  const types: readonly string[] = [TAG.macType, TAG.dataType];
  return all.some(({tag, value}) => types.includes(tag) && ((value[0] ?? 0) & 0x30) !== 0);
}

const USUAL_MAC = '82';

/** The MAC runs over the word of the length, F9 and the padding. */
function macsIn(
  all: readonly TlvObject[],
  frame: Uint8Array,
  {padding, mac, offset}: Tail,
): MessageMac[] {
  const ksn = hexOfTag(all, TAG.macKsn);
  const isSent = mac.length === MAC_BYTES && mac.some((byte) => byte !== 0);
  if (!isSent || /^0*$/.test(ksn)) return [];
  const kind = macKindOf(Number.parseInt(hexOfTag(all, TAG.macType) || USUAL_MAC, 16));
  if (!kind) return [];
  assertKsnScheme(schemeOfMac(kind), ksn, `tag ${TAG.macKsn}`);
  const message = concatBytes(lengthWord(frame.length), frame, padding);
  return [{name: 'MAC', offset, ksn, message, mac, sent: MAC_BYTES, ...kind}];
}

/** A length in two bytes, high byte first. */
export function lengthWord(length: number): Uint8Array {
  return Uint8Array.of(length >> 8, length & 0xff);
}
