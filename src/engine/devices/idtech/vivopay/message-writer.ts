import {PaylensError} from '../../../../contract/paylens-error.js';
import {
  bytesFromHex,
  bytesFromLatin1,
  concatBytes,
  latin1Of,
  upperHexOf,
} from '../../../../platform/bytes.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {readTlv, type TlvObject, writeTlv} from '../../../tlv/ber.js';
import {chipValue, packDigits} from '../../shared/chip-data.js';
import {crc16} from '../../shared/crc16.js';
import type {WriteRequest} from '../../writer.js';
import {maskedDigits} from '../frame/mask-copy.js';
import {hexBytes, maskSetting, settingOf} from '../frame/swipe-writer.js';
import type {IdtechOptions} from '../writer-options.js';

/** Input for filling a template. */
interface Context {
  readonly request: WriteRequest;
  readonly options: IdtechOptions;
  /** The swipe or keyed frame, one character per byte. */
  readonly frame: string | undefined;
  readonly encrypted: ReadonlySet<string>;
  readonly masked: ReadonlySet<string>;
}

/**
 * Writes a ViVOtech2 or ViVOpayV3 response, or its bare TLV list, one character per byte: the
 * template with its empty objects filled in, and pairs of masked and encrypted tags
 * (docs/formats/idtech.md#emv-and-vivopay).
 *
 * Throws 9001 if the template is not a TLV list.
 */
export function writeMessage(
  request: WriteRequest,
  options: IdtechOptions,
  message: string,
  frame: string | undefined,
): string {
  const encrypted = new Set(options.encrypted.split(','));
  const masked = new Set(options.masked.split(','));
  const context = {request, options, frame, encrypted, masked};
  const list = concatBytes(...templateOf(context).map((object) => writeObject(object, context)));
  const data = concatBytes(attribution(context, message), list);
  if (message === 'tlv') return latin1Of(data);
  return sealMessage(data, message, options, request.wrongCheck ?? false);
}

/**
 * A result code, the KSN, the application, the transaction and the card, as in an online EMV
 * transaction.
 */
const EMV_TEMPLATE =
  'DFEE25020004DFEE12004F00820220008400950500800080009A032601019B02E8009C01005F20005F24005700' +
  '5A005F2A0208405F3401019F02060000000010009F03060000000000009F100706010A03A000009F1A020840' +
  '9F2608A1B2C3D4E5F607089F2701809F3303E0F8C89F34031E03009F3501219F360200019F3704010203049F3900' +
  '9F4104000000019F1E005F2D02656EDFEE2600';
/** A swipe: the result, the frame, the entry mode. */
const FRAME_TEMPLATE = 'DFEE25020011DFEE23009F390190FFEE0105DFEE30010CDFEE2602E800';

function templateOf({request, options}: Context): readonly TlvObject[] {
  const usual = request.mode === 'emv' ? EMV_TEMPLATE : FRAME_TEMPLATE;
  const template = options.template || usual.replace('DFEE1200', `${options.ksnTag}00`);
  const bytes = bytesFromHex(template) ?? new Uint8Array();
  try {
    const {objects, end} = readTlv(bytes);
    if (end === bytes.length) return objects;
  } catch {
    // In a payload this error would mean damage; here the template is invalid.
  }
  throw new PaylensError(9001, 'option template: it is not a TLV list');
}

function writeObject(object: TlvObject, context: Context): Uint8Array {
  const {tag, children} = object;
  if (children)
    return writeTlv(tag, concatBytes(...children.map((child) => writeObject(child, context))));
  const value = object.value.length > 0 ? object.value : filledValue(tag, context);
  if (context.frame !== undefined || !context.encrypted.has(tag)) return writeTlv(tag, value);
  return writePair(tag, value, context);
}

/** The value for an empty object of the template. */
function filledValue(tag: string, {request, options, frame}: Context): Uint8Array {
  const {card, ksn, serial, mode} = request;
  if (tag === options.ksnTag) return hexBytes(ksn);
  if (tag === 'DFEE23') return bytesFromLatin1(frame ?? '');
  if (mode !== 'emv') return new Uint8Array();
  if (tag === '9F1E') return bytesFromLatin1(serial ?? '');
  if (tag === '9F39') return hexBytes(options.entry);
  if (tag === 'DFEE26') return Uint8Array.of(encryptionInformation(request, options));
  return chipValue(tag, card) ?? new Uint8Array();
}

