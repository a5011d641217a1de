import type {KeyedEntry} from './card-content.js';
import {maskMiddle} from './mask-middle.js';
import {parseTrack1, parseTrack2, type TrackData} from './track-data.js';

/**
 * The display rules of the interface's `masked` member (docs/contract.md#process-payload-response).
 * The first six and last four digits of a PAN stay (only the last four of 12 digits or fewer).
 * Service code, discretionary data and CVV are hidden. Sentinels, separators, name and expiry stay,
 * except for card numbers in the name. Text that cannot be parsed is hidden completely.
 */
const MASK_STAR = '*';
/** More than a track has: to cut from it is faster than to make as many. */
const STARS = MASK_STAR.repeat(128);

/** Masks a PAN; spaces inside it stay and are not counted. */
export function maskPan(pan: string): string {
  if (pan.includes(' '))
    return maskMiddle(pan, MASK_STAR, pan.replaceAll(' ', '').length > 12 ? 6 : 0);
  const head = pan.length > 12 ? 6 : 0;
  const hidden = pan.length - head - 4;
  return hidden > 0 ? pan.slice(0, head) + asterisks(hidden) + pan.slice(-4) : pan;
}

/** Masks every number as long as a PAN in text that should not contain one, such as a name. */
export function maskNumbers(text: string): string {
  return text.replaceAll(/\d[\d ]{10,}\d/g, maskPan);
}

/** Masks the canonical text of track 1. */
export function maskTrack1(text: string, data = parseTrack1(text)): string {
  return maskParsedTrack(text, data);
}

/** Masks the canonical text of track 2. */
export function maskTrack2(text: string, data = parseTrack2(text)): string {
  return maskParsedTrack(text, data);
}

/** Masks the canonical text of track 3 (ISO/IEC 4909: format code, PAN, `=`, use and security data). */
export function maskTrack3(text: string): string {
  const match = /^([;+]\d\d)(\d{12,19})=(.*)\?$/.exec(text);
  if (!match) return hideBetweenSentinels(text);
  const [, lead = '', pan = '', rest = ''] = match;
  return `${lead}${maskPan(pan)}=${rest.replaceAll(/[^=]/g, MASK_STAR)}?`;
}

/** Masks a track 2 equivalent in lower-case hex with `d` as separator. */
export function maskTrack2Equivalent(text: string): string {
  const match = /^(\d{12,19})(d)(\d{0,4})(.*)$/.exec(text);
  if (!match) return MASK_STAR.repeat(text.length);
  const [, pan = '', mark = '', expiry = '', rest = ''] = match;
  return maskPan(pan) + mark + expiry + MASK_STAR.repeat(rest.length);
}

/** What the mask of a keyed entry needs to know of it. */
type Keyed = Omit<KeyedEntry, 'bytes'>;

/**
 * Masks a keyed entry in the terminal's own text format: the PAN by the rule, the CVV or a longer
 * end completely.
 */
export function maskKeyed({text, pan, cvv, hidden = cvv}: Keyed): string {
  const at = text.indexOf(pan);
  if (at < 0) return MASK_STAR.repeat(text.length);
  const behind = at + pan.length;
  return text.slice(0, at) + maskPan(pan) + hideLast(text.slice(behind), hidden);
}

function hideLast(text: string, secret = ''): string {
  const at = text.lastIndexOf(secret);
  return text.slice(0, at) + MASK_STAR.repeat(secret.length) + text.slice(at + secret.length);
}

function maskParsedTrack(text: string, data: TrackData | undefined): string {
  if (!data) return hideBetweenSentinels(text);
  const {panText, serviceCode = '', discretionary = ''} = data;
  const at = text.indexOf(panText);
  const hidden = serviceCode.length + discretionary.length;
  const kept = text.slice(at + panText.length, text.length - hidden - 1);
  return `${text.slice(0, at)}${maskPan(panText)}${maskPansIn(kept)}${asterisks(hidden)}?`;
}

/** Masks card numbers in a name; a number longer than any PAN is not one and stays. */
function maskPansIn(kept: string): string {
  if (!/\d[\d ]{10}/.test(kept)) return kept;
  return kept.replaceAll(/(?<!\d)\d(?: ?\d){11,18}(?!\d)/g, maskPan);
}

function hideBetweenSentinels(text: string): string {
  const start = /^[%;+]/.test(text) ? text.charAt(0) : '';
  const end = text.endsWith('?') ? '?' : '';
  return start + asterisks(text.length - start.length - end.length) + end;
}

function asterisks(count: number): string {
  return count <= STARS.length ? STARS.slice(0, count) : MASK_STAR.repeat(count);
}
