import {PaylensError} from '../../contract/paylens-error.js';
import {hexOf, latin1Of} from '../../platform/bytes.js';
import type {TlvObject} from '../tlv/ber.js';
import {holdsCardData} from '../tlv/tags.js';
import {type CardContent, mergeContent} from './card-content.js';
import {cardContentOf} from './card-tlv.js';
import {Evidence} from './evidence.js';
import {isPackedCard} from './track2-equivalent.js';

/** Tags that count in clear beside an encrypted card: name, expiry, service code. */
const BESIDE = new Set(['5F20', '5F24', '5F30']);

/** What clear tags beside the ciphertext add; clear copies of the card itself are never returned. */
export function clearBeside(objects: readonly TlvObject[]): CardContent {
  const beside = objects.filter(({tag, flag}) => !flag && BESIDE.has(tag));
  return mergeContent(beside.map(clearMember));
}

/** A member that is not what its tag says is as good as none. */
function clearMember(object: TlvObject): CardContent {
  try {
    return cardContentOf(`tag ${object.tag}`, [object], new Evidence());
  } catch {
    return {};
  }
}

/** The first object that holds a card number in clear; `own`: tags of the terminal's that may. */
export function findClearPan(
  objects: readonly TlvObject[],
  own: ReadonlySet<string> = new Set(),
): TlvObject | undefined {
  return objects.find(
    (object) =>
      !object.flag && (holdsCardData(object.tag) || own.has(object.tag)) && holdsClearPan(object),
  );
}

/** The refusal (2110) of a list that holds a card number in clear, if one does. */
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
