import type {Algorithm} from '../cipher/block-cipher.js';

/**
 * The transaction counter of a KSN as a number: 21 bits with at most 10 set for TDES DUKPT
 * (X9.24-1:2009, A.3), 32 bits with at most 16 set for AES DUKPT (X9.24-3:2017, 6.4). Terminals
 * skip all other values.
 */
const COUNTERS = {tdes: {last: 0x1fffff, mostBits: 10}, aes: {last: 0xffffffff, mostBits: 16}};

/** The counter with every bit set. */
export function lastCounter(scheme: Algorithm): number {
  return COUNTERS[scheme].last;
}

/** The largest number of bits that a terminal sets. */
export function mostBits(scheme: Algorithm): number {
  return COUNTERS[scheme].mostBits;
}

/** Why no conforming terminal sends this counter. */
export function counterFault(counter: number, scheme: Algorithm): 'zero' | 'bits' | undefined {
  if (counter === 0) return 'zero';
  return bitCount(counter) > COUNTERS[scheme].mostBits ? 'bits' : undefined;
}

/** The next counter that a terminal sends; more than `lastCounter` after the last one. */
export function counterAfter(counter: number, scheme: Algorithm): number {
  let found = counter + 1;
  while (bitCount(found) > mostBits(scheme)) found += lowestSetBit(found);
  return found;
}

/** The previous counter that a terminal sent; 0 if there was none. */
export function counterBefore(counter: number, scheme: Algorithm): number {
  let found = counter - 1;
  while (found > 0 && bitCount(found) > mostBits(scheme)) found -= lowestSetBit(found);
  return found;
}

/**
 * The counters around `counter`, nearest first, counted both as plain numbers and as terminals
 * count. Some may not fit in a KSN.
 */
export function countersNear(counter: number, scheme: Algorithm, reach: number): number[] {
  const near = new Set<number>();
  let [before, after] = [counter, counter];
  for (let step = 1; step <= reach; step++) {
    before = counterBefore(before, scheme);
    after = counterAfter(after, scheme);
    for (const one of [counter - step, counter + step, before, after]) near.add(one);
  }
  return [...near];
}

/** Number of bits set in a counter. */
export function bitCount(counter: number): number {
  let bits = 0;
  for (let rest = counter; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

// Unsigned: an AES counter has 32 bits.
function lowestSetBit(counter: number): number {
  return (counter & -counter) >>> 0;
}

/** The highest bit that is set in a word. */
export function highestBit(word: number): number {
  return 1 << (31 - Math.clz32(word));
}
