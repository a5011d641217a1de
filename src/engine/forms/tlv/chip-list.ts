import {bytesFromLatin1, concatBytes} from '../../../platform/bytes.js';
import {parseTrack1} from '../../card/track-data.js';
import type {CipherMode} from '../../cipher/block-cipher.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill, type Fill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import {writeTlv} from '../../tlv/ber.js';
import type {CardImage, WriteRequest} from '../../writing.js';
import {chipValue} from './chip-data.js';

/** A TLV list of these tags, separated by commas, with the card's values. */
export function chipList(tags: string, card: CardImage): Uint8Array {
  return concatBytes(
    ...tags.split(',').map((tag) => writeTlv(tag, listValue(tag, card) ?? new Uint8Array())),
  );
}

/** The value of 9F1F comes from track 1 of the card, the others from the chip. */
function listValue(tag: string, card: CardImage): Uint8Array | undefined {
  if (tag !== '9F1F') return chipValue(tag, card);
  const data = card.track1 === undefined ? undefined : parseTrack1(card.track1);
  return bytesFromLatin1(data?.discretionary ?? '');
}

interface ListOptions {
  readonly fill: Fill;
  readonly mode?: CipherMode;
  readonly ksn?: string;
}

/** Pads `plain` to whole blocks and encrypts it as card data; a KSN of 12 bytes means AES DUKPT. */
export function encryptPadded(
  plain: Uint8Array,
  {encrypt, ksn: own, iv}: WriteRequest,
  {fill, mode = 'cbc', ksn = own}: ListOptions,
): Uint8Array {
  const algorithm = schemeOf(ksn);
  const filled = addFill(plain, fill, blockSizeOf(algorithm));
  return encrypt(filled, {...CARD_DATA_SETTING, algorithm, mode}, {ksn, ...(iv ? {iv} : {})});
}
