import {setTimeout} from 'node:timers/promises';
import type {SweepEntry} from './entries.js';
import type {SweepText} from './texts.js';

/** Below this, the cost is mostly that of the call. */
const FLOOR_MS = 5;
/** Linear time costs four times as much at 64 KiB as at 16; its square sixteen times. */
const MAX_RATIO = 6;
const KIB = 1024;
const LONG = 64 * KIB;
const SHORT = 16 * KIB;
/** Where 16 KiB take another way than 64, one of these may take the same. */
const FURTHER = [20 * KIB, 24 * KIB];
/** Other work on the machine, the compiler and the collector of garbage only ever add. */
const MAX_TRIES = 16;
/** The machine's speed swings by nearly two: fewer rounds are enough for what looks linear by far only. */
const MIN_TRIES = 4;
const CLEARLY_LINEAR = 5;

/** CPU time in milliseconds, and pages of memory that were touched first. */
interface Usage {
  readonly ms: number;
  readonly pages: number;
}

/**
 * How the cost of an entry grows too fast with a text; undefined if it does not. What else runs on the
 * machine can slow long texts more than short ones for a moment: a fault is still there a second later.
 */
export async function superLinear(entry: SweepEntry, text: SweepText): Promise<string | undefined> {
  if (!(await superLinearOnce(entry, text))) return undefined;
  await setTimeout(1000);
  return superLinearOnce(entry, text);
}

async function superLinearOnce(entry: SweepEntry, text: SweepText): Promise<string | undefined> {
  let long = await usageOf(entry, text, LONG);
  // A first round touches many pages, and what one costs was measured on others: later rounds decide.
  if (long.ms <= FLOOR_MS) return undefined;
  let perByte = 0;
  const isTooMuch = () => cost(long) > FLOOR_MS && cost(long) > (MAX_RATIO / 4) * LONG * perByte;
  for (const size of [SHORT, ...FURTHER]) {
    let short = await usageOf(entry, text, size);
    const isOpen = () => cost(long) > (CLEARLY_LINEAR / 4) * (LONG / size) * cost(short);
    const minTries = size === SHORT ? MIN_TRIES : MAX_TRIES;
    for (let tries = 0; tries < minTries || (tries < MAX_TRIES && isOpen()); tries++) {
      short = least(short, await usageOf(entry, text, size));
      long = least(long, await usageOf(entry, text, LONG));
    }
    perByte = Math.max(perByte, cost(short) / size);
    if (!isTooMuch()) return undefined;
  }
  const ratio = (cost(long) / LONG / perByte).toFixed(1);
  return `${entry.name}: ${cost(long).toFixed(1)} ms for 64 KiB, a byte ${ratio} times as much as of less`;
}

async function usageOf(entry: SweepEntry, text: SweepText, size: number): Promise<Usage> {
  const whole = text.ofSize(size);
  const given = entry.prepare ? entry.prepare(whole) : whole;
  const before = usage();
  await outcome(() => entry.run(given));
  const after = usage();
  return {ms: after.ms - before.ms, pages: after.pages - before.pages};
}

/** The least of each: what else goes on in the process adds time in one round, and pages in another. */
function least(a: Usage, b: Usage): Usage {
  return {ms: Math.min(a.ms, b.ms), pages: Math.min(a.pages, b.pages)};
}

/**
 * The CPU time without what the system took for pages of memory that were touched first: their number
 * grows in steps, and on a virtual machine each takes as long as thousands of instructions.
 */
function cost({ms, pages}: Usage): number {
  return ms - PAGE_MS * pages;
}

/** What one page takes that is touched first: the least of several rounds. */
const PAGE_MS = Math.min(...Array.from({length: 8}, pageCost));

function pageCost(): number {
  const buffers = Array.from({length: 16}, () => new Uint8Array(256 * KIB));
  const [fresh, again] = [0, 1].map(() => {
    const before = usage();
    for (const buffer of buffers) buffer.fill(1);
    const after = usage();
    return {ms: after.ms - before.ms, pages: after.pages - before.pages};
  });
  const pages = fresh!.pages - again!.pages;
  return pages < 100 ? 0 : Math.max((fresh!.ms - again!.ms) / pages, 0);
}

function usage(): Usage {
  const {userCPUTime, systemCPUTime, minorPageFault} = process.resourceUsage();
  return {ms: (userCPUTime + systemCPUTime) / 1000, pages: minorPageFault};
}

/** Runs to the end whatever it is: a promise, steps, or an error. */
export async function outcome(run: () => unknown): Promise<unknown> {
  try {
    const result = await run();
    const isSteps = typeof (result as Iterator<unknown> | undefined)?.next === 'function';
    return isSteps ? [...(result as Iterable<unknown>)] : result;
  } catch (error) {
    return error;
  }
}
