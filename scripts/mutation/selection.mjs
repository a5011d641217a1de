// Selects the tests for a mutant: those that execute the changed part, quickest files first.
import {withProbes} from './probes.mjs';

/**
 * Runs `tests` once over `sources` (`[file, code]`) with marks, and records which test executed
 * which mark.
 */
export async function selectionFrom(runner, sources, tests) {
  const changed = {};
  const parts = {};
  let marks = 0;
  for (const [file, code] of sources) {
    const probed = withProbes(code, marks);
    changed[file] = probed.code;
    parts[file] = probed.parts;
    marks += probed.parts.length;
  }
  const {runs} = await runner.ask({changed, measured: tests, marks});
  for (const run of runs) run.ran = new Set(run.ran);
  return {
    slowestMs: Math.max(0, ...runs.map(({ms}) => ms)),
    testsOf: (mutant) => testsOf(mutant, parts[mutant.file], runs),
  };
}

/** Code outside all marks runs when its file is loaded, so any test may detect a change there. */
function testsOf({start, end}, parts, runs) {
  const part = parts.findLast((one) => one.start <= start && end <= one.end);
  if (part) return byFile(runs.filter(({ran}) => ran.has(part.id)));
  const uses = ({ran}) => parts.some(({id}) => ran.has(id));
  return [...byFile(runs.filter(uses)), ...byFile(runs.filter((run) => !uses(run)))];
}

function byFile(runs) {
  return [...new Set(runs.map(({file}) => file))]
    .map((file) => inFile(runs.filter((run) => run.file === file)))
    .sort((a, b) => a.ms - b.ms);
}

/** The tests of one file, quickest first. */
function inFile(runs) {
  const [{file, of}] = runs;
  const places = runs.toSorted((a, b) => a.ms - b.ms).map(({index}) => index);
  return {file, of, places, ms: runs.reduce((sum, {ms}) => sum + ms, 0)};
}
