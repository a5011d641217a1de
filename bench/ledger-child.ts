/**
 * Measures, once, the ratios of the ledger that need one process, and prints them as JSON: CPU times
 * beside that of the kernel, in turns. With `allocated` it prints the KiB that a read allocates, for
 * which it needs `--expose-gc` and room for all of them in the young generation.
 */

import {Secret} from '../src/contract/secret.js';
import {diagnose} from '../src/diagnosis/diagnose.js';
import {KeyRing, testKeyRing, testKeys} from '../src/engine/dukpt/key-ring.js';
import type {TerminalRequest} from '../src/engine/families/registry.js';
import {processPayload} from '../src/engine/process-payload.js';
import type {DiagnosisCase} from '../src/input/case.js';
import {parseKeyfile} from '../src/keyfile/parse-keyfile.js';
import {diagnosisCases, readsByTerminal, USUAL_CASES} from './ledger-cases.js';
import {median} from './measure.js';
import type {Read} from './read.js';
import {kernelRead, nodeCryptoRead, tdesReads} from './tdes-dukpt.js';

/** The compiled benchmarks are three folders deep. */
const ROOT = new URL('../../../../', import.meta.url);
const ROUNDS = 25;
const SLOW_ROUNDS = 5;
const MIN_TURN_MS = 6;
const WARM_UP_MS = 100;
const ALLOCATION_ROUNDS = 5;
const ALLOCATED_READS = 100;
const MAX_KEYS = 5000;

type Work = () => unknown;
/** What is measured, and what it is compared with. */
type Row = readonly [name: string, work: Work, beside: Work];

const reads = await readsByTerminal(ROOT);
const found = process.argv[2] === 'allocated' ? allocated() : await ratios();
process.stdout.write(JSON.stringify(found));

/** The least of each: what others do on the machine only adds to a time. */
async function ratios(): Promise<Record<string, number>> {
  const quick = await leastOf(readRows(), ROUNDS);
  const slow = await leastOf([...diagnosisRows(), ...keyfileRows()], SLOW_ROUNDS);
  return {...quick, ...slow};
}

async function leastOf(rows: readonly Row[], rounds: number): Promise<Record<string, number>> {
  const least = rows.map(() => [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  for (const [, ...works] of rows) for (const work of works) await turn(work, WARM_UP_MS);
  for (let round = 0; round < rounds; round++) {
    for (const [i, [, ...works]] of rows.entries()) {
      const costs: number[] = [];
      for (const work of works) costs.push(await turn(work, MIN_TURN_MS));
      least[i] = least[i]?.map((cost, one) => Math.min(cost, costs[one] ?? cost)) ?? [];
    }
  }
  return Object.fromEntries(
    rows.map(([name], i) => [name, (least[i]?.[0] ?? 0) / (least[i]?.[1] ?? 0)]),
  );
}

/** CPU microseconds of one call. */
async function turn(work: Work, least: number): Promise<number> {
  const begin = process.cpuUsage();
  for (let done = 1; ; done++) {
    await work();
    const {user, system} = process.cpuUsage(begin);
    if (user + system >= 1000 * least) return (user + system) / done;
  }
}

/** KiB that a read of each terminal allocates. */
function allocated(): Record<string, number> {
  const ring = testKeyRing({cache: false});
  const entries = [...reads].map(([type, request]): [string, number] => {
    const read = answer(request, ring);
    for (let i = 0; i < 6 * ALLOCATED_READS; i++) read();
    const rounds = Array.from({length: ALLOCATION_ROUNDS}, () => {
      globalThis.gc?.();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < ALLOCATED_READS; i++) read();
      return (process.memoryUsage().heapUsed - before) / ALLOCATED_READS / 1024;
    });
    return [`KiB allocated by a read: ${type}`, median(rounds)];
  });
  return Object.fromEntries(entries);
}

/** So often that the clock costs nothing beside it. */
function often(work: (i: number) => unknown, times = 50): Work {
  let i = 0;
  return () => {
    for (let done = 0; done < times; done++) work(i++);
  };
}

function readRows(): Row[] {
  const tdes = tdesReads();
  const kernel = often((i) => kernelRead(tdes[i % tdes.length] as Read));
  const node = often((i) => nodeCryptoRead(tdes[i % tdes.length] as Read));
  const ring = testKeyRing({cache: false});
  const terminals = [...reads].map(
    ([type, request]): Row => [
      `read: ${type}, beside the kernel`,
      often(answer(request, ring)),
      kernel,
    ],
  );
  return [...terminals, ['kernel, beside node:crypto per block', kernel, node], manyKeysRow()];
}

function answer(request: TerminalRequest, ring: KeyRing): () => string {
  return () => JSON.stringify(processPayload(request, ring));
}

function diagnosisRows(): Row[] {
  const tdes = tdesReads();
  const kernel = often((i) => kernelRead(tdes[i % tdes.length] as Read), 1000);
  const cases = Object.values(diagnosisCases());
  const limits = {now: () => performance.now(), budgetMs: 60_000};
  const usual = () => cases.slice(0, USUAL_CASES).map((one) => diagnose(one, limits));
  const whole = () => diagnose(cases.at(-1) as DiagnosisCase, limits);
  return [
    ['diagnosis: five usual mistakes, beside 1,000 of the kernel', usual, kernel],
    ['diagnosis: a whole search, beside 1,000 of the kernel', whole, kernel],
  ];
}

/** A payload with many keys, beside the same with the test keys alone. */
function manyKeysRow(): Row {
  const request = reads.get('idtech') as TerminalRequest;
  const few = often(answer(request, testKeyRing({cache: false})));
  const keys = keyForms(MAX_KEYS).map(({hex, ksnPrefix}) => {
    return {kind: 'bdk', secret: new Secret(Buffer.from(hex, 'hex')), ksnPrefix} as const;
  });
  const many = often(answer(request, new KeyRing([...testKeys(), ...keys], {cache: false})));
  return ['read: idtech with 5,000 keys, beside 3', many, few];
}

function keyfileRows(): Row[] {
  const hundred = openings(100);
  return [10, 1000, MAX_KEYS].map((count): Row => {
    const name = `keyfile: a key of ${count.toLocaleString('en')}, beside one of 100`;
    return [name, openings(count), hundred];
  });
}

/** Opens keyfiles of `count` keys until as many keys as in the largest one are open. */
function openings(count: number): Work {
  const text = JSON.stringify({version: 1, keys: keyForms(count), partners: []});
  const plaintext = Buffer.from(text);
  return async () => {
    for (let done = 0; done < MAX_KEYS; done += count) await parseKeyfile(plaintext);
  };
}

function keyForms(count: number) {
  return Array.from({length: count}, (_, i) => {
    const ksnPrefix = (0xa000000000 + i).toString(16).toUpperCase();
    return {name: `key ${i}`, kind: 'bdk', hex: ksnPrefix.padEnd(32, '5'), ksnPrefix} as const;
  });
}
