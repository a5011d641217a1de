import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex, concatBytes} from '../../../../platform/bytes.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {schemeOf} from '../../../dukpt/ksn.js';
import {track2EquivalentOf} from '../../../forms/tlv/chip-data.js';
import {chipList} from '../../../forms/tlv/chip-list.js';
import {writeTlv} from '../../../tlv/ber.js';
import type {WriteRequest} from '../../../writing.js';
import {maskedTrackOf} from '../masked-track.js';
import {encryptTrack, tracksToSend} from '../swipe/sent-swipe.js';
import {TAG} from '../tags.js';
import {type MagtekOptions, typedSetting} from '../writer-options.js';
import {lengthWord, MAC_BYTES, macKindOf} from './container.js';
import {ORIGINAL_TAGS} from './original.js';

/** Tags of a transaction that do not depend on the card. */
const TRANSACTION = bytesOfHex('9F02060000000010005F2A020840');
const ENTRY = {swiped: '90', emv: '05', keyed: '01'} as const;
const CARD_TYPE = {swiped: '01', emv: '05', keyed: '03'} as const;

/** One object, or none if its value is empty. */
function objectOf(tag: string, value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? bytesOfHex(value) : value;
  return bytes.length === 0 ? new Uint8Array() : writeTlv(tag, bytes);
}

/** Writes F9 with its length, padding and MAC, or F9 alone (docs/terminals/magtek.md#containers). */
export function writeContainer(
  request: WriteRequest,
  options: MagtekOptions,
  isBare = false,
): Uint8Array {
  const {ksn} = request;
  const isAes = schemeOf(ksn) === 'aes';
  const [macKsn, macType] = [isBare ? '00'.repeat(ksn.length / 2) : ksn, isAes ? '98' : '82'];
  const frame = objectOf(
    TAG.container,
    concatBytes(
      ...[objectOf(TAG.macKsn, macKsn), objectOf(TAG.macType, macType), serialOf(request)],
      objectOf(TAG.transaction, transactionOf(request, options)),
    ),
  );
  if (isBare) return frame;
  const message = addFill(concatBytes(lengthWord(frame.length), frame), 'zero', isAes ? 16 : 8);
  return concatBytes(message, macOf(message, request, macType));
}

function serialOf({serial = ''}: WriteRequest): Uint8Array {
  return objectOf(TAG.serial, bytesFromLatin1(serial));
}

function macOf(message: Uint8Array, request: WriteRequest, type: string): Uint8Array {
  const kind = macKindOf(Number.parseInt(type, 16));
  if (!kind) throw new PaylensError(1, `no MAC of type ${type}`);
  const mac = request.mac(message, kind, request.ksn).slice(0, MAC_BYTES);
  if (request.wrongCheck) mac[0] = (mac[0] ?? 0) ^ 1;
  return mac;
}

function transactionOf(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const data = encryptedData(request, options);
  if (options.message === 'batch') {
    const clear = concatBytes(
      bytesOfHex('DFDF400100'),
      maskedTrack2(request, options),
      cardType(request),
    );
    return objectOf('F0', concatBytes(bytesOfHex('F105DFDF1A0100'), data, objectOf('F7', clear)));
  }
  const clear = [bytesOfHex('DFDF530100'), maskedTrack2(request, options), cardType(request)];
  return objectOf('70', concatBytes(...clear, data));
}

function cardType({mode}: WriteRequest): Uint8Array {
  return objectOf(TAG.cardType, CARD_TYPE[mode]);
}

function maskedTrack2({card}: WriteRequest, {masked}: MagtekOptions): Uint8Array {
  const track = card.track2 ?? `;${track2EquivalentOf(card).replace('D', '=')}?`;
  return objectOf(TAG.maskedTrack2, bytesFromLatin1(masked === 'on' ? maskedTrackOf(track) : ''));
}

