/**
 * The packed encodings in which BBPOS readers send tracks: 4-bit (tracks 2 and 3) and 6-bit (track
 * 1, format 54), the character codes of the magnetic stripe without parity.
 */

/** Unpacks nibbles, high first: each nibble + 0x30 is a character (`B` is `;`, `D` `=`, `F` `?`). */
export function unpackNibbles(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(0x30 + (byte >> 4), 0x30 + (byte & 15));
  return text;
}

/** Unpacks 6-bit characters, most significant bits first: 3 bytes hold 4, each + 0x20. */
export function unpackSixBit(bytes: Uint8Array): string {
  let text = '';
  for (let bit = 0; bit + 6 <= bytes.length * 8; bit += 6) {
    const word = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += String.fromCharCode(0x20 + ((word >> (10 - (bit & 7))) & 0x3f));
  }
  return text;
}

/** The reverse of unpackNibbles: characters 30 to 3F; an odd number is padded with a 0 nibble. */
export function packNibbles(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(text.length / 2));
  for (let i = 0; i < text.length; i++) {
    const nibble = (text.charCodeAt(i) - 0x30) & 15;
    bytes[i >> 1] = (bytes[i >> 1] ?? 0) | (i % 2 === 0 ? nibble << 4 : nibble);
  }
  return bytes;
}

/** The reverse of unpackSixBit: characters 20 to 5F, the last byte padded with 0 bits. */
export function packSixBit(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 6) / 8));
  for (let i = 0, bit = 0; i < text.length; i++, bit += 6) {
    const word = ((text.charCodeAt(i) - 0x20) & 0x3f) << (10 - (bit & 7));
    const at = bit >> 3;
    bytes[at] = (bytes[at] ?? 0) | (word >> 8);
    if (at + 1 < bytes.length) bytes[at + 1] = (bytes[at + 1] ?? 0) | (word & 0xff);
  }
  return bytes;
}
