import {PaylensError} from '../../../../contract/paylens-error.js';
import {hexByte} from '../../../../platform/bytes.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {type Body, noteInPayload, type Piece, placeInPayload} from '../../../forms/tlv/tlv-body.js';
import type {Reading} from '../../../reading.js';
import {Trace} from '../../../trace.js';
import {isMms, readMms} from './message.js';

/** The first byte of a USB packet of 64 bytes (docs/terminals/magtek.md#usb-packets). */
const PACKET_KIND = {single: 0, head: 1, middle: 2, tail: 3} as const;
const PACKET_BYTES = 64;
/** Bytes before the data of each kind: the kind, and the length or number. */
const PACKET_HEADER_BYTES = [2, 5, 3, 2] as const;

/** True if the bytes begin with a packet that contains the beginning of an MMS message. */
export function arePackets(bytes: Uint8Array): boolean {
  const [kind = PACKET_KIND.tail] = bytes;
  return kind <= PACKET_KIND.head && isMms(bytes.subarray(PACKET_HEADER_BYTES[kind]));
}

/**
 * Joins the packets of one message and reads it. Throws 2100 if they do not join to one message,
 * 2102 if packets are missing at its end, and as readMms does.
 */
export function readPackets(bytes: Uint8Array, trace: Trace): Reading {
  const body = joinPackets(bytes, trace);
  const own = new Trace({recording: trace.recording});
  const place = (index: number) => placeInPayload(body, index);
  try {
    const {form, candidates, ...reading} = readMms(body.bytes, own);
    const moved = candidates.map((fields) =>
      fields.map((field) => ({...field, offset: place(field.offset)})),
    );
    return {...reading, form: `${form}, in packets`, candidates: moved};
  } finally {
    noteInPayload(body, 0, own.parts, trace);
    for (const {name, offset, expected, found, ok} of own.checks)
      trace.check(name, place(offset), expected, found, ok);
  }
}

function joinPackets(bytes: Uint8Array, trace: Trace): Body {
  const total = messageBytes(bytes);
  const message = new Uint8Array(Math.min(total, bytes.length));
  const pieces: Piece[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    const packet = bytes.subarray(at, at + PACKET_BYTES);
    const header = packetHeaderBytes(packet, at, total - start);
    const data = packet.subarray(header, header + total - start);
    const {length} = data;
    message.set(data, start);
    pieces.push({start, length, offset: at + header, units: length});
    const end = header + length;
    noteBytes(trace, at, packet.subarray(0, header), 'packet', {sensitivity: 'opaque'});
    const fill = packet.subarray(end);
    noteBytes(trace, at + end, fill, 'fill of the packet', {sensitivity: 'opaque'});
    start += length;
  }
  if (start === total) return {bytes: message, pieces};
  throw new PaylensError(2102, `packets: expected ${total} bytes of the message, found ${start}`);
}

/** The first packet gives the length of the whole message. */
function messageBytes(bytes: Uint8Array): number {
  const [kind, a = 0, b = 0, c = 0, d = 0] = bytes;
  return kind === PACKET_KIND.single
    ? Math.min(a, PACKET_BYTES - 2)
    : ((a * 256 + b) * 256 + c) * 256 + d;
}

/**
 * Bytes before the data of a packet; `left`: bytes of the message from here on. Throws 2100 if it is
 * not the next one.
 */
function packetHeaderBytes(packet: Uint8Array, at: number, left: number): number {
  const [kind = PACKET_KIND.tail, high = 0, low = 0] = packet;
  const header = PACKET_HEADER_BYTES[kind] ?? 0;
  const isTail = kind === PACKET_KIND.tail && left === high && left <= PACKET_BYTES - header;
  const number = (high << 8) | low;
  // Middle packets are counted, from 0, 1 or 2: the manuals do not say.
  const isMiddle = kind === PACKET_KIND.middle && Math.abs(number - at / PACKET_BYTES) <= 1;
  const isNext = at === 0 ? kind <= PACKET_KIND.head : isTail || isMiddle;
  if (isNext && left > 0) return header;
  const detail = `packet at byte ${at}: kind ${hexByte(kind)} does not continue the message`;
  throw new PaylensError(2100, detail);
}
