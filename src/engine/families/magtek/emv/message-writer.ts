import {concatBytes} from '../../../../platform/bytes.js';
import {writeTlv} from '../../../tlv/ber.js';
import type {WriteRequest} from '../../../writing.js';
import {lengthWord} from './container.js';
import {DATA_HEADER} from './message.js';
import {HEAD_BYTES, PACKET_BYTES} from './packets.js';

/** Payment technology of a notification, by mode. */
const TECHNOLOGY = {swiped: 0x08, emv: 0x10, keyed: 0x07} as const;
const WITH_DATA = [0x08, 0x02, 0x02] as const;

/** An MMS notification around a container (docs/terminals/magtek.md#mms-messages). */
export function writeMms(container: Uint8Array, {mode}: WriteRequest): Uint8Array {
  return concatBytes(
    Uint8Array.of(0xaa, 0x00),
    writeTlv('81', Uint8Array.of(0x83, 0x00, 0x01, 0x01)),
    writeTlv('82', Uint8Array.of(TECHNOLOGY[mode], ...WITH_DATA)),
    writeTlv('84', concatBytes(DATA_HEADER, writeTlv('84', container))),
  );
}

/** The notification of older EMV readers around a container. */
export function writeNotification(container: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x02, 0x03, 0x03), lengthWord(container.length), container);
}

/** A message in USB packets of 64 bytes (docs/terminals/magtek.md#usb-packets). */
export function writePackets(message: Uint8Array): Uint8Array {
  const {length} = message;
  const size = [length >>> 24, length >>> 16, length >>> 8, length].map((byte) => byte & 0xff);
  const packets = [packet([1, ...size], message.subarray(0, PACKET_BYTES - HEAD_BYTES))];
  let at = PACKET_BYTES - HEAD_BYTES;
  for (let number = 1; length - at > PACKET_BYTES - 2; number++) {
    const data = message.subarray(at, at + PACKET_BYTES - 3);
    packets.push(packet([2, number >> 8, number & 0xff], data));
    at += data.length;
  }
  packets.push(packet([3, length - at], message.subarray(at)));
  return concatBytes(...packets);
}

function packet(header: readonly number[], data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(PACKET_BYTES);
  bytes.set(header);
  bytes.set(data, header.length);
  return bytes;
}
