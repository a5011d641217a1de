import {bytesFromLatin1} from '../../../../platform/bytes.js';
import {trackLrc} from '../../../card/lrc.js';
import {CARD_DATA_SETTING} from '../../../reading.js';
import type {WriteRequest} from '../../writer.js';
import {KEYED_STATUS} from '../layout.js';
import type {IdtechOptions} from '../writer-options.js';
import {FrameBuilder} from './frame-builder.js';
import {maskedKeyedCopy} from './mask-copy.js';
import {encryptText, hashOf, hexBytes, maskSetting, type Slot, writeSlots} from './swipe-writer.js';

/** Writes keyed entry in the enhanced layout (C0): `;PAN=YYMM:CVV?` and LRC in the track 2 slot. */
export function writeKeyedEnhanced(request: WriteRequest, options: IdtechOptions): string {
  const {pan, expiry, cvv} = request.card;
  const text = `;${pan}=${expiry}${cvv !== undefined && options.cvv === 'on' ? `:${cvv}` : ''}?`;
  const plain = text + trackLrc(2, text);
  const copy = maskedKeyedCopy(plain, maskSetting(options));
  const slots: Slot[] = [{number: 2, plain, copy, encrypted: true}];
  const additional = additionalText(options);
  if (additional !== '') {
    slots.push({number: 3, plain: additional, copy: additional, encrypted: false});
  }
  const builder = new FrameBuilder(options.form);
  return writeSlots(builder, 0xc0, slots, request, options);
}

/** Street and ZIP, or only the ZIP, each followed by `=`. */
function additionalText({street, zip}: IdtechOptions): string {
  if (street === '' && zip === '') return '';
  return street === '' ? `${zip}=` : `${street}=${zip}=`;
}

const UNUSED_BYTES = 4;

/**
 * Writes keyed entry in the original layout (85): `PAN=YYMM=CVV`, then EXP, ADR, ZIP in cleartext.
 */
export function writeKeyedOriginal(request: WriteRequest, options: IdtechOptions): string {
  const {pan, expiry, cvv} = request.card;
  const plain = `${pan}=${expiry}=${options.cvv === 'on' ? (cvv ?? '') : ''}`;
  const clear = [
    {bit: KEYED_STATUS.expiry, text: expiry},
    {bit: KEYED_STATUS.address, text: options.street},
    {bit: KEYED_STATUS.zip, text: options.zip},
  ].filter(({text}) => text !== '');
  const builder = new FrameBuilder(options.form);
  builder.byte(0x85).bytes(new Uint8Array(UNUSED_BYTES));
  builder.byte(clear.reduce((bits, {bit}) => bits | bit, 0)).byte(plain.length);
  builder.bytes(encryptText(plain, CARD_DATA_SETTING, request));
  builder.bytes(hashOf(plain, {...options, optional: ''}));
  for (const {text} of clear) builder.byte(text.length).bytes(bytesFromLatin1(text));
  builder.bytes(hexBytes(request.ksn));
  return builder.seal(request.wrongCheck);
}
