import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import type {Fill} from '../../cipher/padding.js';
import {chipValue, packDigits, track2EquivalentOf} from '../shared/chip-data.js';
import {encryptList} from '../shared/chip-list.js';
import {fillTemplate} from '../shared/tlv-template.js';
import type {WriteRequest} from '../writer.js';
import {MASKED_PAN_TAGS, MESSAGES, SERIAL_TAG, TRACK_2_EQUIVALENT} from './layout.js';
import type {WisepadOptions} from './writer-options.js';

/**
 * The objects after the clear tags for each value of `message`, so that a truncated end is noticed.
 */
const TAILS: Readonly<Record<string, string>> = {
  'C2+C8': 'C400C700C800C000C200',
  C2: 'C000C400C200',
  C8: 'C400C700C800',
  C5: 'C300C400C500',
  C6: 'C300C400C600',
};
const CLEAR_TAGS =
  '5F2A0208408202180095050000008000' +
  '9A032601019B0268009C01009F02060000000010009F03060000000000009F100706010A03A000009F1A020840' +
  '9F2608A1B2C3D4E5F607089F2701809F3303E0F8C89F34031F02009F360200019F370401020304';
/** Template of the message: the card, then the terminal and entry mode. */
const INNER =
  '4F0057005A005F20005F24005F2A0208405F300082021800840095050000008000' +
  '9A032601019C01009F02060000000010009F1A0208409F34031F02009F3501219F39009F410400000001';

/**
 * Writes the TLV list of `onRequestOnlineProcess` (docs/formats/wisepad.md#emv): templates with
 * their empty objects filled in. Throws 9001 if one is not a TLV list.
 */
export function writeOnline(request: WriteRequest, options: WisepadOptions): Uint8Array {
  const serial = request.serial === undefined ? '' : `${SERIAL_TAG}00`;
  const usual = `${CLEAR_TAGS}${serial}${TAILS[options.message]}`;
  return fillTemplate(options.outer || usual, (tag) => outerValue(tag, request, options));
}

function outerValue(tag: string, request: WriteRequest, options: WisepadOptions) {
  const {card, ksn} = request;
  const trackKsn = options.trackKsn || ksn;
  if (MESSAGES.some((message) => message.tag === tag)) return writeMessage(request, options);
  if (MESSAGES.some((message) => message.ksn === tag)) return hexBytes(ksn);
  if (tag === TRACK_2_EQUIVALENT.ksn) return hexBytes(trackKsn);
  if (tag === TRACK_2_EQUIVALENT.tag) {
    const plain = packDigits(track2EquivalentOf(card));
    return encryptList(plain, request, {fill: 'pkcs7', ksn: trackKsn});
  }
  if (MASKED_PAN_TAGS.has(tag)) return packDigits(maskMiddle(card.pan, 'F'));
  return serialValue(tag, request);
}

function writeMessage(request: WriteRequest, options: WisepadOptions): Uint8Array {
  const {mode, card} = request;
  const usual = mode === 'swiped' ? '90' : '05';
  const entry = options.entry === 'auto' ? usual : options.entry;
  const plain = fillTemplate(options.inner || INNER, (tag) =>
    tag === '9F39' ? hexBytes(entry) : (serialValue(tag, request) ?? chipValue(tag, card)),
  );
  return encryptList(plain, request, {fill: options.fill as Fill});
}

function serialValue(tag: string, {serial}: WriteRequest): Uint8Array | undefined {
  return tag === SERIAL_TAG && serial !== undefined ? bytesFromLatin1(serial) : undefined;
}

function hexBytes(hex: string): Uint8Array {
  const bytes = bytesFromHex(hex);
  if (bytes) return bytes;
  throw new PaylensError(9001, 'expected whole bytes of hex');
}
