import {latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import type {CardContent} from '../../../card/card-content.js';
import type {Evidence} from '../../../card/evidence.js';
import {demandAgreement} from '../../../card/masked-copy.js';
import {
  demandMaskedPans,
  type MaskedPan,
  maskedNibbles,
  maskedTrack,
} from '../../../card/masked-pans.js';
import type {TlvObject} from '../../../tlv/ber.js';
import {isMaskedNumber} from './is-bare-cipher.js';
import {IDTECH_TRACK_TAGS} from './layout.js';

/** Augusta's masked copies of 5A and 57. */
const COPY_TAGS: ReadonlySet<string> = new Set(['DFEF5B', 'DFEF5D']);

/** True for tags that on their own give a card number. */
export function givesCard(tag: string): boolean {
  return CARD_TAGS.has(tag);
}

const CARD_TAGS: ReadonlySet<string> = new Set([
  ...['57', '5A', '56', '9F6B'],
  ...Object.keys(IDTECH_TRACK_TAGS),
]);

/** The masked copy in an object, recognised by its flag, its tag, or the repeated masking digit. */
export function maskedTagCopy({tag, flag, value}: TlvObject): MaskedPan[] {
  const isCopy = COPY_TAGS.has(tag) || (givesCard(tag) && flag !== 'encrypted');
  if (!isCopy || !(flag === 'masked' || COPY_TAGS.has(tag) || isMaskedNumber(value))) return [];
  return shownBeside({tag, value});
}

/** The card number in an object that is not encrypted, whether its digits are hidden or not. */
export function shownBeside({tag, value}: Pick<TlvObject, 'tag' | 'value'>): MaskedPan[] {
  if (!givesCard(tag) && !COPY_TAGS.has(tag)) return [];
  const text = latin1Of(value);
  return isText(text) ? maskedTrack(`tag ${tag}`, text) : maskedNibbles(`tag ${tag}`, value);
}

/**
 * Compares an object with its masked copy: digits nibble by nibble, text character by character; if
 * the lengths differ, only the card number. Throws 2601.
 */
export function demandMasked(
  name: string,
  copy: TlvObject,
  object: TlvObject,
  content: CardContent,
  evidence: Evidence,
): void {
  const number = maskedTagCopy(copy);
  if (number.length > 0 && !haveOneLayout(copy, object)) {
    demandMaskedPans(name, number, content, evidence);
    return;
  }
  const [shown, text] = [latin1Of(copy.value), latin1Of(object.value)];
  if (isText(shown) && isText(text)) demandAgreement(name, shown, text, evidence);
  else demandAgreement(name, upperHexOf(copy.value), upperHexOf(object.value), evidence);
}

/** True if every character of one stands in the same place of the other. */
function haveOneLayout(copy: TlvObject, object: TlvObject): boolean {
  const [[shown], [own]] = [shownBeside(copy), shownBeside(object)];
  return copy.value.length === object.value.length && shown?.pan.length === own?.pan.length;
}

/** True for text of a track, masked or not. */
export function isText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text) && /[*%;=?^]/.test(text);
}
