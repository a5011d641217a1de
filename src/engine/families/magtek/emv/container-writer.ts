import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex, concatBytes, upperHexOf} from '../../../../platform/bytes.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {schemeOf} from '../../../dukpt/ksn.js';
import {track2EquivalentOf} from '../../../forms/tlv/chip-data.js';
import {chipList} from '../../../forms/tlv/chip-list.js';
import {writeTlv} from '../../../tlv/ber.js';
import type {WriteRequest} from '../../../writing.js';
import {macKindOf} from '../settings.js';
import {sendTracks, trackMaskedByZeros} from '../swipe/sent-tracks.js';
import {TAG} from '../tags.js';
import {type MagtekOptions, typedSetting} from '../writer-options.js';
import {lengthWord, MAC_BYTES} from './container.js';
import {DATA_HEADER} from './message.js';
import {ORIGINAL_TAGS} from './original.js';

/** Tags of a transaction that do not depend on the card. */
const TRANSACTION = bytesOfHex('9F02060000000010005F2A020840');
const CHIP_TAGS = ['57', '5A', '5F20', '5F24', '5F30'];
const TRACK_STATUS_TAGS = ['DFDF36', 'DFDF38', 'DFDF3A'];
/** Entry mode (9F39), card type (DFDF52), and payment technology of a message. */
const MODE_CODES = {
  swiped: {entry: '90', cardType: '01', technology: 0x08},
  emv: {entry: '05', cardType: '05', technology: 0x10},
  keyed: {entry: '01', cardType: '03', technology: 0x07},
} as const;

/** One object with its value: hex, bytes, or objects; none if that is empty. */
function object(tag: string, ...value: readonly (Uint8Array | string)[]): Uint8Array {
  const bytes = concatBytes(
    ...value.map((one) => (typeof one === 'string' ? bytesOfHex(one) : one)),
  );
  return bytes.length === 0 ? bytes : writeTlv(tag, bytes);
}

/** Writes F9 with its length, padding and MAC (docs/terminals/magtek.md#containers). */
export function writeContainer(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {ksn} = request;
  const isAes = schemeOf(ksn) === 'aes';
  const macType = isAes ? '98' : '82';
  const mac = [object(TAG.macKsn, ksn), object(TAG.macType, macType)];
  const transaction = object(TAG.transaction, transactionContent(request, options));
  const frame = object(TAG.container, ...mac, serialObject(request), transaction);
  const message = addFill(concatBytes(lengthWord(frame.length), frame), 'zero', isAes ? 16 : 8);
  return concatBytes(message, messageMac(message, request, macType));
}

function serialObject({serial = ''}: WriteRequest): Uint8Array {
  return object(TAG.serial, bytesFromLatin1(serial));
}

function messageMac(message: Uint8Array, request: WriteRequest, type: string): Uint8Array {
  const kind = macKindOf(Number.parseInt(type, 16));
  if (!kind) throw new PaylensError(1, `no MAC of type ${type}`);
  const mac = request.mac(message, kind, request.ksn).slice(0, MAC_BYTES);
  if (request.wrongCheck) mac[0] = (mac[0] ?? 0) ^ 1;
  return mac;
}

function transactionContent(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const data = encryptedData(request, options);
  const card = [maskedTrack2(request, options), cardTypeObject(request)];
  if (options.message === 'request') return object('70', 'DFDF530100', ...card, data);
  return object('F0', 'F105DFDF1A0100', data, object('F7', 'DFDF400100', ...card));
}

function cardTypeObject({mode}: WriteRequest): Uint8Array {
  return object(TAG.cardType, MODE_CODES[mode].cardType);
}

function maskedTrack2({card}: WriteRequest, {masked}: MagtekOptions): Uint8Array {
  if (masked === 'off') return new Uint8Array();
  const track = card.track2 ?? `;${track2EquivalentOf(card).replace('D', '=')}?`;
  return object(TAG.maskedTrack2, bytesFromLatin1(trackMaskedByZeros(track)));
}

