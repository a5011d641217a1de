import {P, S_BOXES} from './des-tables.js';

/**
 * The DES kernel (FIPS 46-3, NIST SP 800-67). Blocks are two big-endian words each. `passes` are
 * key schedules of 32 words, one after the other: one for DES, three for TDES.
 *
 * Like every table-driven DES, OpenSSL's included, it does not run in constant time.
 */

// Eight constant tables, each S-box followed by P: V8 drops the bounds checks of their look-ups.
const SP1 = spTable(0);
const SP2 = spTable(1);
const SP3 = spTable(2);
const SP4 = spTable(3);
const SP5 = spTable(4);
const SP6 = spTable(5);
const SP7 = spTable(6);
const SP8 = spTable(7);

/** Enciphers the first block of `blocks` in place (deciphers, if `passes` is in that order). */
export function processBlock(blocks: Int32Array, passes: Int32Array): void {
  permute(blocks, 0);
  let l = blocks[0]!;
  let r = blocks[1]!;
  for (let pass = 0; pass < passes.length; pass += 32) {
    for (let k = pass; k < pass + 32; k += 4) {
      l ^= f(r, passes[k]!, passes[k + 1]!);
      r ^= f(l, passes[k + 2]!, passes[k + 3]!);
    }
    const swap = l;
    l = r;
    r = swap;
  }
  blocks[0] = l;
  blocks[1] = r;
  unpermute(blocks, 0);
}

/**
 * Does the same with the first two blocks, each under its own `passes` (of the same length). The
 * two do not depend on each other, which lets the processor work on both at once.
 */
export function processTwoBlocks(blocks: Int32Array, a: Int32Array, b: Int32Array): void {
  permute(blocks, 0);
  permute(blocks, 2);
  let la = blocks[0]!;
  let ra = blocks[1]!;
  let lb = blocks[2]!;
  let rb = blocks[3]!;
  for (let pass = 0; pass < a.length; pass += 32) {
    for (let k = pass; k < pass + 32; k += 4) {
      la ^= f(ra, a[k]!, a[k + 1]!);
      lb ^= f(rb, b[k]!, b[k + 1]!);
      ra ^= f(la, a[k + 2]!, a[k + 3]!);
      rb ^= f(lb, b[k + 2]!, b[k + 3]!);
    }
    let swap = la;
    la = ra;
    ra = swap;
    swap = lb;
    lb = rb;
    rb = swap;
  }
  blocks[0] = la;
  blocks[1] = ra;
  blocks[2] = lb;
  blocks[3] = rb;
  unpermute(blocks, 0);
  unpermute(blocks, 2);
}

/** The function f on a half that is rotated left by one bit, so that E needs no table. */
function f(half: number, odd: number, even: number): number {
  const x = ((half >>> 4) | (half << 28)) ^ odd;
  const y = half ^ even;
  return (
    SP1[(x >>> 24) & 63]! ^
    SP3[(x >>> 16) & 63]! ^
    SP5[(x >>> 8) & 63]! ^
    SP7[x & 63]! ^
    SP2[(y >>> 24) & 63]! ^
    SP4[(y >>> 16) & 63]! ^
    SP6[(y >>> 8) & 63]! ^
    SP8[y & 63]!
  );
}

/** IP as five exchanges of bit groups between the halves; both end rotated left by one bit. */
function permute(blocks: Int32Array, at: number): void {
  let l = blocks[at]!;
  let r = blocks[at + 1]!;
  let t = ((l >>> 4) ^ r) & 0x0f0f0f0f;
  r ^= t;
  l ^= t << 4;
  t = ((l >>> 16) ^ r) & 0x0000ffff;
  r ^= t;
  l ^= t << 16;
  t = ((r >>> 2) ^ l) & 0x33333333;
  l ^= t;
  r ^= t << 2;
  t = ((r >>> 8) ^ l) & 0x00ff00ff;
  l ^= t;
  r ^= t << 8;
  r = (r << 1) | (r >>> 31);
  t = (l ^ r) & 0xaaaaaaaa;
  l ^= t;
  r ^= t;
  blocks[at] = (l << 1) | (l >>> 31);
  blocks[at + 1] = r;
}

/** The inverse of `permute`. */
function unpermute(blocks: Int32Array, at: number): void {
  let l = blocks[at]!;
  let r = blocks[at + 1]!;
  l = (l << 31) | (l >>> 1);
  let t = (l ^ r) & 0xaaaaaaaa;
  l ^= t;
  r ^= t;
  r = (r << 31) | (r >>> 1);
  t = ((r >>> 8) ^ l) & 0x00ff00ff;
  l ^= t;
  r ^= t << 8;
  t = ((r >>> 2) ^ l) & 0x33333333;
  l ^= t;
  r ^= t << 2;
  t = ((l >>> 16) ^ r) & 0x0000ffff;
  r ^= t;
  l ^= t << 16;
  t = ((l >>> 4) ^ r) & 0x0f0f0f0f;
  r ^= t;
  l ^= t << 4;
  blocks[at] = l;
  blocks[at + 1] = r;
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
