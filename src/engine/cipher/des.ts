import {P, S_BOXES} from './des-tables.js';

/**
 * The DES kernel (FIPS 46-3, NIST SP 800-67). Blocks are two big-endian words each. Passes are key
 * schedules of 32 words, one after the other: one for DES, three for TDES.
 *
 * Like every table-driven DES, OpenSSL's included, it does not run in constant time.
 */

// Each S-box followed by P. The tables are constants of this very module, so that V8 knows where they
// lie. A schedule carries the number of the box in its table above each six bits of key, so that no
// look-up has to cut its six bits out.
const ODD_BOXES = Int32Array.of(...spTable(0), ...spTable(2), ...spTable(4), ...spTable(6));
const EVEN_BOXES = Int32Array.of(...spTable(1), ...spTable(3), ...spTable(5), ...spTable(7));

/**
 * Enciphers the two blocks of `blocks` in place (deciphers, if the passes are in that order), each
 * under its own passes, of the same number. The two do not depend on each other, which lets the
 * processor work on both at once: a second block costs half of the first.
 *
 * All in one function that calls none but f: V8 then inlines f and never inlines the whole.
 * Anything else, f written out included, was measured at half the speed.
 */
export function processTwoBlocks(blocks: Int32Array, a: Int32Array, b: Int32Array): void {
  let la = blocks[0]!;
  let ra = blocks[1]!;
  let lb = blocks[2]!;
  let rb = blocks[3]!;
  let x: number;
  // IP as five exchanges of bit groups between the halves; both end rotated left by one bit.
  x = ((la >>> 4) ^ ra) & 0x0f0f0f0f;
  ra ^= x;
  la ^= x << 4;
  x = ((lb >>> 4) ^ rb) & 0x0f0f0f0f;
  rb ^= x;
  lb ^= x << 4;
  x = ((la >>> 16) ^ ra) & 0x0000ffff;
  ra ^= x;
  la ^= x << 16;
  x = ((lb >>> 16) ^ rb) & 0x0000ffff;
  rb ^= x;
  lb ^= x << 16;
  x = ((ra >>> 2) ^ la) & 0x33333333;
  la ^= x;
  ra ^= x << 2;
  x = ((rb >>> 2) ^ lb) & 0x33333333;
  lb ^= x;
  rb ^= x << 2;
  x = ((ra >>> 8) ^ la) & 0x00ff00ff;
  la ^= x;
  ra ^= x << 8;
  x = ((rb >>> 8) ^ lb) & 0x00ff00ff;
  lb ^= x;
  rb ^= x << 8;
  ra = (ra << 1) | (ra >>> 31);
  rb = (rb << 1) | (rb >>> 31);
  x = (la ^ ra) & 0xaaaaaaaa;
  la ^= x;
  ra ^= x;
  x = (lb ^ rb) & 0xaaaaaaaa;
  lb ^= x;
  rb ^= x;
  la = (la << 1) | (la >>> 31);
  lb = (lb << 1) | (lb >>> 31);
  for (let pass = 0; pass < a.length; pass += 32) {
    for (let k = pass; k < pass + 32; k += 4) {
      la ^= f(ra, a[k]!, a[k + 1]!);
      lb ^= f(rb, b[k]!, b[k + 1]!);
      ra ^= f(la, a[k + 2]!, a[k + 3]!);
      rb ^= f(lb, b[k + 2]!, b[k + 3]!);
    }
    x = la;
    la = ra;
    ra = x;
    x = lb;
    lb = rb;
    rb = x;
  }
  // The inverse of IP: the same exchanges backwards.
  la = (la << 31) | (la >>> 1);
  lb = (lb << 31) | (lb >>> 1);
  x = (la ^ ra) & 0xaaaaaaaa;
  la ^= x;
  ra ^= x;
  x = (lb ^ rb) & 0xaaaaaaaa;
  lb ^= x;
  rb ^= x;
  ra = (ra << 31) | (ra >>> 1);
  rb = (rb << 31) | (rb >>> 1);
  x = ((ra >>> 8) ^ la) & 0x00ff00ff;
  la ^= x;
  ra ^= x << 8;
  x = ((rb >>> 8) ^ lb) & 0x00ff00ff;
  lb ^= x;
  rb ^= x << 8;
  x = ((ra >>> 2) ^ la) & 0x33333333;
  la ^= x;
  ra ^= x << 2;
  x = ((rb >>> 2) ^ lb) & 0x33333333;
  lb ^= x;
  rb ^= x << 2;
  x = ((la >>> 16) ^ ra) & 0x0000ffff;
  ra ^= x;
  la ^= x << 16;
  x = ((lb >>> 16) ^ rb) & 0x0000ffff;
  rb ^= x;
  lb ^= x << 16;
  x = ((la >>> 4) ^ ra) & 0x0f0f0f0f;
  ra ^= x;
  la ^= x << 4;
  x = ((lb >>> 4) ^ rb) & 0x0f0f0f0f;
  rb ^= x;
  lb ^= x << 4;
  blocks[0] = la;
  blocks[1] = ra;
  blocks[2] = lb;
  blocks[3] = rb;
}

/** The function f on a half that is rotated left by one bit, so that E needs no table. */
function f(half: number, odd: number, even: number): number {
  const x = (((half >>> 4) | (half << 28)) & 0x3f3f3f3f) ^ odd;
  const y = (half & 0x3f3f3f3f) ^ even;
  return (
    ODD_BOXES[x >>> 24]! ^
    ODD_BOXES[(x >>> 16) & 255]! ^
    ODD_BOXES[(x >>> 8) & 255]! ^
    ODD_BOXES[x & 255]! ^
    EVEN_BOXES[y >>> 24]! ^
    EVEN_BOXES[(y >>> 16) & 255]! ^
    EVEN_BOXES[(y >>> 8) & 255]! ^
    EVEN_BOXES[y & 255]!
  );
}

/** P of the output of one S-box, for each of its 64 inputs, rotated left by one bit. */
function spTable(box: number): Int32Array {
  const outputs = S_BOXES[box]!;
  return Int32Array.from({length: 64}, (_, input) => {
    const row = ((input >> 4) & 2) | (input & 1);
    const output = outputs[16 * row + ((input >> 1) & 15)]! << (28 - 4 * box);
    const permuted = P.reduce((sum, from) => (sum << 1) | ((output >>> (32 - from)) & 1), 0);
    return (permuted << 1) | (permuted >>> 31);
  });
}
