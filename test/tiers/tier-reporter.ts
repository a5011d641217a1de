import path from 'node:path';
import type {Reporter, TestModule} from 'vitest/node';
import LONG from './long-tests.json' with {type: 'json'};

/**
 * Prints after a quick run what `test:all` adds. In CI a run fails if a test was skipped, or if a
 * file on the list of long tests is not there.
 */
export class TierReporter implements Reporter {
  readonly #tier: 'quick' | 'rest' | 'all';

  constructor(tier: 'quick' | 'rest' | 'all') {
    this.#tier = tier;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const isQuick = this.#tier === 'quick';
    if (isQuick) console.log(`npm run test:all adds ${LONG.length} files that take longer.\n`);
    if (isQuick && !process.env.CI) return;
    const faults = [...skipped(modules), ...(isQuick ? [] : missing(modules))];
    for (const fault of faults) console.error(fault);
    if (faults.length > 0 && process.env.CI) process.exitCode = 1;
  }
}

function skipped(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].map(
      ({fullName}) => `skipped: ${fileOf(module)}: ${fullName}`,
    ),
  );
}

/** Of a run of some files only those are asked for. */
function missing(modules: readonly TestModule[]): string[] {
  const run = new Set(modules.map(fileOf));
  if (run.size < LONG.length) return [];
  const gone = LONG.filter((file) => !run.has(file));
  return gone.map((file) => `test/tiers/long-tests.json: ${file} is not there`);
}

function fileOf({moduleId}: TestModule): string {
  return path.relative(process.cwd(), moduleId).split(path.sep).join('/');
}
