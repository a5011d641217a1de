import {bytesFromBase64, isHex, upperHexOf} from '../platform/bytes.js';
import {fromLookAlikes} from './notations/damage.js';

/** The digits of a KSN as people write it, without spaces, dashes, `0x` and quotes. */
export function ksnDigits(text: string): string {
  const bare = ksnText(text);
  if (isHex(bare)) return bare.toUpperCase();
  const alike = fromLookAlikes(bare);
  if (alike !== undefined) return alike.toUpperCase();
  const bytes = bytesFromBase64(bare);
  return bytes && bytes.length >= 8 && bytes.length <= 12 ? upperHexOf(bytes) : bare.toUpperCase();
}

/** A KSN without the characters that people and languages write around it and between its digits. */
export function ksnText(text: string): string {
  return text
    .replace(/^\s*(?:ksn\s*[:=]?\s*)?(?:b(?=["']))?(?:0x)?/i, '')
    .replaceAll(/(?:0x|\\x)(?=[\da-f]{2}(?![\da-f]))/gi, '')
    .replaceAll(/[\s"':;.,\-_<>()[\]{}]/g, '');
}
