import {spawnSync} from 'node:child_process';
import {appendFileSync, closeSync, mkdtempSync, openSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {TERMINALS} from '../src/engine/families/registry.js';
import {writerOf} from '../src/engine/families/terminal.js';
import type {Writer} from '../src/engine/writing.js';
import {simulateStream} from '../src/simulator/simulate.js';
import {findTestCard} from '../src/simulator/test-cards.js';
import {median} from './measure.js';
import {type Goal, heading, perSecond, tell} from './report.js';

/** The compiled benchmarks are three folders deep. */
const BIN = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url));
/** Prints the peak memory of the process at exit, worker threads included. */
const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))';

/** Lines that are generated once and written repeatedly. */
const PIECE = 10_000;
const TIMED_LINES = 300_000;
const FEW = 10_000;
const MANY = process.env.SLOW ? 1_000_000 : 200_000;
const ROUNDS = 3;
const MOST_MEGABYTES = 50;

/**
 * Measures how much faster two workers are than one, and how much more memory many lines need than
 * few.
 */
export async function benchBatch(): Promise<Goal[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-bench-'));
  try {
    const piece = makePiece(await writerOf(TERMINALS['idtech']));
    const fileOf = (lines: number) => writeLines(path.join(folder, `${lines}.jsonl`), piece, lines);
    return [compareWorkers(fileOf(TIMED_LINES)), compareMemory(fileOf)];
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function compareWorkers(file: string): Goal {
  const rounds = Array.from({length: ROUNDS}, () => [1, 2].map((n) => runBatch(file, n).rate));
  const rate = (i: number) => perSecond(median(rounds.map((rates) => rates[i] ?? 0)));
  const found = median(rounds.map(([one = 0, two = 0]) => two / one));
  const goal = {name: 'Batch: two workers against one', wanted: 1.5, found};
  heading('Batch: lines of JSON with ID TECH frames from a file');
  tell('paylens, two workers', rate(1));
  tell('paylens, one worker', rate(0), goal);
  return goal;
}

function compareMemory(fileOf: (lines: number) => string): Goal {
  const [few = 0, many = 0] = [FEW, MANY].map((lines) => runBatch(fileOf(lines), 2).megabytes);
  const goal = {
    name: 'Batch: MB more than with few lines',
    wanted: MOST_MEGABYTES,
    found: many - few,
    most: true,
  } as const;
  heading('Batch: memory at its highest, two workers');
  tell(`${MANY.toLocaleString('en')} lines`, `${many.toFixed(0)} MB`);
  tell(`${FEW.toLocaleString('en')} lines`, `${few.toFixed(0)} MB`);
  tell('difference', `${goal.found.toFixed(0)} MB`);
  return goal;
}

function makePiece(writer: Writer): Buffer {
  const card = findTestCard('visa');
  if (!card) throw new Error('no test card');
  const simulation = {deviceType: 'idtech', mode: 'swiped', card, keys: testKeyRing()} as const;
  const requests = simulateStream(writer, {...simulation, ksn: 'FFFF9876543210E00001'}, PIECE);
  return Buffer.from([...requests].map((request) => `${JSON.stringify(request)}\n`).join(''));
}

function writeLines(file: string, piece: Buffer, lines: number): string {
  rmSync(file, {force: true});
  for (let written = 0; written < lines; written += PIECE) appendFileSync(file, piece);
  return file;
}

interface Run {
  /** Lines per second, as in the summary, which excludes Node's own start-up. */
  readonly rate: number;
  /** Peak resident memory. */
  readonly megabytes: number;
}

function runBatch(file: string, workers: number): Run {
  const argv = ['decrypt', '-', '--batch', '--test-keys', '--threads', String(workers)];
  const input = openSync(file, 'r');
  const {status, stderr} = spawnSync(process.execPath, ['--import', TELL_MEMORY, BIN, ...argv], {
    stdio: [input, 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  closeSync(input);
  const rate = / ([\d,]+) lines\/s/.exec(stderr)?.[1];
  if (status !== 0 || !rate) throw new Error(`batch ended with ${status}: ${stderr}`);
  const megabytes = Number(stderr.split('\n').at(-1)) / 1024;
  return {rate: Number(rate.replaceAll(',', '')), megabytes};
}
