import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** What takes longest: other runtimes, guides with their servers, browsers. */
const FIRST = ['/test/runtimes/', '/test/docs/', '/test/page/', '/test/sweep/'];

/** A clean clone has no times of earlier runs: begun last, a long file would leave one core idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

function rank({moduleId}: TestSpecification): number {
  const at = FIRST.findIndex((folder) => moduleId.includes(folder));
  return at === -1 ? FIRST.length : at;
}
