import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, bytesOfHex, upperHexOf} from '../../../platform/bytes.js';
import {compactHex, hexIfBinary, payloadBytes} from '../../forms/payload-bytes.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {isContainer, isUserData, readContainer, readUserData} from './emv/container.js';
import {isMms, isNotification, readMms, readNotification} from './emv/message.js';
import {isOriginal, readOriginalContainer} from './emv/original.js';
import {arePackets, readPackets} from './emv/packets.js';
import {isIpad, readIpad} from './swipe/ipad.js';
import {M001, readM001} from './swipe/m001.js';
import {isMembers, mayBeMembers, readMembersOf} from './swipe/members.js';
import {isCutReport, readReport, reportStart} from './swipe/report.js';
import {isString, readString} from './swipe/string.js';
import {readScra} from './swipe/template.js';

/** A form of a payload in text or in bytes, by its beginning. */
interface MagtekForm<Payload> {
  readonly fits: (payload: Payload) => boolean;
  readonly read: (payload: Payload, trace: Trace) => Reading;
}

const TEXT_FORMS: readonly MagtekForm<string>[] = [
  {fits: (text) => new RegExp(`^\\s*${M001}\\|`).test(text), read: readM001},
  {fits: isIpad, read: readIpad},
  {fits: isString, read: readString},
  {fits: isMembers, read: readMembersOf},
];

/** Messages that have no card data that paylens could decrypt, by their beginning. */
const CLOSED: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^\s*M002\|/, 'M002, selectable card data'],
  [/^\s*Q00[1-3]\|/, 'Q001 to Q003, Qwantum tokens'],
  [/^\s*C10[16]/, "C101, an audio reader's raw answer"],
];

const CONTAINERS: readonly MagtekForm<Uint8Array>[] = [
  {fits: isMms, read: readMms},
  {fits: isContainer, read: (bytes, trace) => readContainer(bytes, 0, trace)},
  {fits: isUserData, read: readUserData},
  {fits: isOriginal, read: (bytes, trace) => readOriginalContainer(bytes, 0, trace)},
  {fits: ([first]) => first === 0xfa, read: readScra},
  {fits: isNotification, read: readNotification},
  {fits: arePackets, read: readPackets},
];

/** Tags of MagTek alone, of which every container has one near its beginning. */
const OWN_TAGS = /DFDF(?:25|37|50|54|56|59)/;
const BEGINNING = 160;

/** True if the payload begins as one of the forms that name their maker. */
export function isMagtekPayload(sent: string): boolean {
  const payload = hexIfBinary(sent);
  if (TEXT_FORMS.some(({fits}) => fits(payload))) return true;
  const hex = compactHex(payload);
  const bytes = hex === undefined ? undefined : bytesFromHex(hex);
  if (!bytes) return false;
  if (reportStart(bytes) !== undefined || isMms(bytes) || arePackets(bytes)) return true;
  const isOwn = OWN_TAGS.test(upperHexOf(bytes.subarray(0, BEGINNING)));
  return isOwn && CONTAINERS.some(({fits}) => fits(bytes));
}

/** Names that only these readers' programs print. */
const OWN_NAMES = /track ?[123][ .]encrypted|dukpt key serial number|card encode type|^\s*M001\|/i;

/** True for a payload, also one without its end, with a sign of MagTek. */
export function isOfMagtek(payload: string): boolean {
  if (OWN_NAMES.test(payload) || isMagtekPayload(payload)) return true;
  return (
    (/^[\da-f]+$/i.test(payload) && isMagtekPayload(payload.slice(0, -1))) ||
    isCutReport(wholeBytes(payload))
  );
}

/** The bytes of a payload; of a report that was cut within a byte, those before it. */
function bytesOrCutReport(payload: string): Uint8Array {
  try {
    return payloadBytes(payload);
  } catch (error) {
    const whole = wholeBytes(payload);
    if (isCutReport(whole)) return whole;
    throw error;
  }
}

/** The bytes of a payload without the digit that is left of a cut one. */
function wholeBytes(sent: string): Uint8Array {
  const hex = compactHex(hexIfBinary(sent)) ?? '';
  return bytesOfHex(hex.slice(0, hex.length - (hex.length % 2)));
}

/**
 * Reads a payload of a MagTek reader in the form that its beginning shows
 * (docs/terminals/magtek.md#recognition).
 *
 * Throws 2100 if it is none of the forms or has no card data, and as the reader of the form does.
 */
export function readMagtekPayload(sent: string, trace: Trace): Reading {
  const payload = hexIfBinary(sent);
  const form = TEXT_FORMS.find(({fits}) => fits(payload));
  if (form) return form.read(payload, trace);
  const closed = CLOSED.find(([beginning]) => beginning.test(payload));
  if (closed) throw new PaylensError(2100, `${closed[1]}: paylens does not read it`);
  if (mayBeMembers(payload)) return readMembersOf(payload, trace);
  if (payload.includes('|')) return readString(payload, trace);
  const bytes = bytesOrCutReport(payload);
  const container = CONTAINERS.find(({fits}) => fits(bytes));
  return container ? container.read(bytes, trace) : readReport(bytes, trace);
}
