import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesOfHex, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {addFill} from '../../cipher/padding.js';
import {writeTlv} from '../../tlv/ber.js';
import {chipValue, packDigits} from '../shared/chip-data.js';
import {fillTemplate} from '../shared/tlv-template.js';
import {writeDictionary} from '../wisepad/dictionary-writer.js';
import {MESSAGES} from '../wisepad/layout.js';
import type {WriteRequest, Writer} from '../writer.js';
import {demandKsnLength} from '../writer-options.js';
import {settingOf, writePinBlock} from './ciphers.js';
import {swipeMembers} from './swipe-writer.js';
import {DSPREAD_OPTIONS, type DspreadOptions, dspreadOptions} from './writer-options.js';

/** Reads of DSpread are known under TDES DUKPT alone. */
const MODES = ['swiped', 'emv'] as const;

/** Generates DSpread payloads: the dictionary of a swipe or tap, EMV TLV. */
export const dspreadWriter: Writer = {
  modes: MODES,
  tdesOnly: MODES,
  options: DSPREAD_OPTIONS,
  write: (request) => {
    demandKsnLength({tdesOnly: MODES}, request);
    if (request.iv) throw new PaylensError(9001, 'DSpread payloads have no IV');
    const options = dspreadOptions(request.options);
    const write = request.mode === 'emv' ? writeOnline : writeSwipe;
    const {serial} = request;
    const beside = serial === undefined ? {} : {deviceSerial: serial};
    return {devicePayload: write(request, options), ...beside};
  },
};

function writeSwipe(request: WriteRequest, options: DspreadOptions): string {
  const {form} = options;
  if (form === 'tlv') throw new PaylensError(9001, 'option form: tlv is for emv');
  return writeDictionary(form, swipeMembers(request, options));
}

/** Clear objects in the order of published messages; the name is blank. */
const CLEAR_TAGS =
  '5F201A20202020202020202020202020202020202020202020202020204F005F24009F160F54455354204D45524348414E542031' +
  '9F21031200009A032601019F02060000000010009F03060000000000009F34034203009F120454455354' +
  '9F06005F30009F4E0A5445535420484F555345';
const LIST =
  '9F02060000000010005A0057009F100706010A03A000009F160F54455354204D45524348414E54203182021C00' +
  '5F24004F009F26088899AABBCCDDEEFF9F2701809F360200019C01009F3303E0F8C89F34034203009F3704DE4A1B2C' +
  '9F3901059505808004800084009A032601015F2A0208405F3401015F20005F30005F28020840500454455354';
const SHORT_LIST = '5A005700';

function writeOnline(request: WriteRequest, options: DspreadOptions): string {
  const {form, prefix} = options;
  if (form !== 'auto' && form !== 'tlv')
    throw new PaylensError(9001, 'option form: expected auto, tlv when emv');
  const message = concatBytes(
    filled(CLEAR_TAGS, request),
    writeTlv('C4', packDigits(maskMiddle(request.card.pan, 'F'))),
    ...pinObjects(request, options),
    ...messageObjects(request, options),
    options.d0 === 'on' ? writeTlv('D0', bytesOfHex('00112233445566778899AABBCCDDEEFF')) : NOTHING,
  );
  const length = Uint8Array.of(message.length >> 8, message.length & 0xff);
  return upperHexOf(prefix === 'on' ? concatBytes(length, message) : message);
}

const NOTHING = new Uint8Array();

function pinObjects(request: WriteRequest, options: DspreadOptions): Uint8Array[] {
  if (options.pin === 'off') return [];
  const {ksn, block} = writePinBlock(request, options);
  return [writeTlv('C1', bytesOfHex(ksn)), writeTlv('C7', block)];
}

function messageObjects(request: WriteRequest, {message, list, firmware}: DspreadOptions) {
  const ksnTag = MESSAGES.find(({tag}) => tag === message)?.ksn ?? 'C0';
  const plain = filled(list === 'short' ? SHORT_LIST : LIST, request);
  const whole = list === '70' ? inLongTemplate(plain) : plain;
  const ciphertext = request.encrypt(addFill(whole, 'zero', 8), settingOf(firmware));
  return [writeTlv(ksnTag, bytesOfHex(request.ksn)), writeTlv(message, ciphertext)];
}

/** The length has two bytes even if one would do. */
function inLongTemplate(list: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x70, 0x82, list.length >> 8, list.length & 0xff), list);
}

function filled(template: string, {card}: WriteRequest): Uint8Array {
  return fillTemplate(template, (tag) => chipValue(tag === '9F06' ? '4F' : tag, card));
}
