import path from 'node:path';
import type {Reporter, TestModule} from 'vitest/node';
import LONG from './long-tests.json' with {type: 'json'};

/** By file, the number of tests left to `npm run test:all`. */
const COUNTS: Readonly<Record<string, number>> = LONG;

/**
 * Prints after a quick run what `test:all` adds, and checks it after a full run: in CI the run
 * fails if a test was skipped, or if the numbers printed by a quick run are off by more than a
 * tenth.
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
  const faults = [...skipped(modules), ...wrongCounts(modules)];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0 && process.env.CI) process.exitCode = 1;
}

function whatIsAdded(): string {
  const files = Object.keys(COUNTS).length;
  const tests = Object.values(COUNTS).reduce((sum, count) => sum + count, 0);
  return `npm run test:all adds ${tests} tests in ${files} files that take longer.\n`;
}

function skipped(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].map(
      ({fullName}) => `skipped: ${nameOf(module)}: ${fullName}`,
    ),
  );
}

function wrongCounts(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const expected = COUNTS[nameOf(module)];
    const found = [...module.children.allTests()].length;
    if (expected === undefined || Math.abs(found - expected) <= 1 + expected / 10) return [];
    return [`test/tiers/long-tests.json: ${nameOf(module)} has ${found} tests, not ${expected}`];
  });
}

function nameOf({moduleId}: TestModule): string {
  return path.relative(process.cwd(), moduleId).split(path.sep).join('/');
}
