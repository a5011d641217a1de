/** A card number in its place in track 1 or track 2, with or without sentinels. */
const CLEAR_TRACK = /^\s*(?:%?[A-Z]\d[\d ]{11,22}\^|[;+]?\d{12,19}=)/;
const CLEAR_PAN = /^\s*;?\d{12,19}\s*$/;

/**
 * True for text that begins with a clear track: card data that must not be sent in cleartext
 * (2110).
 */
export function isClearTrack(text: string): boolean {
  return CLEAR_TRACK.test(text);
}

/** True for text that is a clear track or just a card number. */
export function isClearCard(text: string): boolean {
  return isClearTrack(text) || CLEAR_PAN.test(text);
}
