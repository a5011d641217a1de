import {latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import type {CardContent} from '../../../card/card-content.js';
import type {Evidence} from '../../../card/evidence.js';
import {assertCopyAgrees} from '../../../card/masked-copy.js';
import {
  assertMaskedPans,
  type MaskedPan,
  maskedNibbles,
  maskedTrack,
} from '../../../card/masked-pans.js';
import {isPackedCard} from '../../../card/track2-equivalent.js';
import type {TlvObject} from '../../../tlv/ber.js';
import {IDTECH_TRACK_TAGS, VIVOPAY} from './layout.js';

/** Augusta's masked copies of 5A and 57. */
const COPY_TAGS = VIVOPAY.tags.masked;

/** True for tags that on their own give a card number. */
export function givesCard(tag: string): boolean {
  return GIVES_CARD.has(tag);
}

const GIVES_CARD: ReadonlySet<string> = new Set([
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
export function assertMasked(
  name: string,
  copy: TlvObject,
  object: TlvObject,
  content: CardContent,
  evidence: Evidence,
): void {
  const number = maskedTagCopy(copy);
  const [[seen], [own]] = [shownBeside(copy), shownBeside(object)];
  const isAlike = copy.value.length === object.value.length && seen?.pan.length === own?.pan.length;
  if (number.length > 0 && !isAlike) {
    assertMaskedPans(name, number, content, evidence);
    return;
  }
  const [shown, text] = [latin1Of(copy.value), latin1Of(object.value)];
  if (isText(shown) && isText(text)) assertCopyAgrees(name, shown, text, evidence);
  else assertCopyAgrees(name, upperHexOf(copy.value), upperHexOf(object.value), evidence);
}

/** True for text of a track, masked or not. */
export function isText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text) && /[*%;=?^]/.test(text);
}

/**
 * True if a 57 or 5A of ordinary length is ciphertext although neither a flag nor a masked copy
 * shows it: a reader may omit the copies. Clear data is distinguished by its digits.
 */
export function isBareCipher({tag, value}: TlvObject): boolean {
  if (tag !== '57' && tag !== '5A') return false;
  if (value.length < MIN_CIPHER_BYTES || value.length % 8 !== 0) return false;
  return !isPackedCard(value) && !isMaskedNumber(value);
}

/** True for a packed card number whose middle is hidden by one digit. */
function isMaskedNumber(value: Uint8Array): boolean {
  return MASKED_NUMBER.test(upperHexOf(value));
}

/** A complete encrypted tag 5A has two blocks; anything shorter is the number itself, or a copy. */
const MIN_CIPHER_BYTES = 16;

/** `4761CCCCCCCC0010`, with one repeated masking digit. */
const MASKED_NUMBER = /^\d{4,6}([ABCF])\1{3,}\d{4}/;
