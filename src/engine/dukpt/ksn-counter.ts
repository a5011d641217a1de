import type {Algorithm} from '../cipher/block-cipher.js';

/**
 * The transaction counter of a KSN as a number: of TDES DUKPT 21 bits, of which terminals set 10 at
 * most (X9.24-1:2009, A.3), of AES DUKPT 32 bits and 16 (X9.24-3:2017, 6.4). Terminals skip the others.
 */
const COUNTERS = {tdes: {last: 0x1fffff, mostBits: 10}, aes: {last: 0xffffffff, mostBits: 16}};

/** The counter that has every bit set. */
export function lastCounter(scheme: Algorithm): number {
  return COUNTERS[scheme].last;
}

/** Most bits that a terminal sets. */
export function mostBits(scheme: Algorithm): number {
  return COUNTERS[scheme].mostBits;
}

/** Why no conforming terminal sends this counter. */
export function counterFault(counter: number, scheme: Algorithm): 'zero' | 'bits' | undefined {
  if (counter === 0) return 'zero';
  return bitCount(counter) > COUNTERS[scheme].mostBits ? 'bits' : undefined;
}

/** The counter that a terminal sends next; more than `lastCounter` when it has sent all. */
export function counterAfter(counter: number, scheme: Algorithm): number {
  let found = counter + 1;
  while (bitCount(found) > mostBits(scheme)) found += lowestBit(found);
  return found;
}

/** The counter that a terminal sent before; 0 when it was the first. */
export function counterBefore(counter: number, scheme: Algorithm): number {
  let found = counter - 1;
  while (found > 0 && bitCount(found) > mostBits(scheme)) found -= lowestBit(found);
  return found;
}

/**
 * The counters around `counter`, nearest first: as numbers, and as terminals count. They may have no
 * room in a KSN.
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

/** How many bits of a counter are set. */
export function bitCount(counter: number): number {
  let bits = 0;
  for (let rest = counter; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

// Without a sign: an AES counter has 32 bits.
function lowestBit(counter: number): number {
  return (counter & -counter) >>> 0;
}
