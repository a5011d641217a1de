/** A track as the terminal encrypted it, and its canonical text. */
export interface Track {
  /** The plaintext with its track LRC, without cipher padding. */
  readonly bytes: Uint8Array;
  /** Start sentinel to end sentinel, sentinels added where the terminal leaves them out. */
  readonly text: string;
  /** The data elements of track 1 or 2, if its reader found them. */
  readonly data?: TrackData | undefined;
}

/** The data elements of a track, located in its canonical text (ISO/IEC 7813). */
export interface TrackData {
  /** As on the track: spaces in a track 1 PAN are kept. */
  readonly panText: string;
  /** The PAN's digits, 12 to 19. */
  readonly pan: string;
  readonly name?: string | undefined;
  /** YYMM. */
  readonly expiry?: string | undefined;
  readonly serviceCode?: string | undefined;
  readonly discretionary?: string | undefined;
}

/**
 * A field separator in the place of an expiry or service code means that it is absent. A track may
 * end before either, but not inside one.
 */
const TRACK_1 = /^%[A-Z]?([0-9][0-9 ]*)\^([^%^?]*)\^(?:(\d{4}|\^)(?:(\d{3}|\^)([^%^?]*))?)?\?$/;
const TRACK_2 = /^;(\d+)=(?:(\d{4}|=)(?:(\d{3}|=)(\d*))?)?\?$/;
const PAN_DIGITS = /^\d{12,19}$/;
/** A card number in its place, followed by anything. */
const CARD_HEAD = /^(?:%[A-Z]?\d(?: ?\d){11,18} ?\^|;\d{12,19}=)/;

/** Finds the data elements of a canonical track 1; undefined if there is no PAN in its place. */
export function parseTrack1(text: string): TrackData | undefined {
  const match = TRACK_1.exec(text);
  // By index: destructuring costs as much as the match itself.
  return match ? dataOf(match[1] ?? '', match[2], match[3], match[4], match[5]) : undefined;
}

/** Finds the data elements of a canonical track 2; undefined if there is no PAN in its place. */
export function parseTrack2(text: string): TrackData | undefined {
  const match = TRACK_2.exec(text);
  return match ? dataOf(match[1] ?? '', '', match[2], match[3], match[4]) : undefined;
}

/** True for a canonical track 1 or 2 that begins with a card number, whatever follows it. */
export function beginsWithPan(text: string): boolean {
  return CARD_HEAD.test(text);
}

/** The data elements of a track, parsed unless its reader did. */
export function trackDataOf(number: 1 | 2, {data, text}: Track): TrackData | undefined {
  return data ?? (number === 1 ? parseTrack1(text) : parseTrack2(text));
}

/** True for 12 to 19 digits. Luhn is not required: published test cards fail it. */
export function isPan(digits: string): boolean {
  return PAN_DIGITS.test(digits);
}

/** True if the last digit is the check digit of the others (Luhn; ISO/IEC 7812-1, Annex B). */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 0x30;
    const weighted = i % 2 === 0 ? digit : 2 * digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** The data elements as they are in the text, with separators in the place of absent ones. */
function dataOf(
  panText: string,
  name: string | undefined,
  expiry = '',
  serviceCode = '',
  discretionary = '',
): TrackData | undefined {
  const pan = panText.includes(' ') ? panText.replaceAll(' ', '') : panText;
  if (!isPan(pan)) return undefined;
  return {
    panText,
    pan,
    name: name || undefined,
    expiry: unlessSeparator(expiry),
    serviceCode: unlessSeparator(serviceCode),
    discretionary: discretionary || undefined,
  };
}

function unlessSeparator(text: string): string | undefined {
  return text.length > 1 ? text : undefined;
}
