import {PaylensError} from '../../contract/paylens-error.js';
import {hexOf, latin1Of} from '../../platform/bytes.js';
import type {TlvObject} from '../tlv/ber.js';
import {holdsCardData} from '../tlv/tags.js';
import {type CardContent, mergeContent} from './card-content.js';
import {cardContentOf} from './card-tlv.js';
import {Evidence} from './evidence.js';
import {type MaskedPan, maskedNibbles, maskedTrack} from './masked-pans.js';
import {isPackedCard} from './track2-equivalent.js';

/** Clear tags accepted beside an encrypted card: name, expiry, service code. */
const BESIDE = new Set(['5F20', '5F24', '5F30']);

/**
 * Members from clear tags beside the ciphertext; clear copies of the card itself are never
 * returned.
 */
export function clearBeside(objects: readonly TlvObject[]): CardContent {
  const beside = objects.filter(({tag, flag}) => !flag && BESIDE.has(tag));
  return mergeContent(beside.map(clearMember));
}

/** The content of one object; a value that is invalid for its tag is ignored. */
export function clearMember(object: TlvObject): CardContent {
  try {
    return cardContentOf(`tag ${object.tag}`, [object], new Evidence());
  } catch {
    return {};
  }
}

/** A terminal's own tags with a copy of the card number: packed digits, or a track in text. */
type CopyTags = Readonly<Record<'packed' | 'text', ReadonlySet<string>>>;

const PACKED: ReadonlySet<string> = new Set(['57', '5A', '9F6B', 'DFDB01']);
const TEXT: ReadonlySet<string> = new Set(['56', '5F21', '5F22', 'DFDB05', 'DFDB06']);

/** The card numbers in tags beside the ciphertext, whether their digits are hidden or not. */
export function numbersBeside(objects: readonly TlvObject[], own: CopyTags): MaskedPan[] {
  return objects.flatMap(({tag, value}) => {
    if (TEXT.has(tag) || own.text.has(tag)) return maskedTrack(`tag ${tag}`, value);
    const isPacked = PACKED.has(tag) || own.packed.has(tag);
    return isPacked ? maskedNibbles(`tag ${tag}`, value) : [];
  });
}

/**
 * The first object with a clear card number; `own` lists the terminal's own tags that may have one.
 */
export function findClearPan(
  objects: readonly TlvObject[],
  own: ReadonlySet<string> = new Set(),
): TlvObject | undefined {
  return objects.find(
    (object) =>
      !object.flag && (holdsCardData(object.tag) || own.has(object.tag)) && holdsClearPan(object),
  );
}

/** What is said of a message without a card. */
export const NO_CARD_DATA = 'the message contains no card data, neither encrypted nor in cleartext';

/** The error (2110) for a list that contains a clear card number, if there is one. */
export function refuseClearPan(
  objects: readonly TlvObject[],
  own?: ReadonlySet<string>,
): PaylensError | undefined {
  const clear = findClearPan(objects, own);
  if (!clear) return undefined;
  const {tag, offset} = clear;
  return new PaylensError(2110, `tag ${tag} at byte ${offset} contains a cleartext card number`);
}

function holdsClearPan({value}: TlvObject): boolean {
  const isCard = isPackedCard(value) && /^\d{12,19}(?:d|f|$)/.test(hexOf(value));
  return isCard || /[%;B]?\d{12,19}[=^]/.test(latin1Of(value));
}
