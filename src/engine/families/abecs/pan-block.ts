import {hexOf} from '../../../platform/bytes.js';
import {type Evidence, notCardData} from '../../card/evidence.js';
import type {TrackNumber} from '../../card/lrc.js';
import {hasCheckDigit} from '../../card/track-data.js';

/** A track whose card number is encrypted (docs/terminals/abecs.md#pan). */
export interface PanTrack {
  readonly number: TrackNumber;
  /** Start sentinel, format letter and the digits in cleartext. */
  readonly head: string;
  /** The digits in cleartext, spaces included. */
  readonly open: string;
  /** 16 hex digits. */
  readonly block: string;
  /** From the separator to the end. */
  readonly rest: string;
}

const PAN_TRACK =
  /^(?:(%?[A-Z])(?=[^=^]*\^)|([;+]?)(?=[^=^]*=))([\d ]{0,7})([\dA-F]{16})([=^].*)$/i;
/** Name, separator and data of track 1; data of the others. */
const RESTS = {'^': /^\^[ -$&->@-\]_a-z]*\^[ -$&->@-\]_a-z]*\??$/, '=': /^=[\d=]*\??$/} as const;
/** With sentinels, and grown by a short number (ISO/IEC 7813, ISO 4909). */
const MAX_GROWN_TRACK_CHARS = [0, 82, 43, 110] as const;
/** A number before a separator, encrypted or not: another track. */
const SECOND = /[\dA-F]{13}[\^=]/i;

/** The parts of a track with an encrypted card number; undefined for any other text. */
export function splitTrack(text: string, named?: TrackNumber): PanTrack | undefined {
  const [, letter = '', sentinel = '', open = '', block = '', rest = ''] =
    PAN_TRACK.exec(text) ?? [];
  const separator = rest.startsWith('^') ? '^' : '=';
  if (!RESTS[separator].test(rest) || (separator === '^' && SECOND.test(rest))) return undefined;
  if (named !== undefined && (named === 1) !== (separator === '^')) return undefined;
  const number = separator === '^' ? 1 : (named ?? (sentinel === '+' ? 3 : 2));
  if (text.length > MAX_GROWN_TRACK_CHARS[number]) return undefined;
  return {number, head: letter + sentinel + open, open, block: block.toUpperCase(), rest};
}

/** True if the block may be a card number in cleartext. */
export function isDecimal({block}: PanTrack): boolean {
  return /^\d{16}$/.test(block);
}

/** The card number of a track, if it is in cleartext. */
export function clearNumber({open, block}: PanTrack): string {
  return (open + block).replaceAll(' ', '');
}

/**
 * The card number, spaces included, from a decrypted block: digits, `E` for a space, and up to three
 * `F` at the end of a short number. Throws 2601 if it is anything else.
 */
export function openPanBlock(track: PanTrack, plain: Uint8Array, evidence: Evidence): string {
  const name = `PAN block of track ${track.number}`;
  const [, text = '', fill = ''] = /^([\de]{13,16})(f{0,3})$/.exec(hexOf(plain)) ?? [];
  const isWhole = track.open === '' || fill === '';
  const blanks = text.split('e').length - 1;
  if (text === '' || !isWhole || text.endsWith('e') || (blanks > 0 && track.number !== 1))
    throw notCardData(name, 'not digits, spaces and a fill of up to three F');
  const shown = track.open + text.replaceAll('e', ' ');
  const digits = shown.replaceAll(' ', '').length;
  if (digits < 13 || digits > 19) throw notCardData(name, `a card number of ${digits} digits`);
  const bits =
    (text.length - blanks) * PACKED_DIGIT_EVIDENCE + (blanks + fill.length) * NIBBLE_BITS;
  evidence.add('grammar', `digits in the ${name}`, bits);
  return shown;
}

const PACKED_DIGIT_EVIDENCE = Math.log2(16 / 10);
const NIBBLE_BITS = 4;

/** Groups in which issuers write card numbers with spaces. */
const GROUPED = /^(?:3[47]\d\d \d{6} \d{5}|3[068]\d\d \d{6} \d{4}|\d{4} \d{4} \d{4} \d{4})$/;
/** Ranges of payment cards by the length of their numbers; numbers of 17 to 19 digits share one. */
const RANGES: Readonly<Record<number, RegExp>> = {
  13: /^[3-6]/,
  14: /^(?:3(?:0[0-59]|[689])|5[06-8]|6[02-57])/,
  15: /^(?:3[47]|5[06-8]|6[02-57])/,
  16: /^(?:4|5[0-8]|6[02-57]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3(?:0[0-59]|5(?:2[89]|[3-8])|[689]))/,
  17: /^(?:3(?:0[0-59]|[5689])|4|5[06-8]|6[02-57])/,
};
/** Cards of shops, which need no check digit. */
const PRIVATE_LABEL = /^600\d{13}$/;

/**
 * The second fact that a decrypted number has in itself, in words; undefined if it has none
 * (docs/terminals/abecs.md#proof).
 */
export function secondFact(shown: string): string | undefined {
  if (GROUPED.test(shown)) return 'groups of digits of the card number';
  if (shown.includes(' ')) return undefined;
  const isOfIssuer = RANGES[Math.min(shown.length, 17)]?.test(shown);
  if (isOfIssuer && hasCheckDigit(shown)) return 'check digit of the card number';
  return PRIVATE_LABEL.test(shown) ? 'range of cards without a check digit' : undefined;
}
