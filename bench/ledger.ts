/**
 * The ledger: ratios of CPU times, allocations, counts and sizes that are committed, so that a change
 * that costs is noticed. Measures all of them, compares, and with `--renew` writes bench/ledger.json.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {countFaults, countsOf, type Ledger, ledgerFile, readLedger} from './ledger-counts.js';
import {median} from './measure.js';
import {machine} from './page.js';
import {type Goal, heading, tell} from './report.js';

/** The compiled benchmarks are three folders deep. */
const ROOT = new URL('../../../../', import.meta.url);
/** Every process lays out its code and memory in its own way: that is most of the noise. */
const PROCESSES = 5;
const STARTS = 5;
/** A smaller difference is not told apart. */
const MIN_TOLERANCE = 0.03;
const DEVIATIONS = 4;
/** All that is allocated has room without being collected. */
const WITHOUT_COLLECTION = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'start of --version': ['bin/run.js', '--version'],
  'start of decrypt with a sample': [
    'bin/run.js',
    'decrypt',
    'samples/idtech-swipe.json',
    '--test-keys',
  ],
};

type Figures = Readonly<Record<string, number>>;

/** Each ratio that is worse than in the ledger is a missed goal. */
export function benchLedger(renew: boolean): Goal[] {
  const runs = Array.from({length: PROCESSES}, () => ({
    ...child([], []),
    ...child(WITHOUT_COLLECTION, ['allocated']),
    ...starts(),
  }));
  const ratios = summaryOf(runs);
  const counts = countsOf(ROOT);
  heading('Ledger');
  for (const [name, {ratio, tolerance}] of Object.entries(ratios))
    tell(name, `${ratio} ± ${(100 * tolerance).toFixed(0)} %`);
  if (renew) {
    writeLedger({measured: machine(), ratios, counts, reasons: reasonsOf()});
    return [];
  }
  const ledger = readLedger(ROOT);
  for (const fault of countFaults(ledger, counts)) console.log(fault);
  const isSame = countFaults(ledger, counts).length === 0;
  const all = {name: 'counts of the ledger', wanted: 0, found: isSame ? 0 : 1, most: true} as const;
  return [all, ...goalsOf(ledger, ratios)];
}

function goalsOf(ledger: Ledger, ratios: Ledger['ratios']): Goal[] {
  return Object.entries(ledger.ratios).map(([name, {ratio, tolerance}]) => {
    const now = ratios[name] ?? {ratio: Number.POSITIVE_INFINITY, tolerance: 0};
    const wanted = ratio * (1 + Math.hypot(tolerance, now.tolerance));
    return {name, wanted, found: now.ratio, most: true};
  });
}

/**
 * The median of the processes, and how far another median may be from it by chance: five values tell
 * their own noise badly, so that it is at least the usual one of figures of the same kind.
 */
function summaryOf(runs: readonly Figures[]): Ledger['ratios'] {
  const figures = Object.keys(runs[0] ?? {}).map((name) => {
    const values = runs.map((run) => run[name] ?? Number.NaN);
    const ratio = median(values);
    const spread = 1.48 * median(values.map((value) => Math.abs(value - ratio)));
    return {name, ratio, noise: (DEVIATIONS * 1.25 * spread) / Math.sqrt(values.length) / ratio};
  });
  return Object.fromEntries(
    figures.map(({name, ratio, noise}) => {
      const alike = figures.filter((one) => kindOf(one.name) === kindOf(name));
      const usual = median(alike.map((one) => one.noise));
      const tolerance = rounded(Math.max(noise, usual, MIN_TOLERANCE));
      return [name, {ratio: rounded(ratio), tolerance}];
    }),
  );
}

function kindOf(name: string): string {
  return name.replace(/[:,].*/, '');
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function child(flags: readonly string[], args: readonly string[]): Figures {
  const file = fileURLToPath(new URL('ledger-child.js', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [...flags, file, ...args], {encoding: 'utf8'}));
}

/** CPU times of programs from start to end, in those of `node -e 0`. */
function starts(): Figures {
  const all = Object.entries({empty: ['-e', '0'], ...PROGRAMS});
  const rounds = Array.from({length: STARTS}, () => all.map(([, argv]) => cpuOf(argv)));
  const [, ...programs] = all;
  return Object.fromEntries(
    programs.map(([name], i) => [
      `${name}, beside node -e 0`,
      least(rounds, i + 1) / least(rounds, 0),
    ]),
  );
}

function least(rounds: readonly (readonly number[])[], program: number): number {
  return Math.min(...rounds.map((times) => times[program] ?? Number.POSITIVE_INFINITY));
}

/** The program itself tells its CPU time at its end, in microseconds. */
const TELLS = `data:text/javascript,${encodeURIComponent(
  "import fs from 'node:fs';process.on('exit',()=>{const {user,system}=process.cpuUsage();fs.writeSync(3,String(user+system))})",
)}`;

function cpuOf(argv: readonly string[]): number {
  const {output, status} = spawnSync(process.execPath, ['--import', TELLS, ...argv], {
    cwd: fileURLToPath(ROOT),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
  return Number(output[3]);
}

function reasonsOf(): Ledger['reasons'] {
  try {
    return readLedger(ROOT).reasons;
  } catch {
    return {};
  }
}

function writeLedger(ledger: Ledger): void {
  writeFileSync(ledgerFile(ROOT), `${JSON.stringify(ledger, undefined, 2)}\n`);
}
