import {hasCheckDigit} from '../../card/track-data.js';

const SHOWN = 4;

/**
 * A track as a reader masks it: of the PAN its first and last four digits stay, after the expiry
 * date every digit is `0`. One hidden digit makes the masked PAN pass Luhn
 * (docs/terminals/magtek.md#masked-tracks).
 */
export function maskedTrackOf(text: string | undefined): string {
  const form = /^(%[A-Z]|;|\+)([\d ]+)(=|\^[^^]*\^)(\d{4})?(.*)\?$/;
  const [, lead = '', pan = '', kept = '', expiry = '', rest = ''] = form.exec(text ?? '') ?? [];
  if (pan === '') return '';
  return `${lead}${maskedPan(pan)}${kept}${expiry}${rest.replaceAll(/\d/g, '0')}?`;
}

function maskedPan(pan: string): string {
  const digits = pan.replaceAll(' ', '');
  const hidden = digits.length - 2 * SHOWN;
  const at = SHOWN + (hidden >> 1);
  const head = digits.slice(0, SHOWN);
  const tail = digits.slice(-SHOWN);
  const masked = [...'0123456789']
    .map(
      (digit) =>
        head + '0'.repeat(at - SHOWN) + digit + '0'.repeat(digits.length - at - 1 - SHOWN) + tail,
    )
    .find(hasCheckDigit);
  let next = 0;
  return pan.replaceAll(/\d/g, () => (masked ?? digits).charAt(next++));
}
