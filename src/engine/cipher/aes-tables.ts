/** Tables of the AES kernel, computed from the definitions of FIPS 197. */

/** The S-box (FIPS 197, 5.1.1). 3 generates all elements of the field, F6 is its inverse. */
export function sBox(): Uint8Array {
  const box = new Uint8Array(256);
  let element = 1;
  let inverse = 1;
  do {
    box[element] = affine(inverse);
    element = times(element, 3);
    inverse = times(inverse, 0xf6);
  } while (element !== 1);
  box[0] = 0x63;
  return box;
}

/** The inverse of an S-box. */
export function inverseBox(box: Uint8Array): Uint8Array {
  const inverse = new Uint8Array(256);
  box.forEach((value, x) => {
    inverse[value] = x;
  });
  return inverse;
}

/**
 * The substitute of each byte, multiplied by the four `factors` of a column mix, as a big-endian
 * word.
 */
export function columnWords(box: Uint8Array, factors: readonly number[]): Int32Array {
  return Int32Array.from(box, (byte) =>
    factors.reduce((word, factor) => (word << 8) | times(byte, factor), 0),
  );
}

/** The affine transformation of the S-box (FIPS 197, 5.1.1). */
function affine(byte: number): number {
  const twice = byte | (byte << 8);
  return ((twice ^ (twice >> 4) ^ (twice >> 5) ^ (twice >> 6) ^ (twice >> 7)) & 0xff) ^ 0x63;
}

/** The product in the field of AES (FIPS 197, 4.2). */
function times(a: number, b: number): number {
  let product = 0;
  let shifted = a;
  for (let bits = b; bits > 0; bits >>= 1) {
    if (bits & 1) product ^= shifted;
    shifted = (shifted << 1) ^ (shifted & 0x80 ? 0x11b : 0);
  }
  return product;
}