/**
 * Bit 0 contactless, bit 1 AES, bits 6 and 7 encryption on
 * (docs/formats/idtech.md#encryption-information).
 */
function encryptionInformation(request: WriteRequest, options: IdtechOptions): number {
  const aes = settingOf(request, options).algorithm === 'aes' ? 0x02 : 0;
  return 0xc0 | aes | (options.entry === '07' ? 0x01 : 0);
}

/**
 * Writes a masked and an encrypted tag. The plaintext is the complete TLV, zero-padded to the
 * block.
 */
function writePair(tag: string, value: Uint8Array, context: Context): Uint8Array {
  const {request, options, masked} = context;
  const setting = settingOf(request, {...options, key: 'data'});
  const plain = addFill(writeTlv(tag, value), 'zero', blockSizeOf(setting.algorithm));
  const copy = masked.has(tag) ? maskedValue(value, options) : undefined;
  return CONVENTIONS[options.convention as keyof typeof CONVENTIONS](
    tag,
    copy,
    request.encrypt(plain, setting),
  );
}

function maskedValue(value: Uint8Array, options: IdtechOptions): Uint8Array {
  return packDigits(maskedDigits(upperHexOf(value), maskSetting(options)));
}

type Convention = (tag: string, copy: Uint8Array | undefined, cipher: Uint8Array) => Uint8Array;

const CONVENTIONS: Readonly<Record<'flags' | 'twice' | 'augusta', Convention>> = {
  flags: (tag, copy, cipher) =>
    concatBytes(...(copy ? [flagged(tag, copy, 0x20)] : []), flagged(tag, cipher, 0x40)),
  twice: (tag, copy, cipher) =>
    concatBytes(flagged(tag, copy ?? new Uint8Array(), 0), flagged(tag, cipher, 0)),
  augusta: (tag, copy, cipher) =>
    concatBytes(
      ...(copy ? [writeTlv(tag === '5A' ? 'DFEF5B' : 'DFEF5D', copy)] : []),
      writeTlv(tag, cipher),
    ),
};

/** An object with a length in the long form and ID TECH's flag. */
function flagged(tag: string, value: Uint8Array, flag: number): Uint8Array {
  const {length} = value;
  const field = length < 256 ? [0x81 + flag, length] : [0x82 + flag, length >> 8, length & 0xff];
  return concatBytes(hexBytes(tag), Uint8Array.from(field), value);
}

/** The bytes before the list: an attribution byte (V2), three zeros (V3), nothing in bare TLV. */
function attribution({request, options}: Context, message: string): Uint8Array {
  if (options.attribution === 'none') return new Uint8Array();
  if (options.attribution !== 'auto') return hexBytes(options.attribution);
  if (message === 'tlv') return new Uint8Array();
  if (message === 'vivopayv3') return new Uint8Array(3);
  return Uint8Array.of(request.mode === 'emv' ? encryptionInformation(request, options) : 0xc8);
}

function sealMessage(
  data: Uint8Array,
  message: string,
  {header}: IdtechOptions,
  wrongCrc: boolean,
): string {
  const isV3 = message === 'vivopayv3';
  const codes = header === 'auto' ? (isV3 ? '020600' : '0200') : header;
  if (codes.length !== (isV3 ? 6 : 4)) {
    throw new PaylensError(9001, `option header: expected ${isV3 ? 6 : 4} hex digits`);
  }
  const head = concatBytes(
    bytesFromLatin1(isV3 ? 'ViVOpayV3\0' : 'ViVOtech2\0'),
    hexBytes(codes),
    Uint8Array.of(data.length >> 8, data.length & 0xff),
    data,
  );
  const crc = crc16(head) ^ (wrongCrc ? 1 : 0);
  return latin1Of(concatBytes(head, Uint8Array.of(crc >> 8, crc & 0xff)));
}