/** F8: the data, its KSN and type, and how many bytes were filled. */
function encryptedData(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {ksn, encrypt} = request;
  const {type, setting} = typedSetting(options.type, '80', ksn);
  const content = contentOf(request, options);
  const isBatch = options.message === 'batch';
  const plain = objectOf(TAG.plaintext, isBatch ? objectOf('F2', content) : content);
  const filled = addFill(plain, 'zero', blockSizeOf(setting.algorithm));
  const members = [
    objectOf(TAG.data, encrypt(filled, setting)),
    ...[objectOf(TAG.dataKsn, ksn), objectOf(TAG.dataType, type)],
    writeTlv(TAG.fill, Uint8Array.of(filled.length - plain.length)),
  ];
  return objectOf(TAG.encrypted, concatBytes(...members));
}

function contentOf(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {mode, card} = request;
  const entry = objectOf('9F39', ENTRY[mode]);
  if (mode === 'emv') return concatBytes(chipList(CHIP_TAGS, card), TRANSACTION, entry);
  return concatBytes(TRANSACTION, entry, innerSwipe(request, options));
}

const CHIP_TAGS = '57,5A,5F20,5F24,5F30';

/** F4: the encrypted tracks with their own KSN and type. */
export function innerSwipe(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {ksn} = request;
  const {type, setting} = typedSetting(options.type, '81', ksn);
  const sent = tracksToSend(request, options);
  const members = TAG.tracks.flatMap((tag, i) => {
    const track = sent.find(({number}) => number === i + 1);
    const ciphertext = track ? encryptTrack(track.text, request, setting) : new Uint8Array();
    const status = objectOf(TAG.trackStatus[i] ?? '', track ? '00' : '01');
    return [status, writeTlv(tag, ciphertext)];
  });
  const key = [objectOf(TAG.swipeKsn, ksn), objectOf(TAG.swipeType, type)];
  return objectOf(TAG.swipe, concatBytes(...members, ...key));
}

/** Writes the original format: every tag encrypted on its own; of a swipe only track 2. */
export function writeOriginal(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {ksn, mode, card, encrypt} = request;
  if (mode === 'keyed') throw new PaylensError(9001, 'option form: original has no keyed entry');
  const {type, setting} = typedSetting(options.type, '80', ksn);
  const inside = mode === 'emv' ? chipTags(request) : trackTag(request);
  const ciphertexts = inside.map(([tag, object]) =>
    objectOf(tag, encrypt(addFill(object, 'zero', blockSizeOf(setting.algorithm)), setting)),
  );
  const data = objectOf(
    TAG.encrypted,
    concatBytes(
      ...[objectOf(TAG.dataKsn, ksn), objectOf(TAG.dataType, type)],
      objectOf(TAG.transaction, concatBytes(...ciphertexts)),
    ),
  );
  const name = mode === 'emv' ? chipList('5F20', card) : new Uint8Array();
  const clear = [
    TRANSACTION,
    objectOf('9F39', ENTRY[mode]),
    name,
    maskedTrack2(request, options),
    cardType(request),
  ];
  const transaction = objectOf(TAG.transaction, concatBytes(...clear, data));
  const outer = options.message === 'batch' ? TAG.batch : TAG.arqc;
  return objectOf(outer, concatBytes(serialOf(request), transaction));
}

type Inside = readonly [tag: string, object: Uint8Array];

/** Those of the tags that the format encrypts. */
function chipTags({card}: WriteRequest): Inside[] {
  const known = Object.entries(ORIGINAL_TAGS);
  return CHIP_TAGS.split(',').flatMap((tag) => {
    const [outer] = known.find(([, inside]) => inside === tag) ?? [];
    return outer === undefined ? [] : [[outer, chipList(tag, card)] as const];
  });
}

function trackTag({card: {track2}}: WriteRequest): Inside[] {
  if (track2 === undefined) throw new PaylensError(9001, 'option form: original needs track 2');
  return [['DF3B', writeTlv('DFDF4A', bytesFromLatin1(track2))]];
}
