import {bytesFromLatin1, bytesOfHex} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {chipValue, packDigits, track2EquivalentOf} from '../../forms/tlv/chip-data.js';
import {encryptPadded} from '../../forms/tlv/chip-list.js';
import {fillTemplate} from '../../forms/tlv/tlv-template.js';
import type {WriteRequest} from '../../writing.js';
import {SERIAL_TAG, TRACK_2_EQUIVALENT, WISEPAD} from './layout.js';
import type {WisepadOptions} from './writer-options.js';

/**
 * The objects after the clear tags for each value of `message`, so that a truncated end is noticed.
 */
const ENCRYPTED_LISTS: Readonly<Record<string, string>> = {
  'C2+C8': 'C400C700C800C000C200',
  C2: 'C000C400C200',
  C8: 'C400C700C800',
  C5: 'C300C400C500',
  C6: 'C300C400C600',
};
const CLEAR_LIST =
  '5F2A0208408202180095050000008000' +
  '9A032601019B0268009C01009F02060000000010009F03060000000000009F100706010A03A000009F1A020840' +
  '9F2608A1B2C3D4E5F607089F2701809F3303E0F8C89F34031F02009F360200019F370401020304';
/** Template of the message: the card, then the terminal and entry mode. */
const INNER =
  '4F0057005A005F20005F24005F2A0208405F300082021800840095050000008000' +
  '9A032601019C01009F02060000000010009F1A0208409F34031F02009F3501219F39009F410400000001';

/**
 * Writes the TLV list of `onRequestOnlineProcess` (docs/terminals/wisepad.md#emv): templates with
 * their empty objects filled in.
 */
export function writeOnline(request: WriteRequest, {message}: WisepadOptions): Uint8Array {
  const serial = request.serial === undefined ? '' : `${SERIAL_TAG}00`;
  return fillTemplate(`${CLEAR_LIST}${serial}${ENCRYPTED_LISTS[message]}`, (tag) =>
    outerValue(tag, request),
  );
}

function outerValue(tag: string, request: WriteRequest): Uint8Array | undefined {
  const {card, ksn} = request;
  if (WISEPAD.tags.ksn.has(tag)) return bytesOfHex(ksn);
  if (tag === TRACK_2_EQUIVALENT.tag)
    return encryptPadded(packDigits(track2EquivalentOf(card)), request, {fill: 'pkcs7'});
  if (WISEPAD.tags.cipher.has(tag)) return encryptMessage(request);
  if (WISEPAD.tags.masked.has(tag)) return packDigits(maskMiddle(card.pan, 'F'));
  return serialValue(tag, request);
}

function encryptMessage(request: WriteRequest): Uint8Array {
  const {mode, card} = request;
  const plain = fillTemplate(INNER, (tag) => {
    if (tag === '9F39') return bytesOfHex(mode === 'swiped' ? '90' : '05');
    return serialValue(tag, request) ?? chipValue(tag, card);
  });
  return encryptPadded(plain, request, {fill: 'pkcs7'});
}

function serialValue(tag: string, {serial}: WriteRequest): Uint8Array | undefined {
  return tag === SERIAL_TAG && serial !== undefined ? bytesFromLatin1(serial) : undefined;
}
