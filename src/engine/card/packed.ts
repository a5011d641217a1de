/**
 * The packed forms in which BBPOS readers send tracks: 4-bit (track 2 and 3) and 6-bit (track 1,
 * format 54), as the stripe's own character codes without parity.
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
