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

/** The nibbles that may hide a digit, and the filler. */
const MASK_NIBBLES = 'ABCF';

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
  const text = latin1Of(value);
  return isText(text)
    ? maskedTrack(`tag ${tag}`, text)
    : maskedNibbles(`tag ${tag}`, value, MASK_NIBBLES);
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
  if (copy.value.length !== object.value.length && number.length > 0) {
    demandMaskedPans(name, number, content, evidence);
    return;
  }
  const [shown, text] = [latin1Of(copy.value), latin1Of(object.value)];
  if (isText(shown) && isText(text)) demandAgreement(name, shown, text, evidence);
  else {
    const [copied, digits] = [upperHexOf(copy.value), upperHexOf(object.value)];
    demandAgreement(name, copied, digits, evidence, MASK_NIBBLES);
  }
}

/** True for text of a track, masked or not. */
export function isText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text) && /[*%;=?^]/.test(text);
}
