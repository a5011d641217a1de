import {nounFor} from '../../../../contract/found-hex.js';
import {PaylensError} from '../../../../contract/paylens-error.js';
import {hexByte, hexOf, latin1Of} from '../../../../platform/bytes.js';
import {crc16} from '../../../forms/crc16.js';
import {noteBytes} from '../../../forms/note-bytes.js';
import {onlyObject, severalReads} from '../../../forms/one-read.js';
import {compactHex, hexIfBinary, payloadBytes} from '../../../forms/payload-bytes.js';
import {joinedPinsIn} from '../../../forms/tlv/pins-in.js';
import {serialTag} from '../../../forms/tlv/tag-values.js';
import {assertTerminalTags} from '../../../forms/tlv/terminal-tags.js';
import type {Reading} from '../../../reading.js';
import {flatten, readTlv, type TlvObject} from '../../../tlv/ber.js';
import {noteCutTlv, noteFill, noteTlv} from '../../../tlv/note-tlv.js';
import {EMV_TAGS} from '../../../tlv/tags.js';
import type {Trace} from '../../../trace.js';
import {readFrame} from '../frame/read-frame.js';
import {
  copiesBeside,
  type EncryptedObject,
  findEncrypted,
  holdCard,
  ksnsOf,
  readEncryptedTags,
} from './encrypted-tags.js';
import {joinedSecondaryFields} from './joined-tracks.js';
import {VIVOPAY} from './layout.js';
import {isText} from './masked-tags.js';

/** Position of a message's data, and the information in its header. */
interface VivopayMessage {
  readonly form: string;
  readonly data: Uint8Array;
  readonly base: number;
}

/**
 * True for `ViVOtech2` or `ViVOpayV3` and a NUL at the start, or bytes that begin with a tag and
 * not with STX.
 */
export function isVivopay(payload: string): boolean {
  if (/^(?:ViVO|5669564F)/i.test(payload.trimStart())) return true;
  if (payload.startsWith('02') || payload.startsWith('\x02')) return false;
  const compact = compactHex(hexIfBinary(payload));
  if (compact === undefined || compact.startsWith('02')) return false;
  // A swipe frame whose capture misses its first digit.
  if (compact.startsWith('2') && compact.length % 2 === 1) return false;
  return [0, 2].some((skip) => startsWithTag(compact.slice(skip)));
}

/**
 * Reads a ViVOtech2 or ViVOpayV3 response, or its TLV list: a swipe frame in DFEE23, or encrypted
 * EMV tags (docs/terminals/idtech.md#emv-and-vivopay).
 *
 * Throws 2100 for a command and for a response without card data, 2101 if the CRC does not match,
 * 2102 if the message is shorter than its length states.
 */
export function readVivopay(payload: string, trace: Trace): Reading {
  const bytes = payloadBytes(payload);
  const isMessage = latin1Of(bytes.subarray(0, 4)) === 'ViVO';
  const message = isMessage
    ? openMessage(bytes, trace)
    : {form: 'ViVOpay TLV', data: bytes, base: 0};
  const {objects, skipped} = walkData(message, trace);
  if (skipped > 0) noteBytes(trace, message.base, message.data.subarray(0, skipped), 'attribution');
  const all = flatten(objects);
  const encrypted = findEncrypted(all);
  noteObjects(trace, objects, all, encrypted);
  assertTerminalTags(all);
  const frame = onlyObject(all, 'DFEE23');
  if (frame && holdCard(encrypted)) {
    const why = `tag DFEE23 at ${frame.offset}: a swipe frame with encrypted tags beside it`;
    throw severalReads(why);
  }
  const reading = frame
    ? beside(readFrame(frameText(frame), trace), message.form, all, encrypted)
    : readEncryptedTags(message.form, all, encrypted);
  noteFill(trace, bytes);
  const undeclared = all.filter(({tag}) => VIVOPAY.names[tag] === undefined);
  return Object.assign({}, reading, {pins: joinedPinsIn(all), undeclared});
}

function noteObjects(
  trace: Trace,
  objects: readonly TlvObject[],
  all: readonly TlvObject[],
  encrypted: readonly EncryptedObject[],
): void {
  if (!trace.recording) return;
  const joined = all.filter(({tag, value}) => tag === 'DFEF4D' && !isText(latin1Of(value)));
  const ciphertexts = new Set([...joined, ...encrypted.map(({object}) => object)]);
  const copies = new Set(encrypted.flatMap(({masked}) => masked ?? []));
  noteTlv(trace, objects, {
    ...VIVOPAY.notes,
    depth: 1,
    isOpened: ({tag, value}) => tag === 'DFEE23' && value.length > 0,
    isSafe: (object) => copies.has(object),
    isCiphertext: (object) => ciphertexts.has(object),
  });
}

function frameText({value, offset, headerLength}: TlvObject) {
  const base = offset + headerLength;
  return {text: latin1Of(value), bytes: value, form: 'binary', base, depth: 2} as const;
}

/**
 * The reading of a frame with the tags sent with it. DFEF4D belongs to the same swipe: same KSN, same
 * card. Throws 2100.
 */
