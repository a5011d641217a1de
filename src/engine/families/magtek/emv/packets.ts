import {PaylensError} from '../../../../contract/paylens-error.js';
import {hexByte} from '../../../../platform/bytes.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {type Body, noteInPayload, type Piece, placeInPayload} from '../../../forms/tlv/tlv-body.js';
import type {EncryptedField, Reading} from '../../../reading.js';
import {Trace} from '../../../trace.js';
import {isMms} from './message.js';

/** USB packets of 64 bytes by their first byte (docs/terminals/magtek.md#usb-packets). */
const SINGLE = 0;
const HEAD = 1;
const MIDDLE = 2;
const TAIL = 3;
export const PACKET_BYTES = 64;
export const HEAD_BYTES = 5;
/** Bytes before the data of each kind: kind and length, or number. */
const HEADER_BYTES: Readonly<Record<number, number>> = {
  [SINGLE]: 2,
  [HEAD]: HEAD_BYTES,
  [MIDDLE]: 3,
  [TAIL]: 2,
};

/** True if the bytes begin with a packet that contains the beginning of an MMS message. */
export function arePackets(bytes: Uint8Array): boolean {
  const kind = bytes[0] ?? TAIL;
  return kind <= HEAD && isMms(bytes.subarray(HEADER_BYTES[kind]));
}

/**
 * Joins the packets of one message and reads it. Throws 2100 if they do not join to one message,
 * 2102 if packets are missing at its end, and as `read` does.
 */
export function readPackets(
  bytes: Uint8Array,
  trace: Trace,
  read: (message: Uint8Array, trace: Trace) => Reading,
): Reading {
  const body = joined(bytes, trace);
  const own = new Trace({recording: trace.recording});
  try {
    const reading = read(body.bytes, own);
    const candidates = reading.candidates.map((fields) =>
      fields.map((field) => moved(field, body)),
    );
    return {...reading, form: `${reading.form}, in packets`, candidates};
  } finally {
    noteInPayload(body, 0, own.parts, trace);
    for (const check of own.checks) {
      trace.check(
        check.name,
        placeInPayload(body, check.offset),
        check.expected,
        check.found,
        check.ok,
      );
    }
  }
}

function moved(field: EncryptedField, body: Body): EncryptedField {
  return {...field, offset: placeInPayload(body, field.offset)};
}

function joined(bytes: Uint8Array, trace: Trace): Body {
  const total = lengthOf(bytes);
  const message = new Uint8Array(Math.min(total, bytes.length));
  const pieces: Piece[] = [];
  let [at, start] = [0, 0];
  for (; at < bytes.length; at += PACKET_BYTES) {
    const packet = bytes.subarray(at, at + PACKET_BYTES);
    const header = packetHeaderBytes(packet, at, total - start);
    const data = packet.subarray(header, header + total - start);
    message.set(data, start);
    pieces.push({start, length: data.length, offset: at + header, units: data.length});
    const end = header + data.length;
    noteBytes(trace, at, packet.subarray(0, header), 'packet', OPAQUE);
    noteBytes(trace, at + end, packet.subarray(end), 'fill of the packet', OPAQUE);
    start += data.length;
  }
  if (start === total) return {bytes: message, pieces};
  throw new PaylensError(2102, `packets: expected ${total} bytes of the message, found ${start}`);
}

const OPAQUE = {sensitivity: 'opaque'} as const;

/** The whole length stands in the first packet. */
function lengthOf(bytes: Uint8Array): number {
  if (bytes[0] === SINGLE) return Math.min(bytes[1] ?? 0, PACKET_BYTES - 2);
  const [, a = 0, b = 0, c = 0, d = 0] = bytes;
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

/** Bytes before the data of a packet. Throws 2100 if it is not the next one. */
function packetHeaderBytes(packet: Uint8Array, at: number, left: number): number {
  const kind = packet[0] ?? TAIL;
  const header = HEADER_BYTES[kind];
  const isFirst = at === 0;
  const isLast = header !== undefined && left <= PACKET_BYTES - header;
  const number = ((packet[1] ?? 0) << 8) | (packet[2] ?? 0);
  const fits =
    left > 0 &&
    header !== undefined &&
    (isFirst
      ? kind <= HEAD
      : kind === TAIL
        ? isLast && packet[1] === left
        : kind === MIDDLE && isNext(number, at));
  if (fits) return header;
  throw new PaylensError(
    2100,
    `packet at byte ${at}: kind ${hexByte(kind)} does not continue the message`,
  );
}

/** Packets are counted from the first middle one; from which number is not stated anywhere. */
function isNext(number: number, at: number): boolean {
  const index = at / PACKET_BYTES;
  return number === index || number === index - 1 || number === index + 1;
}
