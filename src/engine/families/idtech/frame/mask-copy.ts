import type {TrackNumber} from '../../../card/lrc.js';

/** Visible parts of a card in a masked copy (ID TECH's mask settings). */
export interface MaskSetting {
  /** PAN digits that stay at the beginning; `last`: at the end. */
  readonly first: number;
  readonly last: number;
}

/**
 * The masked copy of a track plaintext as sent by readers: asterisks for the format letter, the
 * middle of the PAN, service code, discretionary data and LRC; on track 3 for all but the ends of
 * the PAN (docs/terminals/idtech.md#track-text).
 */
export function maskedCopy(number: TrackNumber, plain: string, setting: MaskSetting): string {
  const [, lead = '', pan = '', rest = ''] = MASK_PARTS[number].exec(plain) ?? [];
  if (pan === '') return stars(plain, '%;+');
  const head = number === 2 ? lead : lead.replaceAll(/[A-Z0-9]/g, '*');
  // The separator, and the name in track 1.
  const end = number === 1 ? rest.indexOf('^', 1) + 1 : 1;
  return head + maskDigits(pan, setting) + rest.slice(0, end) + stars(rest.slice(end));
}

/**
 * The masked copy of keyed entry in the form of a track 2: the expiry stays, CVV and LRC are
 * hidden.
 */
export function maskedKeyedCopy(plain: string, setting: MaskSetting): string {
  const [, pan = '', expiry = '', rest = ''] = /^;(\d+)(=\d{4})(.*)/.exec(plain) ?? [];
  return `;${maskDigits(pan, setting)}${expiry}${stars(rest, ':')}`;
}

/**
 * The masked copy of tag 5A or 57 in hex digits, with the nibble `C` for hidden digits
 * (docs/terminals/idtech.md#encrypted-tags).
 */
export function maskedDigits(digits: string, setting: MaskSetting): string {
  const [, pan = '', shown = '', rest = ''] = /^(\d+)(D\d{7}|F)?(.*)/.exec(digits) ?? [];
  return `${maskDigits(pan, setting, 'C')}${shown}${'C'.repeat(rest.length)}`;
}

const MASK_PARTS: Readonly<Record<TrackNumber, RegExp>> = {
  1: /^(%?[A-Z])([\d ]+)(\^.*)/,
  2: /^(;?)(\d+)(=.*)/,
  3: /^([;+]?\d\d)(\d{12,19})(=.*)/,
};

function maskDigits(pan: string, {first, last}: MaskSetting, mask = '*'): string {
  const end = pan.length - last;
  return (
    pan.slice(0, first) + mask.repeat(Math.max(0, end - first)) + pan.slice(Math.max(end, first))
  );
}

/**
 * Replaces all but `kept` characters and the end sentinel by asterisks. The LRC, which may look
 * like either, is hidden.
 */
function stars(text: string, kept = ''): string {
  const end = text.indexOf('?');
  return Array.from(text, (character, i) => {
    const isKept = i === end || ((end < 0 || i < end) && kept.includes(character));
    return isKept ? character : '*';
  }).join('');
}
