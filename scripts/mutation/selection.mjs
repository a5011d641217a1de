// Which tests a mutant is shown to: those that run what it changes, the quickest files first.
import {withProbes} from './probes.mjs';

/** Runs `tests` once over `sources` (`[file, code]`) with marks in them, and notes who ran which. */
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

/** What no mark is in runs when its file is loaded, so that every test may notice. */
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

/** The tests of one file, the quickest first. */
function inFile(runs) {
  const [{file, of}] = runs;
  const places = runs.toSorted((a, b) => a.ms - b.ms).map(({index}) => index);
  return {file, of, places, ms: runs.reduce((sum, {ms}) => sum + ms, 0)};
}
