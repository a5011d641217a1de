import path from 'node:path';
import type {Reporter, TestModule} from 'vitest/node';
import LONG from './long-tests.json' with {type: 'json'};

/** By file, the number of tests left to `npm run test:all`. */
const COUNTS: Readonly<Record<string, number>> = LONG;

/**
 * Prints after a quick run what `test:all` adds, and checks it after a full run: in CI the run
 * fails if a test was skipped, or if the number printed by a quick run is off by more than a tenth.
 */
export class TierReporter implements Reporter {
  readonly #tier: 'quick' | 'all';

  constructor(tier: 'quick' | 'all') {
    this.#tier = tier;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#tier === 'quick') console.log(whatIsAdded());
    else demandAll(modules);
  }
}

function demandAll(modules: readonly TestModule[]): void {
  const faults = [...skipped(modules), ...wrongSum(modules)];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0 && process.env.CI) process.exitCode = 1;
}

function whatIsAdded(): string {
  const files = Object.keys(COUNTS).length;
  const tests = sum(Object.values(COUNTS));
  return `npm run test:all adds ${tests} tests in ${files} files that take longer.\n`;
}

function skipped(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].map(
      ({fullName}) => `skipped: ${nameOf(module)}: ${fullName}`,
    ),
  );
}

/** Of the files that were run: only their sum is printed, so a file may be off for a while. */
function wrongSum(modules: readonly TestModule[]): string[] {
  const long = modules.filter((module) => nameOf(module) in COUNTS);
  const found = sum(long.map((module) => [...module.children.allTests()].length));
  const expected = sum(long.map((module) => COUNTS[nameOf(module)] ?? 0));
  if (Math.abs(found - expected) <= expected / 10) return [];
  return [`test/tiers/long-tests.json: its files have ${found} tests, not ${expected}`];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function nameOf({moduleId}: TestModule): string {
  return path.relative(process.cwd(), moduleId).split(path.sep).join('/');
}
