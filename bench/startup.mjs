// Measures how long commands take to start, side by side with `node -e 0`: in each round every
// program runs once, so that a slow moment of the machine meets them all. Prints the median of each
// and the median of its ratios; ends with exit code 7 if a goal is missed. An argument: the rounds.
import {spawnSync} from 'node:child_process';
import {cpus} from 'node:os';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const decrypt = ['decrypt', 'samples/idtech-swipe.json', '--test-keys'];
const PROGRAMS = [
  {name: 'node -e 0', argv: ['-e', '0']},
  {name: 'paylens --version', argv: ['bin/run.js', '--version'], goal: 1.6},
  {name: 'paylens decrypt sample --test-keys', argv: ['bin/run.js', ...decrypt], goal: 2.8},
];

const rounds = Number(process.argv[2] ?? 31);
for (const {argv} of PROGRAMS) milliseconds(argv);
const times = Array.from({length: rounds}, () => PROGRAMS.map(({argv}) => milliseconds(argv)));

console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, median of ${rounds} rounds`);
const missed = PROGRAMS.filter(({name, goal}, i) => {
  const ms = median(times.map((round) => round[i]));
  const ratio = median(times.map((round) => round[i] / round[0]));
  const wanted = goal === undefined ? '' : ` (goal ${goal})`;
  console.log(
    `${name.padEnd(36)}${ms.toFixed(0).padStart(5)} ms${ratio.toFixed(2).padStart(7)} x${wanted}`,
  );
  return goal !== undefined && ratio > goal;
});
process.exitCode = missed.length === 0 ? 0 : 7;

function milliseconds(argv) {
  const begin = performance.now();
  const {status} = spawnSync(process.execPath, argv, {cwd: root, stdio: 'ignore'});
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
  return performance.now() - begin;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
