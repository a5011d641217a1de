import {bytesOfHex, latin1Of} from '../../platform/bytes.js';

// A card number first, in a track or packed as in tags 5A and 57; then anything but a digit.
const CARD_NUMBER = /^([%;+]?B?)(\d{12,19})(?!\d)(.*)$/s;

/**
 * Masks a part's value that contains cleartext card data, given as text or as hex of text. The
 * first six and last four digits of a card number at its beginning stay (of 12 or fewer only the
 * last four); everything else, and all of a value of any other form, becomes `*`.
 */
export function maskCardValue(value: string): string {
  return maskText(value) ?? maskHex(value) ?? hide(value);
}

function maskText(text: string): string | undefined {
  const found = CARD_NUMBER.exec(text);
  if (!found) return undefined;
  const [, head = '', digits = '', rest = ''] = found;
  const shown = digits.length > 12 ? 6 : 0;
  return (
    head + digits.slice(0, shown) + hide(digits.slice(shown, -4)) + digits.slice(-4) + hide(rest)
  );
}

// Two asterisks per hidden byte, so that offsets stay the same.
function maskHex(value: string): string | undefined {
  if (!/^(?:[0-9A-F]{2})+$/i.test(value)) return undefined;
  const text = latin1Of(bytesOfHex(value));
  const masked = maskText(text);
  if (masked === undefined) return undefined;
  return [...masked]
    .map((shown, i) => (shown === '*' ? '**' : value.slice(2 * i, 2 * i + 2)))
    .join('');
}

function hide(text: string): string {
  return '*'.repeat(text.length);
}
