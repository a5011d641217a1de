import {PaylensError} from '../../../../contract/paylens-error.js';
import {hexByte, upperHexOf} from '../../../../platform/bytes.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import {readTlv, type TlvObject} from '../../../tlv/ber.js';
import {noteFill, noteTlv} from '../../../tlv/note-tlv.js';
import type {Trace} from '../../../trace.js';
import {isContainer, readContainer} from './container.js';

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

const MMS = 0xaa;
const HEADER_BYTES = 2;
/** Source and type of a notification with transaction data. */
const TRANSACTION_DATA = '0101';
/** Before the data, the payload has these bytes: kind and format of the data. */
export const DATA_HEADER = Uint8Array.of(0x01, 0x01);

/** True for `AA`, a version, and the message information. */
export function isMms(bytes: Uint8Array): boolean {
  return bytes[0] === MMS && (bytes[1] ?? 2) <= 1 && bytes[2] === 0x81;
}

/**
 * Reads an MMS message: a notification with transaction data is opened to its container. Throws
 * 2100, naming type and command, for a message without card data, and as readContainer does.
 */
export function readMms(bytes: Uint8Array, trace: Trace): Reading {
  const header = bytes.subarray(0, HEADER_BYTES);
  noteBytes(trace, 0, header, 'MMS header', {meaning: `version ${bytes[1]}`});
  const {objects} = readTlv(bytes.subarray(HEADER_BYTES), {base: HEADER_BYTES});
  const [information, ...others] = objects;
  const [payload] = others.filter(({tag}) => tag === '84');
  noteTlv(trace, objects, {names: MMS_TAGS, isOpened: (object) => object === payload});
  const foreign = others.find(({tag}) => tag !== '82' && tag !== '84');
  if (foreign) throw severalReads(`tag ${foreign.tag} at ${foreign.offset}: not of an MMS message`);
  if (others.length > 2) throw severalReads('more than one payload in the message');
  const {type, command} = informationOf(information);
  const data =
    payload && type === '83' && command === TRANSACTION_DATA ? dataOf(payload, trace) : undefined;
  if (!data || !isContainer(data.value)) throw noCard(type, command);
  const reading = readContainer(data.value, data.offset, trace);
  noteFill(trace, bytes);
  return {...reading, form: `MMS notification, ${reading.form}`};
}

function informationOf(object: TlvObject | undefined) {
  const hex = object?.tag === '81' ? upperHexOf(object.value) : '';
  if (hex.length !== 8) throw new PaylensError(2100, 'message information: expected 4 bytes');
  return {type: hex.slice(0, 2), command: hex.slice(4)};
}

/** The container inside the payload, behind the kind of the data. */
function dataOf({value, offset, headerLength}: TlvObject, trace: Trace) {
  const start = offset + headerLength;
  const head = DATA_HEADER.length;
  const {objects} = readTlv(value.subarray(head), {base: start + head});
  const [data, other] = objects;
  noteBytes(trace, start, value.subarray(0, head), 'kind of the data', {depth: 1});
  noteTlv(trace, objects, {names: {'84': 'data'}, depth: 1, isOpened: (object) => object === data});
  if (other) throw severalReads(`tag ${other.tag} at ${other.offset}: more than one read`);
  if (data?.tag !== '84') return undefined;
  return {value: data.value, offset: data.offset + data.headerLength};
}

function noCard(type: string, command: string): PaylensError {
  const what = MESSAGE_TYPES[type] ?? `message of type ${type}`;
  return new PaylensError(2100, `${what} ${command}: no card data`);
}

/** A notification of older EMV readers around a container: 02, 0303, length. */
const NOTIFICATION = [0x02, 0x03, 0x03] as const;
export const NOTIFICATION_BYTES = 5;

/** True for that notification with a container of either format inside it. */
export function isNotification(bytes: Uint8Array): boolean {
  if (NOTIFICATION.some((byte, i) => bytes[i] !== byte)) return false;
  const inside = bytes.subarray(NOTIFICATION_BYTES);
  return isContainer(inside) || [0xfd, 0xfe].includes(inside[0] ?? 0);
}

/**
 * The container in the notification. Throws 2101 if more bytes follow than the length says, 2102 if
 * fewer do.
 */
export function notified(bytes: Uint8Array, trace: Trace): Uint8Array {
  const stated = ((bytes[3] ?? 0) << 8) | (bytes[4] ?? 0);
  const inside = bytes.subarray(NOTIFICATION_BYTES);
  const meaning = `type ${hexByte(bytes[1] ?? 0)}${hexByte(bytes[2] ?? 0)}, ${stated} bytes`;
  noteBytes(trace, 0, bytes.subarray(0, NOTIFICATION_BYTES), 'notification', {meaning});
  if (inside.length < stated) {
    throw new PaylensError(2102, `notification: expected ${stated} bytes, found ${inside.length}`);
  }
  trace.check('length of the notification', 3, String(stated), String(inside.length));
  return inside;
}
