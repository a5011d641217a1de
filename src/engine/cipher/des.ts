import {P, S_BOXES} from './des-tables.js';

/**
 * The DES kernel (FIPS 46-3, NIST SP 800-67). Blocks are two big-endian words each. Passes are
 * consecutive key schedules of 32 words: one for DES, three for TDES.
 *
 * Like every table-driven DES, OpenSSL's included, it does not run in constant time.
 */

// Each S-box followed by P, two boxes per look-up: four tables of 4096 words. V8 knows their
// address, because they are a constant of this module. A schedule contains the table's number
// between the two groups of six key bits, so that 16 bits of it are an index as they are. Filled at
// first use.
const BOX_PAIRS = new Int32Array(0x4000);

/** The S-boxes in each table, counted from 0: for the upper six bits, for the lower six bits. */
const PAIRS = [
  [0, 2],
  [4, 6],
  [1, 3],
  [5, 7],
] as const;

/**
 * Encrypts the two blocks of `blocks` in place (decrypts, if the passes are in that order), each
 * under its own passes, the same number for both. The two do not depend on each other, so the
 * processor works on both at once: a second block costs next to nothing.
 *
 * IP is written out here and below; otherwise V8 would inline all of IP, and too little of f.
 */
export function processTwoBlocks(blocks: Int32Array, a: Int32Array, b: Int32Array): void {
  if (BOX_PAIRS[0] === 0) fillBoxPairs();
  // IP as five swaps of bit groups between the halves; both end rotated left by one bit.
  for (let i = 0; i < blocks.length; i += 2) {
    let l = blocks[i]!;
    let r = blocks[i + 1]!;
    let x = ((l >>> 4) ^ r) & 0x0f0f0f0f;
    r ^= x;
    l ^= x << 4;
    x = ((l >>> 16) ^ r) & 0x0000ffff;
    r ^= x;
    l ^= x << 16;
    x = ((r >>> 2) ^ l) & 0x33333333;
    l ^= x;
    r ^= x << 2;
    x = ((r >>> 8) ^ l) & 0x00ff00ff;
    l ^= x;
    r ^= x << 8;
    r = (r << 1) | (r >>> 31);
    x = (l ^ r) & 0xaaaaaaaa;
    l ^= x;
    blocks[i] = (l << 1) | (l >>> 31);
    blocks[i + 1] = r ^ x;
  }
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
    let x = la;
    la = ra;
    ra = x;
    x = lb;
    lb = rb;
    rb = x;
  }
  blocks[0] = la;
  blocks[1] = ra;
  blocks[2] = lb;
  blocks[3] = rb;
  unpermute(blocks);
}

/**
 * Does the same with five blocks, all under the same passes, in two thirds of the time of doing
 * them in pairs. A track 2 has five blocks, a track 1 ten. One round per iteration: f written out
 * more than five times exceeds what V8 inlines.
 */