/** F8: the data, its KSN and type, and the number of fill bytes. */
function encryptedData(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {ksn, mode, card, encrypt} = request;
  const {type, setting} = typedSetting(options.type, '80', request);
  const entry = object('9F39', MODE_CODES[mode].entry);
  const content =
    mode === 'emv'
      ? concatBytes(chipList(CHIP_TAGS.join(), card), TRANSACTION, entry)
      : concatBytes(TRANSACTION, entry, swipeTemplate(request, options));
  const isBatch = options.message === 'batch';
  const plain = object(TAG.plaintext, isBatch ? object('F2', content) : content);
  const filled = addFill(plain, 'zero', blockSizeOf(setting.algorithm));
  return object(
    TAG.encrypted,
    ...[object(TAG.data, encrypt(filled, setting)), object(TAG.dataKsn, ksn)],
    ...[object(TAG.dataType, type), object(TAG.fill, Uint8Array.of(filled.length - plain.length))],
  );
}

/** F4: the encrypted tracks with their own KSN and type; absent ones are empty. */
function swipeTemplate(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {type, setting} = typedSetting(options.type, '81', request);
  const sent = sendTracks(request, options, setting);
  const tracks = TAG.tracks.flatMap((tag, i) => {
    const track = sent.find(({number}) => number === i + 1);
    const status = object(TRACK_STATUS_TAGS[i] ?? '', track ? '00' : '01');
    return [status, writeTlv(tag, track?.ciphertext ?? new Uint8Array())];
  });
  const key = [object(TAG.swipeKsn, request.ksn), object(TAG.swipeType, type)];
  return object(TAG.swipe, ...tracks, ...key);
}

/** SCRA TLV: the serial number and the tracks (docs/terminals/magtek.md#scra-tlv). */
export function writeScra(request: WriteRequest, options: MagtekOptions): Uint8Array {
  return object(TAG.transaction, serialObject(request), swipeTemplate(request, options));
}

/** Writes the original format: every tag encrypted on its own; of a swipe only track 2. */
export function writeOriginalContainer(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {ksn, mode, card, encrypt} = request;
  if (mode === 'keyed') throw new PaylensError(9001, 'option form: original has no keyed entry');
  const {type, setting} = typedSetting(options.type, '80', request);
  const inside =
    mode === 'emv' ? CHIP_TAGS.map((tag) => chipList(tag, card)) : [track2Object(card)];
  const ciphertexts = Object.entries(ORIGINAL_TAGS).flatMap(([outer, tag]) =>
    inside
      .filter((one) => upperHexOf(one).startsWith(tag))
      .map((one) => addFill(one, 'zero', blockSizeOf(setting.algorithm)))
      .map((plain) => object(outer, encrypt(plain, setting))),
  );
  const key = [object(TAG.dataKsn, ksn), object(TAG.dataType, type)];
  const data = object(TAG.encrypted, ...key, object(TAG.transaction, ...ciphertexts));
  const clear = [TRANSACTION, object('9F39', MODE_CODES[mode].entry)];
  if (mode === 'emv') clear.push(chipList('5F20', card));
  const masked = [maskedTrack2(request, options), cardTypeObject(request)];
  const transaction = object(TAG.transaction, ...clear, ...masked, data);
  const outer = options.message === 'batch' ? TAG.batch : TAG.arqc;
  return object(outer, serialObject(request), transaction);
}

function track2Object({track2}: WriteRequest['card']): Uint8Array {
  if (track2 === undefined) throw new PaylensError(9001, 'option form: original needs track 2');
  return object('DFDF4A', bytesFromLatin1(track2));
}

/** An MMS notification with a container (docs/terminals/magtek.md#mms-messages). */
export function writeMms(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const detail = Uint8Array.of(MODE_CODES[request.mode].technology, 0x08, 0x02, 0x02);
  return concatBytes(
    ...[bytesOfHex('AA00'), object('81', '83000101'), object('82', detail)],
    object('84', DATA_HEADER, object('84', writeContainer(request, options))),
  );
}
