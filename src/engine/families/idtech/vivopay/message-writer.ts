import {
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  latin1Of,
  upperHexOf,
} from '../../../../platform/bytes.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {crc16} from '../../../forms/crc16.js';
import {chipValue, packDigits} from '../../../forms/tlv/chip-data.js';
import {readTlv, type TlvObject, writeTlv} from '../../../tlv/ber.js';
import type {WriteRequest} from '../../../writing.js';
import {maskedDigits} from '../frame/mask-copy.js';
import {cipherSetting, maskSetting} from '../frame/swipe-writer.js';
import type {IdtechOptions} from '../writer-options.js';

/** Tags that are encrypted, each with a masked copy. */
const ENCRYPTED: ReadonlySet<string> = new Set(['57', '5A']);

/** The objects of a message, filled in for a request. */
interface Context {
  readonly request: WriteRequest;
  readonly options: IdtechOptions;
  /** The swipe or keyed frame, one character per byte. */
  readonly frame: string | undefined;
}

/**
 * Writes a ViVOtech2 or ViVOpayV3 response, or its bare TLV list, one character per byte: a template
 * with its empty objects filled in, and pairs of masked and encrypted tags
 * (docs/terminals/idtech.md#emv-and-vivopay).
 */
export function writeMessage(
  request: WriteRequest,
  options: IdtechOptions,
  message: string,
  frame: string | undefined,
): string {
  const context = {request, options, frame};
  const template = request.mode === 'emv' ? EMV_TEMPLATE : FRAME_TEMPLATE;
  const {objects} = readTlv(bytesOfHex(template));
  const list = concatBytes(...objects.map((object) => writeObject(object, context)));
  if (message === 'tlv') return latin1Of(list);
  // Before the list: an attribution byte (V2), three zeros (V3).
  const first = request.mode === 'emv' ? encryptionInformation(request, options) : 0xc8;
  const lead = message === 'vivopayv3' ? new Uint8Array(3) : Uint8Array.of(first);
  return wrapMessage(concatBytes(lead, list), message, request);
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

function writeObject({tag, value: sent}: TlvObject, context: Context): Uint8Array {
  const value = sent.length > 0 ? sent : filledValue(tag, context);
  const isEncrypted = context.frame === undefined && ENCRYPTED.has(tag);
  return isEncrypted ? writePair(tag, value, context) : writeTlv(tag, value);
}

/** The value for an empty object of the template. */
function filledValue(tag: string, {request, options, frame}: Context): Uint8Array {
  const {card, ksn, serial, mode} = request;
  if (tag === 'DFEE12') return bytesOfHex(ksn);
  if (tag === 'DFEE23') return bytesFromLatin1(frame ?? '');
  if (mode !== 'emv') return new Uint8Array();
  if (tag === '9F1E') return bytesFromLatin1(serial ?? '');
  if (tag === '9F39') return Uint8Array.of(0x05);
  if (tag === 'DFEE26') return Uint8Array.of(encryptionInformation(request, options));
  return chipValue(tag, card) ?? new Uint8Array();
}

/** Bit 1 AES, bits 6 and 7 encryption on (docs/terminals/idtech.md#encryption-information). */
function encryptionInformation(request: WriteRequest, options: IdtechOptions): number {
  return cipherSetting(request, options).algorithm === 'aes' ? 0xc2 : 0xc0;
}

/**
 * Writes a masked and an encrypted tag. The plaintext is the complete TLV, zero-padded to the
 * block.
 */
function writePair(tag: string, value: Uint8Array, {request, options}: Context): Uint8Array {
  const setting = cipherSetting(request, options);
  const plain = addFill(writeTlv(tag, value), 'zero', blockSizeOf(setting.algorithm));
  const copy = packDigits(maskedDigits(upperHexOf(value), maskSetting(options)));
  const write = CONVENTIONS[options.convention as keyof typeof CONVENTIONS];
  return write(tag, copy, request.encrypt(plain, setting));
}

type Convention = (tag: string, copy: Uint8Array, cipher: Uint8Array) => Uint8Array;

const CONVENTIONS: Readonly<Record<'flags' | 'twice' | 'augusta', Convention>> = {
  flags: (tag, copy, cipher) => concatBytes(flagged(tag, copy, 0x20), flagged(tag, cipher, 0x40)),
  twice: (tag, copy, cipher) => concatBytes(flagged(tag, copy, 0), flagged(tag, cipher, 0)),
  augusta: (tag, copy, cipher) =>
    concatBytes(writeTlv(tag === '5A' ? 'DFEF5B' : 'DFEF5D', copy), writeTlv(tag, cipher)),
};

/** An object with a length in the long form and ID TECH's flag. */
function flagged(tag: string, value: Uint8Array, flag: number): Uint8Array {
  const {length} = value;
  const field = length < 256 ? [0x81 + flag, length] : [0x82 + flag, length >> 8, length & 0xff];
  return concatBytes(bytesOfHex(tag), Uint8Array.from(field), value);
}

function wrapMessage(data: Uint8Array, message: string, {wrongCheck}: WriteRequest): string {
  const isV3 = message === 'vivopayv3';
  const head = concatBytes(
    bytesFromLatin1(isV3 ? 'ViVOpayV3\0' : 'ViVOtech2\0'),
    bytesOfHex(isV3 ? '020600' : '0200'),
    Uint8Array.of(data.length >> 8, data.length & 0xff),
    data,
  );
  const crc = crc16(head) ^ (wrongCheck ? 1 : 0);
  return latin1Of(concatBytes(head, Uint8Array.of(crc >> 8, crc & 0xff)));
}
