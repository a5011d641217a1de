import {PaylensError} from '../../../../contract/paylens-error.js';
import {hexByte, upperHexOf} from '../../../../platform/bytes.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import {readTlv, type TlvObject} from '../../../tlv/ber.js';
import {noteFill, noteTlv} from '../../../tlv/note-tlv.js';
import type {Trace} from '../../../trace.js';
import {isContainer, readContainer} from './container.js';
import {isOriginal, readOriginalContainer} from './original.js';

/** The members of an MMS message (docs/terminals/magtek.md#mms-messages). */
const MMS_TAGS: Readonly<Record<string, string>> = {
  '81': 'message information',
  '82': 'status or detail',
  '84': 'payload',
};

/** The first byte of the message information. */
export const MESSAGE_TYPES: Readonly<Record<string, string>> = {
  '01': 'request',
  '82': 'response',
  '83': 'notification',
  '84': 'file',
};

const MMS_HEADER_BYTES = 2;
/** Type, and command, of a notification with transaction data. */
const TRANSACTION_DATA = '83 0101';
/** In the payload, these bytes precede the data: its kind and format. */
export const DATA_HEADER = Uint8Array.of(0x01, 0x01);

/** True for `AA`, a version, and the message information. */
export function isMms(bytes: Uint8Array): boolean {
  return bytes[0] === 0xaa && (bytes[1] ?? 2) <= 1 && bytes[2] === 0x81;
}

/**
 * Reads an MMS message: a notification with transaction data is opened to its container. Throws
 * 2100, naming type and command, for a message without card data, and as readContainer does.
 */
export function readMms(bytes: Uint8Array, trace: Trace): Reading {
  const header = bytes.subarray(0, MMS_HEADER_BYTES);
  noteBytes(trace, 0, header, 'MMS header', {meaning: `version ${bytes[1]}`});
  const {objects} = readTlv(bytes.subarray(MMS_HEADER_BYTES), {base: MMS_HEADER_BYTES});
  const [information, ...others] = objects;
  const payload = others.find(({tag}) => tag === '84');
  noteTlv(trace, objects, {names: MMS_TAGS, isOpened: (object) => object === payload});
  const foreign = others.find(({tag}) => tag !== '82' && tag !== '84');
  if (foreign) throw severalReads(`tag ${foreign.tag} at ${foreign.offset}: not of an MMS message`);
  if (others.length > 2) throw severalReads('more than one payload in the message');
  const hex = information?.tag === '81' ? upperHexOf(information.value) : '';
  if (hex.length !== 8) throw new PaylensError(2100, 'message information: expected 4 bytes');
  const [type, command] = [hex.slice(0, 2), hex.slice(4)];
  const isTransaction = `${type} ${command}` === TRANSACTION_DATA;
  const data = payload && isTransaction ? dataIn(payload, trace) : undefined;
  if (!data || !isContainer(data.value)) {
    const what = MESSAGE_TYPES[type] ?? `message of type ${type}`;
    throw new PaylensError(2100, `${what} ${command}: no card data`);
  }
  const reading = readContainer(data.value, data.offset + data.headerLength, trace);
  noteFill(trace, bytes);
  return {...reading, form: `MMS notification, ${reading.form}`};
}

/** The container inside the payload, after the kind of the data. */
function dataIn({value, offset, headerLength}: TlvObject, trace: Trace): TlvObject | undefined {
  const start = offset + headerLength;
  const head = DATA_HEADER.length;
  const {objects} = readTlv(value.subarray(head), {base: start + head});
  const [data, other] = objects;
  noteBytes(trace, start, value.subarray(0, head), 'kind of the data', {depth: 1});
  noteTlv(trace, objects, {names: {'84': 'data'}, depth: 1, isOpened: (object) => object === data});
  if (other) throw severalReads(`tag ${other.tag} at ${other.offset}: more than one read`);
  return data?.tag === '84' ? data : undefined;
}

/** A notification of older EMV readers around a container: 02, 0303, length. */
const NOTIFICATION = [0x02, 0x03, 0x03] as const;
const NOTIFICATION_BYTES = 5;

/** True for that notification with a container of either format inside it. */
export function isNotification(bytes: Uint8Array): boolean {
  const inside = bytes.subarray(NOTIFICATION_BYTES);
  return (
    NOTIFICATION.every((byte, i) => bytes[i] === byte) &&
    (isContainer(inside) || isOriginal(inside))
  );
}

/**
 * Reads the container in the notification. Throws 2101 if more bytes follow than the length says,
 * 2102 if fewer do, and as the reader of the container does.
 */
export function readNotification(bytes: Uint8Array, trace: Trace): Reading {
  const [, type = 0, kind = 0, high = 0, low = 0] = bytes;
  const stated = (high << 8) | low;
  const inside = bytes.subarray(NOTIFICATION_BYTES);
  const meaning = `type ${hexByte(type)}${hexByte(kind)}, ${stated} bytes`;
  noteBytes(trace, 0, bytes.subarray(0, NOTIFICATION_BYTES), 'notification', {meaning});
  if (inside.length < stated)
    throw new PaylensError(2102, `notification: expected ${stated} bytes, found ${inside.length}`);
  trace.check('length of the notification', 3, String(stated), String(inside.length));
  const read = isOriginal(inside) ? readOriginalContainer : readContainer;
  const reading = read(inside, NOTIFICATION_BYTES, trace);
  return {...reading, form: `notification, ${reading.form}`};
}
