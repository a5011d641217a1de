import {spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {simulateStream} from '../src/simulator/simulate-stream.js';
import {findTestCard} from '../src/simulator/test-cards.js';
import type {Goal} from './report.js';

/** The compiled benchmarks lie three folders deep. */
const BIN = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url));
/** Tells at the end how much memory the process had at most, worker threads included. */
const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))';

/** Lines that are made once and sent as often as it takes. */
const PIECE = 10_000;
const TIMED_LINES = 200_000;
const FEW = 10_000;
const MANY = process.env.SLOW ? 1_000_000 : 200_000;
const ROUNDS = 3;

/** How much faster two workers are than one, and how much more memory many lines take than few. */
export async function benchBatch(): Promise<Goal[]> {
  const piece = makePiece();
  console.log('\nBatch: JSONL of ID TECH frames on stdin, JSONL on stdout');
  return [await compareWorkers(piece), await compareMemory(piece)];
}

async function compareWorkers(piece: Buffer): Promise<Goal> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await runBatch(piece, TIMED_LINES, 1);
    const two = await runBatch(piece, TIMED_LINES, 2);
    ratios.push(two.rate / one.rate);
    print(`one worker ${Math.round(one.rate)} lines/s, two ${Math.round(two.rate)} lines/s`);
  }
  const found = ratios.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  print(`two workers: ${found.toFixed(2)} x one, median of ${ROUNDS} (goal 1.5)`);
  return {name: 'Batch: two workers against one', wanted: 1.5, found};
}

async function compareMemory(piece: Buffer): Promise<Goal> {
  const few = await runBatch(piece, FEW, 2);
  const many = await runBatch(piece, MANY, 2);
  const more = many.megabytes - few.megabytes;
  print(
    `${FEW} lines: ${few.megabytes.toFixed(0)} MB, ${MANY} lines: ${many.megabytes.toFixed(0)} MB`,
  );
  print(`${more.toFixed(0)} MB more (goal: at most 50)`);
  return {
    name: 'Batch: 50 MB against the memory of more lines',
    wanted: 1,
    found: 50 / Math.max(1, more),
  };
}

function makePiece(): Buffer {
  const card = findTestCard('visa');
  if (!card) throw new Error('no test card');
  const simulation = {deviceType: 'idtech', mode: 'swiped', card, keys: testKeyRing()} as const;
  const requests = simulateStream({...simulation, ksn: 'FFFF9876543210E00001'}, PIECE);
  return Buffer.from([...requests].map((request) => `${JSON.stringify(request)}\n`).join(''));
}

interface Run {
  /** Lines a second, start-up left out: from the first answer to the last. */
  readonly rate: number;
  /** Resident memory at its highest. */
  readonly megabytes: number;
}

async function runBatch(piece: Buffer, lines: number, workers: number): Promise<Run> {
  const argv = ['decrypt', '-', '--batch', '--test-keys', '--workers', String(workers)];
  const child = spawn(process.execPath, ['--import', TELL_MEMORY, BIN, ...argv], {stdio: 'pipe'});
  let [begin, answered, stderr] = [0, 0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    begin ||= performance.now();
    answered += chunk.length;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  for (let sent = 0; sent < lines; sent += PIECE) {
    if (!child.stdin.write(piece))
      await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  child.stdin.end();
  const code = await ended;
  if (code !== 0 || answered === 0) throw new Error(`batch ended with ${code}: ${stderr}`);
  const megabytes = Number(stderr.split('\n').at(-1)) / 1024;
  return {rate: (1000 * lines) / (performance.now() - begin), megabytes};
}

function print(text: string): void {
  console.log(`  ${text}`);
}