export function processFiveBlocks(blocks: Int32Array, passes: Int32Array): void {
  if (BOX_PAIRS[0] === 0) fillBoxPairs();
  // IP as five swaps of bit groups between the halves; both end rotated left by one bit.
  for (let i = 0; i < blocks.length; i += 2) {
    let l = blocks[i]!;
    let r = blocks[i + 1]!;
    let x = ((l >>> 4) ^ r) & 0x0f0f0f0f;
    r ^= x;
    l ^= x << 4;
    x = ((l >>> 16) ^ r) & 0x0000ffff;
    r ^= x;
    l ^= x << 16;
    x = ((r >>> 2) ^ l) & 0x33333333;
    l ^= x;
    r ^= x << 2;
    x = ((r >>> 8) ^ l) & 0x00ff00ff;
    l ^= x;
    r ^= x << 8;
    r = (r << 1) | (r >>> 31);
    x = (l ^ r) & 0xaaaaaaaa;
    l ^= x;
    blocks[i] = (l << 1) | (l >>> 31);
    blocks[i + 1] = r ^ x;
  }
  let la = blocks[0]!;
  let ra = blocks[1]!;
  let lb = blocks[2]!;
  let rb = blocks[3]!;
  let lc = blocks[4]!;
  let rc = blocks[5]!;
  let ld = blocks[6]!;
  let rd = blocks[7]!;
  let le = blocks[8]!;
  let re = blocks[9]!;
  for (let pass = 0; pass < passes.length; pass += 32) {
    for (let k = pass; k < pass + 32; k += 2) {
      const odd = passes[k]!;
      const even = passes[k + 1]!;
      let x = la ^ f(ra, odd, even);
      la = ra;
      ra = x;
      x = lb ^ f(rb, odd, even);
      lb = rb;
      rb = x;
      x = lc ^ f(rc, odd, even);
      lc = rc;
      rc = x;
      x = ld ^ f(rd, odd, even);
      ld = rd;
      rd = x;
      x = le ^ f(re, odd, even);
      le = re;
      re = x;
    }
    let x = la;
    la = ra;
    ra = x;
    x = lb;
    lb = rb;
    rb = x;
    x = lc;
    lc = rc;
    rc = x;
    x = ld;
    ld = rd;
    rd = x;
    x = le;
    le = re;
    re = x;
  }
  blocks[0] = la;
  blocks[1] = ra;
  blocks[2] = lb;
  blocks[3] = rb;
  blocks[4] = lc;
  blocks[5] = rc;
  blocks[6] = ld;
  blocks[7] = rd;
  blocks[8] = le;
  blocks[9] = re;
  unpermute(blocks);
}

/** The function f on a half that is rotated left by one bit, so that E needs no table. */
function f(half: number, odd: number, even: number): number {
  const x = (((half >>> 4) | (half << 28)) & 0x3f3f3f3f) ^ odd;
  const y = (half & 0x3f3f3f3f) ^ even;
  return (
    BOX_PAIRS[x >>> 16]! ^ BOX_PAIRS[x & 0xffff]! ^ BOX_PAIRS[y >>> 16]! ^ BOX_PAIRS[y & 0xffff]!
  );
}

/** The inverse of IP: the same swaps in reverse order. */
function unpermute(blocks: Int32Array): void {
  for (let i = 0; i < blocks.length; i += 2) {
    let l = blocks[i]!;
    let r = blocks[i + 1]!;
    l = (l << 31) | (l >>> 1);
    let x = (l ^ r) & 0xaaaaaaaa;
    l ^= x;
    r ^= x;
    r = (r << 31) | (r >>> 1);
    x = ((r >>> 8) ^ l) & 0x00ff00ff;
    l ^= x;
    r ^= x << 8;
    x = ((r >>> 2) ^ l) & 0x33333333;
    l ^= x;
    r ^= x << 2;
    x = ((l >>> 16) ^ r) & 0x0000ffff;
    r ^= x;
    l ^= x << 16;
    x = ((l >>> 4) ^ r) & 0x0f0f0f0f;
    blocks[i] = l ^ (x << 4);
    blocks[i + 1] = r ^ x;
  }
}

function fillBoxPairs(): void {
  PAIRS.forEach(([upper, lower], table) => {
    const low = spTable(lower);
    spTable(upper).forEach((high, i) => {
      const at = (i << 8) | (table << 6);
      for (let j = 0; j < 64; j++) BOX_PAIRS[at | j] = high ^ low[j]!;
    });
  });
}

/** P of the output of one S-box, for each of its 64 inputs, rotated left by one bit. */
function spTable(box: number): Int32Array {
  const outputs = S_BOXES[box]!;
  const words = Array.from({length: 16}, (_, output) => permuted(output << (28 - 4 * box)));
  return Int32Array.from({length: 64}, (_, input) => {
    const row = ((input >> 4) & 2) | (input & 1);
    return words[outputs[16 * row + ((input >> 1) & 15)]!]!;
  });
}

/** P of the output of all S-boxes, rotated left by one bit. */
function permuted(output: number): number {
  let word = 0;
  for (const from of P) word = (word << 1) | ((output >>> (32 - from)) & 1);
  return (word << 1) | (word >>> 31);
}
