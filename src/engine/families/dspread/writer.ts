import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesOfHex, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {addFill} from '../../cipher/padding.js';
import {chipValue, packDigits} from '../../forms/tlv/chip-data.js';
import {fillTemplate} from '../../forms/tlv/tlv-template.js';
import {writeTlv} from '../../tlv/ber.js';
import type {WriteRequest} from '../../writing.js';
import {writeDictionary} from '../wisepad/dictionary-writer.js';
import {terminalWriter} from '../writer-options.js';
import {
  DSPREAD_OPTIONS,
  type DspreadOptions,
  dspreadMembers,
  firmwareSetting,
} from './swipe-writer.js';

/** Reads of DSpread are known under TDES DUKPT alone. */
const DSPREAD_MODES = ['swiped', 'emv'] as const;

/** Generates DSpread payloads: the dictionary of a swipe or tap, EMV TLV. */
export const dspreadWriter = terminalWriter({
  modes: DSPREAD_MODES,
  tdesOnly: DSPREAD_MODES,
  withoutIv: 'DSpread',
  options: DSPREAD_OPTIONS,
  write: (request, options) => {
    if (request.mode === 'emv') return writeDspreadMessage(request, options);
    if (options.form === 'tlv') throw new PaylensError(9001, 'option form: tlv is for emv');
    return writeDictionary(options.form, dspreadMembers(request, options));
  },
});

/** Clear objects in the order of published messages; the name is blank. */
const CLEAR_OBJECTS =
  '5F201A20202020202020202020202020202020202020202020202020204F005F24009F160F54455354204D45524348414E542031' +
  '9F21031200009A032601019F02060000000010009F03060000000000009F34034203009F120454455354' +
  '9F06005F30009F4E0A5445535420484F555345';
const LIST =
  '9F02060000000010005A0057009F100706010A03A000009F160F54455354204D45524348414E54203182021C00' +
  '5F24004F009F26088899AABBCCDDEEFF9F2701809F360200019C01009F3303E0F8C89F34034203009F3704DE4A1B2C' +
  '9F3901059505808004800084009A032601015F2A0208405F3401015F20005F30005F28020840500454455354';

function writeDspreadMessage(request: WriteRequest, {form, firmware}: DspreadOptions): string {
  if (form !== 'auto' && form !== 'tlv')
    throw new PaylensError(9001, 'option form: expected auto, tlv when emv');
  const list = fillFromCard(LIST, request);
  // Its length has two bytes even if one would do.
  const head = Uint8Array.of(0x70, 0x82, list.length >> 8, list.length & 0xff);
  const plain = addFill(concatBytes(head, list), 'zero', 8);
  const message = concatBytes(
    fillFromCard(CLEAR_OBJECTS, request),
    writeTlv('C4', packDigits(maskMiddle(request.card.pan, 'F'))),
    writeTlv('C0', bytesOfHex(request.ksn)),
    writeTlv('C2', request.encrypt(plain, firmwareSetting(firmware))),
  );
  return upperHexOf(message);
}

function fillFromCard(template: string, {card}: WriteRequest): Uint8Array {
  return fillTemplate(template, (tag) => chipValue(tag === '9F06' ? '4F' : tag, card));
}
