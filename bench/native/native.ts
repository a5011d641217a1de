import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {aesReads, coldAes} from '../aes-dukpt.js';
import {type Contender, compare} from '../measure.js';
import type {Read} from '../read.js';
import {type Goal, report} from '../report.js';
import {coldTdes, tdesReads} from '../tdes-dukpt.js';
import {buildPrograms, type Sources} from './libraries.js';

/** Of libraries in C no multiple is promised. */
const NO_GOAL = Number.NEGATIVE_INFINITY;

/**
 * The kernels beside the C libraries openemv/dukpt and libdukpt, which are built here. A process of
 * theirs measures itself, so that its start does not count.
 */
export function benchNative(sources: Sources): Goal[] {
  const programs = buildPrograms(sources);
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-bench-'));
  const swipes = (name: string, reads: readonly Read[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, packed(reads));
    return file;
  };
  try {
    const tdes = tdesReads();
    const tdesFile = swipes('tdes', tdes);
    const aes = aesReads();
    const tdesRates = compare(tdes.length, [
      coldTdes(tdes),
      native('openemv/dukpt', programs.openemvTdes, tdesFile),
      native('libdukpt', programs.libdukptTdes, tdesFile),
    ]);
    const aesRates = compare(aes.length, [
      coldAes(aes),
      native('openemv/dukpt', programs.openemvAes, swipes('aes', aes)),
    ]);
    return [
      ...report('TDES DUKPT beside C: 80 B + 40 B', tdesRates, [NO_GOAL, NO_GOAL]),
      ...report('AES-128 DUKPT beside C: 80 B + 48 B', aesRates, [NO_GOAL]),
    ];
  } finally {
    rmSync(folder, {recursive: true});
  }
}

/** A program made of bench/native/driver.c. */
function native(name: string, program: string, file: string): Contender {
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
