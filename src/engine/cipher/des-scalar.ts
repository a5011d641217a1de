import {
  C0,
  DATA,
  DES_BLOCKS,
  type DesKernel,
  desBytes,
  desWords,
  IV,
  KEY_PASSES,
  KEY_TABLE,
  MASKED_PASSES,
  OUTPUT,
  SCHEDULE_BYTES,
  STEP_KEY,
} from './des-memory.js';
import {readWord, writeWord} from './words.js';

/** The kernel that runs everywhere, and until the faster one pays. */
export const SCALAR_DES: DesKernel = {
  schedule: (into, left, right) => writeSchedule(into, left, right, 0),
  reversed: (into, left, right) => writeSchedule(into, left, right, 15),
  two: processTwoBlocks,
  five: decryptChain,
  pair: decryptChain,
  step(left, right) {
    const at = STEP_KEY >> 2;
    const block = DES_BLOCKS >> 2;
    const [k0, k1, a, b] = [desWords[at]!, desWords[at + 1]!, desWords[at + 2]!, desWords[at + 3]!];
    writeSchedule(KEY_PASSES, k0, k1, 0);
    writeSchedule(MASKED_PASSES, k0 ^ C0, k1, 0);
    desWords[block] = left ^ a;
    desWords[block + 2] = left ^ a ^ C0;
    desWords[block + 1] = desWords[block + 3] = right ^ b;
    processTwoBlocks(KEY_PASSES, MASKED_PASSES, SCHEDULE_BYTES);
    desWords[at] = desWords[block + 2]! ^ a ^ C0;
    desWords[at + 1] = desWords[block + 3]! ^ b;
    desWords[at + 2] = desWords[block]! ^ a;
    desWords[at + 3] = desWords[block + 1]! ^ b;
  },
};

/** `flip`: 15 writes the rounds in reverse order. */
function writeSchedule(into: number, left: number, right: number, flip: number): void {
  const table = KEY_TABLE >> 2;
  const c0 = table + (((left >>> 25) & 0x70) | (right >>> 28)) * 16;
  const c1 = table + (0x80 | ((left >>> 17) & 0x70) | ((right >>> 20) & 15)) * 16;
  const c2 = table + (0x100 | ((left >>> 9) & 0x70) | ((right >>> 12) & 15)) * 16;
  const c3 = table + (0x180 | ((left >>> 1) & 0x70) | ((right >>> 4) & 15)) * 16;
  const d0 = table + (0x200 | ((left >>> 22) & 0x78) | ((right >>> 25) & 7)) * 16;
  const d1 = table + (0x280 | ((left >>> 14) & 0x78) | ((right >>> 17) & 7)) * 16;
  const d2 = table + (0x300 | ((left >>> 6) & 0x78) | ((right >>> 9) & 7)) * 16;
  const d3 = table + (0x380 | ((left << 2) & 0x78) | ((right >>> 1) & 7)) * 16;
  for (let i = 0; i < 16; i++) {
    const c = desWords[c0 + i]! ^ desWords[c1 + i]! ^ desWords[c2 + i]! ^ desWords[c3 + i]!;
    const d = desWords[d0 + i]! ^ desWords[d1 + i]! ^ desWords[d2 + i]! ^ desWords[d3 + i]!;
    const at = (into >> 2) + 2 * (i ^ flip);
    desWords[at] = (c & 0xffff0000) | (d >>> 16);
    desWords[at + 1] = (c << 16) | (d & 0xffff);
  }
}

function decryptChain(from: number, to: number, passes: number, bytes: number): void {
  const block = DES_BLOCKS >> 2;
  for (let at = from; at < to; at += 16) {
    for (let w = 0; w < 4; w++) desWords[block + w] = readWord(desBytes, DATA + at + 4 * w);
    processTwoBlocks(passes, passes, bytes);
    for (let w = 0; w < 4; w++) {
      const before = readWord(desBytes, IV + at + 4 * w);
      writeWord(desBytes, OUTPUT + at + 4 * w, desWords[block + w]! ^ before);
    }
  }
}

function processTwoBlocks(a: number, b: number, bytes: number): void {
  const at = DES_BLOCKS >> 2;
  for (let i = at; i < at + 4; i += 2) permute(i);
  let la = desWords[at]!;
  let ra = desWords[at + 1]!;
  let lb = desWords[at + 2]!;
  let rb = desWords[at + 3]!;
  const other = (b - a) >> 2;
  for (let pass = a >> 2; pass < (a + bytes) >> 2; pass += 32) {
    for (let k = pass; k < pass + 32; k += 4) {
      la ^= f(ra, desWords[k]!, desWords[k + 1]!);
      lb ^= f(rb, desWords[k + other]!, desWords[k + other + 1]!);
      ra ^= f(la, desWords[k + 2]!, desWords[k + 3]!);
      rb ^= f(lb, desWords[k + other + 2]!, desWords[k + other + 3]!);
    }
    let x = la;
    la = ra;
    ra = x;
    x = lb;
    lb = rb;
    rb = x;
  }
  desWords[at] = la;
  desWords[at + 1] = ra;
  desWords[at + 2] = lb;
  desWords[at + 3] = rb;
  for (let i = at; i < at + 4; i += 2) unpermute(i);
}

/** The function f on a half that is rotated left by three bits. */
function f(half: number, odd: number, even: number): number {
  const x = (((half >>> 4) | (half << 28)) & 0xfcfcfcfc) ^ odd;
  const y = (half & 0xfcfcfcfc) ^ even;
  return (
    desWords[x >>> 18]! ^
    desWords[(x >>> 2) & 0x3fff]! ^
    desWords[y >>> 18]! ^
    desWords[(y >>> 2) & 0x3fff]!
  );
}

/** IP as five swaps of bit groups between the halves; both end rotated left by three bits. */
function permute(at: number): void {
  let l = desWords[at]!;
  let r = desWords[at + 1]!;
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
  r ^= x;
  desWords[at] = (l << 3) | (l >>> 29);
  desWords[at + 1] = (r << 2) | (r >>> 30);
}

/** The inverse of IP: the same swaps in reverse order. */
function unpermute(at: number): void {
  let l = desWords[at]!;
  let r = desWords[at + 1]!;
  l = (l << 29) | (l >>> 3);
  r = (r << 30) | (r >>> 2);
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
  desWords[at] = l ^ (x << 4);
  desWords[at + 1] = r ^ x;
}
