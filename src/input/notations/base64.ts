import {base64Of, base64UrlOf, isHex, looseBase64} from '../../platform/bytes.js';

const ALPHABETS = {
  base64: /^[A-Za-z0-9+/]{12,}=*$/,
  base64url: /^[\w-]{12,}=*$/,
} as const;
const MIN_EXACT_CHARS = 16;

/** Bytes of a text in base64. */
interface DecodedText {
  readonly bytes: Uint8Array;
  readonly alphabet: keyof typeof ALPHABETS;
  /** Padded as the standard requires or not at all, and without stray bits. */
  readonly isExact: boolean;
}

/** RFC 4648, sections 4 and 5: in lines or not, without other characters. */
export function readBase64(text: string): DecodedText | undefined {
  const compact = text.replaceAll(/\s/g, '');
  const alphabet = ALPHABETS.base64.test(compact) ? 'base64' : 'base64url';
  if (isHex(compact) || !ALPHABETS[alphabet].test(compact)) return undefined;
  const bytes = looseBase64(compact);
  const digits = unpadded(compact);
  const padding = compact.length - digits.length;
  const isWhole = padding === 0 || (compact.length % 4 === 0 && padding < 3);
  const again = alphabet === 'base64' ? unpadded(base64Of(bytes)) : base64UrlOf(bytes);
  const isExact = isWhole && again === digits && digits.length >= MIN_EXACT_CHARS;
  return {bytes, alphabet, isExact};
}

function unpadded(text: string): string {
  return text.split('=', 1)[0] ?? '';
}

/** The bytes of a text that is exactly base64 in one of the alphabets. */
export function exactBase64(
  text: string,
  alphabet: keyof typeof ALPHABETS,
): Uint8Array | undefined {
  const decoded = readBase64(text);
  return decoded?.isExact && decoded.alphabet === alphabet ? decoded.bytes : undefined;
}