function beside(
  reading: Reading,
  form: string,
  all: readonly TlvObject[],
  encrypted: readonly EncryptedObject[],
): Reading {
  const own = reading.candidates[0]?.[0]?.ksn;
  const [ksn = own] = ksnsOf(all);
  const secondaryFields = joinedSecondaryFields(all, ksn);
  if (secondaryFields.length > 0 && ksn !== own) {
    throw severalReads('tags DFEE23 and DFEF4D: a swipe frame with tracks under a different KSN');
  }
  const serial = reading.serial ?? serialTag(all);
  return Object.assign({}, reading, {
    form: `${form}, ${reading.form}`,
    serial,
    masked: [...(reading.masked ?? []), ...copiesBeside(all, encrypted)],
    secondaryFields,
  });
}

const NAME_BYTES = 10;
const CRC_BYTES = 2;

/** Checks header, length and CRC. The CRC is big-endian in responses, little-endian in commands. */
function openMessage(bytes: Uint8Array, trace: Trace): VivopayMessage {
  const name = latin1Of(bytes.subarray(0, NAME_BYTES));
  const isV3 = name === 'ViVOpayV3\0';
  if (!isV3 && name !== 'ViVOtech2\0') {
    const isCut = 'ViVOpayV3\0'.startsWith(name) || 'ViVOtech2\0'.startsWith(name);
    const detail = 'header at byte 0: expected ViVOtech2 or ViVOpayV3 and 00';
    throw new PaylensError(isCut ? 2102 : 2100, detail);
  }
  const dataStart = NAME_BYTES + (isV3 ? 5 : 4);
  const length = (bytes[dataStart - 2] ?? 0) * 256 + (bytes[dataStart - 1] ?? 0);
  const end = dataStart + length;
  if (bytes.length < end + CRC_BYTES) {
    const found = Math.max(0, bytes.length - dataStart);
    const detail = `the length at byte ${dataStart - 2} indicates ${length}, but ${found} bytes with CRC follow`;
    trace.cut(new PaylensError(2102, detail));
  }
  noteHeader(trace, bytes, isV3, length);
  assertVivopayCrc(bytes, end, trace);
  noteBytes(trace, end, bytes.subarray(end, end + CRC_BYTES), 'CRC-16');
  checkEnd(bytes, end + CRC_BYTES, trace);
  return {
    form: isV3 ? 'ViVOpayV3 response' : 'ViVOtech2 response',
    data: bytes.subarray(dataStart, end),
    base: dataStart,
  };
}

function noteHeader(trace: Trace, bytes: Uint8Array, isV3: boolean, length: number): void {
  const names = isV3 ? ['command', 'subcommand', 'status'] : ['command', 'status'];
  noteBytes(trace, 0, bytes.subarray(0, NAME_BYTES), 'header', {sensitivity: 'opaque'});
  for (const [i, name] of names.entries()) {
    noteBytes(trace, NAME_BYTES + i, bytes.subarray(NAME_BYTES + i).subarray(0, 1), name);
  }
  const at = NAME_BYTES + names.length;
  const meaning = `${length} ${nounFor(length, 'byte')}`;
  noteBytes(trace, at, bytes.subarray(at, at + 2), 'length', {meaning});
}

function assertVivopayCrc(bytes: Uint8Array, end: number, trace: Trace): void {
  const computed = crc16(bytes.subarray(0, end));
  const high = bytes[end] ?? 0;
  const low = bytes[end + 1] ?? 0;
  if (low * 256 + high === computed && high !== low) {
    const detail = 'this is a command sent to the reader (little-endian CRC), not a response';
    throw new PaylensError(2100, detail);
  }
  const expected = hexByte(computed >> 8) + hexByte(computed & 0xff);
  trace.check('CRC-16', end, expected, hexByte(high) + hexByte(low));
}

function checkEnd(bytes: Uint8Array, end: number, trace: Trace): void {
  if (bytes.length === end) return;
  if (latin1Of(bytes.subarray(end, end + 4)) === 'ViVO') {
    throw severalReads(`a second message begins at byte ${end}`);
  }
  const ok = bytes.subarray(end).every((byte) => byte === 0);
  trace.check('end of message', end, 'nothing or zeros', ok ? 'zeros' : 'other data', ok);
  noteBytes(trace, end, bytes.subarray(end), 'padding after the message');
}

/** The TLV list follows 0, 1, 3 or 4 bytes: attribution, or the codes of a failure. */
const SKIPS = [0, 1, 3, 4];

function walkData(
  {data, base}: VivopayMessage,
  trace: Trace,
): {objects: readonly TlvObject[]; skipped: number} {
  let failure: unknown;
  let most = 0;
  for (const skipped of SKIPS) {
    const rest = data.subarray(skipped);
    try {
      const {objects} = readTlv(rest, {idtechFlags: true, base: base + skipped});
      return {objects, skipped};
    } catch (error) {
      if (failure !== undefined && !startsWithTag(hexOf(rest.subarray(0, 4)))) continue;
      failure = error;
      most = skipped;
    }
  }
  noteBytes(trace, base, data.subarray(0, most), 'attribution');
  noteCutTlv(trace, data.subarray(most), base + most, {...VIVOPAY.notes, depth: 1}, true);
  throw failure;
}

/** True if hex begins with a tag of EMV or ID TECH, trying three-byte tags first. */
function startsWithTag(hex: string): boolean {
  const upper = hex.slice(0, 6).toUpperCase();
  if (VIVOPAY.names[upper] !== undefined) return true;
  return [4, 2].some((digits) => EMV_TAGS[upper.slice(0, digits)] !== undefined);
}
