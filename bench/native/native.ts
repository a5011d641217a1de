import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {aesReads, coldAes} from '../aes-dukpt.js';
import {type Contender, compare, type Rate} from '../measure.js';
import type {Read} from '../read.js';
import {type Goal, report, tell} from '../report.js';
import {cachedTdes, coldTdes, consecutiveTdesReads, tdesReads} from '../tdes-dukpt.js';
import {buildPrograms, type Program, type Sources} from './libraries.js';

/** Nothing is promised of AES, for which they use the processor's own instructions. */
const NO_GOAL = Number.NEGATIVE_INFINITY;

/**
 * The kernels beside the C libraries openemv/dukpt and libdukpt, which are built here, in CPU time; the
 * fastest of them judges. A process of theirs measures itself, so that its start does not count.
 */
export function benchNative(sources: Sources): Goal[] {
  const programs = buildPrograms(sources);
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-bench-'));
  const beside = (title: string, ours: Kernel, reads: Read[], from: Programs, goal: number) => {
    const file = path.join(folder, title);
    writeFileSync(file, packed(reads));
    const others = from.map((program) => native(program, file));
    return judged(title, compare(reads.length, [ours(reads), ...others]), goal);
  };
  const {tdes, aes} = programs;
  try {
    return [
      beside('TDES DUKPT beside C, 80 B + 40 B, cold', coldTdes, tdesReads(), tdes, 1.75),
      beside('The same, consecutive counters', cachedTdes, consecutiveTdesReads(), tdes, 2.6),
      beside('AES-128 DUKPT beside C, 80 B + 48 B', coldAes, aesReads(), aes, NO_GOAL),
    ].flat();
  } finally {
    rmSync(folder, {recursive: true});
  }
}

type Kernel = (reads: readonly Read[]) => Contender;
type Programs = readonly Program[];

/** Prints the rates, and the goal beside the fastest of the others. */
function judged(title: string, rates: readonly Rate[], wanted: number): Goal[] {
  report(
    title,
    rates,
    rates.map(() => NO_GOAL),
  );
  const [, ...others] = rates;
  const fastest = others.toSorted((a, b) => a.ratio - b.ratio)[0];
  if (!fastest) return [];
  const goal = {wanted, found: fastest.ratio};
  tell('the fastest judges', fastest.name, goal);
  return [{name: `${title}: ${fastest.name}`, ...goal}];
}

/** A program made of bench/native/driver.c. */
function native({name, file: program}: Program, file: string): Contender {
  return {
    name,
    turn: (from, to, ms) => {
      const args = [file, from, to, ms].map(String);
      const [done = 0, spent = 0] = execFileSync(program, args, {encoding: 'utf8'})
        .split(' ')
        .map(Number);
      return {done, ms: spent};
    },
    proof: () => {
      const plain = execFileSync(program, [file], {maxBuffer: Number.POSITIVE_INFINITY});
      return createHash('sha256').update(plain).digest('hex');
    },
  };
}

/** The file that driver.c describes. */
function packed(reads: readonly Read[]): Buffer {
  const [first] = reads;
  const lengths = [(first?.ksn.length ?? 0) / 2, ...(first?.tracks ?? []).map((t) => t.length)];
  const header = Uint32Array.of(reads.length, ...lengths);
  return Buffer.concat([
    new Uint8Array(header.buffer),
    ...reads.flatMap(({ksn, tracks}) => [Buffer.from(ksn, 'hex'), ...tracks]),
  ]);
}
