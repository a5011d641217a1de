import {hexOf} from '../../platform/bytes.js';
import {withoutEnd} from '../../platform/without-end.js';
import {ALL_FILLS, countedFillStart, type Fill} from '../cipher/padding.js';
import type {Track2Equivalent} from './card-content.js';
import type {Evidence} from './evidence.js';
import {isPan, type TrackData} from './track-data.js';
import {assertWholeTrack, MAX_TRACK_CHARS} from './whole.js';

/** The data elements of a track 2 equivalent (EMV Book 3, Annex A, tag 57). */
export type Track2EquivalentData = Omit<TrackData, 'panText' | 'name'>;

/**
 * PAN, `d`, YYMM, service code, discretionary data; it may end before any of them, but not inside.
 */
const EQUIVALENT_FORM = /^(\d+)d(?:(\d{4})(?:(\d{3})(\d*))?)?$/;

/** Reads packed BCD with `D` as separator; undefined if it does not have this form. */
export function readTrack2Equivalent(bytes: Uint8Array): Track2Equivalent | undefined {
  const text = withoutEnd(hexOf(bytes), /f/);
  return EQUIVALENT_FORM.test(text) && text.length <= MAX_TRACK_CHARS[2]
    ? {bytes, text}
    : undefined;
}

/** True for packed digits, with or without a separator: a card number followed by anything. */
export function isPackedCard(bytes: Uint8Array): boolean {
  return /^\d+(?:d\d*)?f*$/.test(hexOf(bytes));
}

/** Finds the data elements; undefined if the digits before `d` are not a PAN. */
export function parseTrack2Equivalent(text: string): Track2EquivalentData | undefined {
  const match = EQUIVALENT_FORM.exec(text);
  const [, pan = '', expiry, serviceCode, discretionary] = match ?? [];
  if (!isPan(pan)) return undefined;
  return {
    pan,
    ...(expiry ? {expiry} : {}),
    ...(serviceCode ? {serviceCode} : {}),
    ...(discretionary ? {discretionary} : {}),
  };
}

/** Reads `F`-filled packed BCD, as in tag 5A; undefined if it contains anything but digits. */
export function readPackedDigits(bytes: Uint8Array): string | undefined {
  const digits = withoutEnd(hexOf(bytes), /f/);
  return /^\d+$/.test(digits) ? digits : undefined;
}

/**
 * Reads a track 2 equivalent that is a complete plaintext with its padding. It ends at a filler or
 * PKCS#7 padding; any other padding could also be digits and counts as digits if they complete the
 * track. With `fills`, nothing else may mark its end. Undefined if it does not have this form. Throws
 * 2102 if its end is missing.
 */
export function readFilledTrack2Equivalent(
  plain: Uint8Array,
  evidence: Evidence,
  fills?: readonly Fill[],
): Track2Equivalent | undefined {
  const form = /^(\d+d\d*)(?:f+|f(?:00)+)?$/;
  const ends = [countedFillStart(plain, ['pkcs7']), plain.length, countedFillStart(plain)];
  const found = ends
    .flatMap((end) => readNibbles(plain.subarray(0, end), form) ?? [])
    .find(({text}) => EQUIVALENT_FORM.test(text) && text.length <= MAX_TRACK_CHARS[2]);
  if (!found) return undefined;
  const filled = plain.length - found.bytes.length;
  evidence.add('grammar', 'track 2 equivalent of digits', found.text.length * 0.67 + 4);
  if (filled > 0)
    evidence.add('padding', 'padding after the track 2 equivalent', Math.min(filled, 8) * 8 - 2);
  const isEnded = found.text.length % 2 === 1;
  const ending = {filled, fills: fills ?? ALL_FILLS, isStated: !fills, isEnded};
  assertWholeTrack(2, found.text.length, ending, evidence);
  return found;
}

/** Reads a PAN as packed digits with its padding; undefined if there is anything else. */
export function readFilledDigits(plain: Uint8Array): Track2Equivalent | undefined {
  const form = /^(\d{1,19})(?:f+|f(?:00)+)?$/;
  return readNibbles(plain, form) ?? readNibbles(plain.subarray(0, countedFillStart(plain)), form);
}

function readNibbles(plain: Uint8Array, form: RegExp): Track2Equivalent | undefined {
  const [, text] = form.exec(hexOf(plain)) ?? [];
  return text === undefined ? undefined : {bytes: plain.slice(0, Math.ceil(text.length / 2)), text};
}
