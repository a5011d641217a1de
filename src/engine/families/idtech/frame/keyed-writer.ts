import {bytesFromLatin1, bytesOfHex} from '../../../../platform/bytes.js';
import {trackLrc} from '../../../card/lrc.js';
import {writePlaces} from '../../../forms/record.js';
import type {RecordField} from '../../../forms/record-cursor.js';
import {CARD_DATA_SETTING} from '../../../reading.js';
import type {WriteRequest} from '../../../writing.js';
import {FIELDS, KEYED_STATUS} from '../layout.js';
import type {IdtechOptions} from '../writer-options.js';
import {FrameBuilder} from './frame-builder.js';
import {maskedKeyedCopy} from './mask-copy.js';
import {KEYED_HEAD, KEYED_REST} from './records.js';
import {encryptText, maskSetting, type Slot, trackHash, writeSlots} from './swipe-writer.js';

/** Writes keyed entry in the enhanced layout (C0): `;PAN=YYMM:CVV?` and LRC in the track 2 slot. */
export function writeKeyedEnhanced(request: WriteRequest, options: IdtechOptions): string {
  const {pan, expiry, cvv} = request.card;
  const text = `;${pan}=${expiry}${cvv === undefined ? '' : `:${cvv}`}?`;
  const plain = text + trackLrc(2, text);
  const copy = maskedKeyedCopy(plain, maskSetting(options));
  const slots: Slot[] = [{number: 2, plain, copy, encrypted: true}];
  if (options.zip !== '') {
    const additional = `${options.zip}=`;
    slots.push({number: 3, plain: additional, copy: additional, encrypted: false});
  }
  const builder = new FrameBuilder(options.form);
  return writeSlots(builder, 0xc0, slots, request, options);
}

const UNUSED_BYTES = 4;

/**
 * Writes keyed entry in the original layout (85): `PAN=YYMM=CVV`, then EXP and ZIP in cleartext.
 */
export function writeKeyedOriginal(request: WriteRequest, options: IdtechOptions): string {
  const {pan, expiry, cvv} = request.card;
  const plain = `${pan}=${expiry}=${cvv ?? ''}`;
  const {zip} = options;
  const values = new Map<RecordField, number | Uint8Array>([
    [FIELDS.reserved, new Uint8Array(UNUSED_BYTES)],
    [FIELDS.keyedStatus, KEYED_STATUS.expiry | (zip === '' ? 0 : KEYED_STATUS.zip)],
    [FIELDS.keyedLength, plain.length],
    [FIELDS.keyedCipher, encryptText(plain, CARD_DATA_SETTING, request)],
    [FIELDS.keyedHash, trackHash(plain, options)],
    [FIELDS.expiryLength, expiry.length],
    [FIELDS.expiry, bytesFromLatin1(expiry)],
    [FIELDS.ksn, bytesOfHex(request.ksn)],
  ]);
  if (zip !== '') {
    values.set(FIELDS.zipLength, zip.length).set(FIELDS.zip, bytesFromLatin1(zip));
  }
  const builder = new FrameBuilder(options.form).byte(0x85);
  writePlaces(builder, [...KEYED_HEAD, ...KEYED_REST], values);
  return builder.finish(request.wrongCheck);
}
