const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM = 6;
const WORD_BITS = 5;

/**
 * The bytes of a Bech32 text with this prefix, in one case (BIP 173, without its limit of 90
 * characters). Undefined when a character, the checksum or the padding is wrong.
 */
export function decodeBech32(text: string, prefix: string): Uint8Array<ArrayBuffer> | undefined {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  if (!lower.startsWith(`${prefix.toLowerCase()}1`)) return undefined;
  const words = [...lower.slice(prefix.length + 1)].map((letter) => ALPHABET.indexOf(letter));
  if (words.length < CHECKSUM || words.includes(-1)) return undefined;
  if (polymod([...expanded(prefix.toLowerCase()), ...words]) !== 1) return undefined;
  return bytesOf(words.slice(0, -CHECKSUM));
}

function expanded(prefix: string): number[] {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> WORD_BITS), 0, ...codes.map((code) => code & 0x1f)];
}

function polymod(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << WORD_BITS) ^ word;
    GENERATOR.forEach((generator, bit) => {
      if ((top >> bit) & 1) sum ^= generator;
    });
  }
  return sum;
}

/** Eight bits each out of five; what is left over is less than a word, of zeros. */
function bytesOf(words: readonly number[]): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.floor((words.length * WORD_BITS) / 8));
  let [held, bits, at] = [0, 0, 0];
  for (const word of words) {
    held = (held << WORD_BITS) | word;
    bits += WORD_BITS;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return bits < WORD_BITS && held === 0 ? bytes : undefined;
}
