import {latin1Of} from '../bytes.js';
import type {TlvObject} from '../tlv/ber.js';
import {holdsCardData} from '../tlv/tags.js';
import type {CardContent} from './card-content.js';
import {cardContentOf} from './card-tlv.js';
import {Evidence} from './evidence.js';
import {readPackedDigits, readTrack2Equivalent} from './track2-equivalent.js';

/** Tags that count in clear beside an encrypted card: name, expiry, service code. */
const BESIDE = new Set(['5F20', '5F24', '5F30']);

/** What clear tags beside the ciphertext add; clear copies of the card itself are never returned. */
export function clearBeside(objects: readonly TlvObject[]): CardContent {
  const beside = objects.filter(({tag, flag}) => !flag && BESIDE.has(tag));
  try {
    return cardContentOf('clear tags', beside, new Evidence());
  } catch {
    return {};
  }
}

/** The first object that holds a card number in clear. */
export function findClearPan(objects: readonly TlvObject[]): TlvObject | undefined {
  return objects.find((object) => object.flag === undefined && holdsClearPan(object));
}

function holdsClearPan({tag, value}: TlvObject): boolean {
  if (!holdsCardData(tag)) return false;
  const digits = readPackedDigits(value) ?? readTrack2Equivalent(value)?.text ?? '';
  return /^\d{12,19}(?:d|$)/.test(digits) || /[%;B]?\d{12,19}[=^]/.test(latin1Of(value));
}
