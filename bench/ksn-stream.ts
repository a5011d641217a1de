import {bitCount} from '../src/engine/dukpt/ksn-counter.js';

/** KSNs for benchmarks: seeded, so that every run and every program uses the same ones. */

const DEVICES = 100;
const PER_DEVICE = 100;

/** Valid counters have at most ten set bits (X9.24-1:2009, A.3). */
const MOST_BITS = 10;
const COUNTER_BITS = 21;

/** 10,000 distinct KSNs of 100 devices in hex, with 1 to 10 set counter bits in equal shares. */
export function randomKsns(): string[] {
  const random = generator(0x5eed);
  return devices(random).flatMap((device) => {
    const counters = new Set<number>();
    const perShare = PER_DEVICE / MOST_BITS;
    for (let bits = 1; bits <= MOST_BITS; bits++) {
      const wanted = bits * perShare;
      while (counters.size < wanted) counters.add(counterOf(bits, random));
    }
    return [...counters].map((counter) => ksn(device, counter));
  });
}

/** The same counters in AES DUKPT KSNs, 24 hex digits. */
export function randomAesKsns(): string[] {
  return randomKsns().map((hex) => {
    const counter = Number.parseInt(hex.slice(14), 16) & 0x1fffff;
    return hex.slice(0, 16) + counter.toString(16).toUpperCase().padStart(8, '0');
  });
}

/** KSNs in hex of 100 devices in turns, each counting up from a start between 1 and 200,000. */
export function consecutiveKsns(): string[] {
  const random = generator(0xc0de);
  const streams = devices(random).map((device) => ({device, counter: random() % 200_000}));
  const ksns: string[] = [];
  for (let i = 0; i < PER_DEVICE; i++) {
    for (const stream of streams) {
      do stream.counter++;
      while (bitCount(stream.counter) > MOST_BITS);
      ksns.push(ksn(stream.device, stream.counter));
    }
  }
  return ksns;
}

/** The first 59 bits of a KSN: 14 hex digits, and three bits of the next. */
interface DeviceId {
  readonly digits: string;
  readonly bits: number;
}

function devices(random: () => number): DeviceId[] {
  return Array.from({length: DEVICES}, () => ({
    digits: `FFFF9876${(random() % 0x1000000).toString(16).padStart(6, '0')}`.toUpperCase(),
    bits: random() & 7,
  }));
}

function ksn({digits, bits}: DeviceId, counter: number): string {
  const tail = bits * 0x200000 + counter;
  return digits + tail.toString(16).toUpperCase().padStart(6, '0');
}

function counterOf(bits: number, random: () => number): number {
  let counter = 0;
  while (bitCount(counter) < bits) counter |= 1 << (random() % COUNTER_BITS);
  return counter;
}

/** Numerical Recipes' linear congruential generator; its upper bits. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 4;
  };
}
