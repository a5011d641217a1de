import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {median} from './measure.js';
import {type Goal, heading, tell} from './report.js';

/** The compiled benchmarks are three folders deep. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const ROUNDS = 31;

interface Program {
  readonly name: string;
  readonly argv: readonly string[];
  /** Upper limit, as a multiple of the first one's time. */
  readonly most?: number;
}

const DECRYPT = ['decrypt', 'samples/idtech-swipe.json', '--test-keys'];
const PROGRAMS: readonly Program[] = [
  {name: 'node -e 0', argv: ['-e', '0']},
  {name: 'paylens --version', argv: ['bin/run.js', '--version'], most: 1.6},
  {name: 'paylens decrypt sample --test-keys', argv: ['bin/run.js', ...DECRYPT], most: 2.3},
  {name: 'oclif, a command that says hello', argv: ['bench/oclif-hello/run.js', 'hello']},
];

/**
 * Measures the start-up time of commands, compared with `node -e 0` and an oclif command that does
 * nothing: in each round every program runs once.
 */
export function benchStartup(): Goal[] {
  for (const {argv} of PROGRAMS) milliseconds(argv);
  const rounds = Array.from({length: ROUNDS}, () => PROGRAMS.map(({argv}) => milliseconds(argv)));
  heading('Start-up, in times of `node -e 0`');
  return PROGRAMS.flatMap(({name, most}, i) => {
    const figure = `${median(rounds.map((times) => times[i] ?? 0)).toFixed(0)} ms`;
    const found = median(rounds.map((times) => (times[i] ?? 0) / (times[0] ?? 0)));
    const goal = {name, wanted: most ?? Number.POSITIVE_INFINITY, found, most: true} as const;
    if (i === 0) tell(name, figure);
    else tell(name, figure, goal);
    return most === undefined ? [] : [goal];
  });
}

function milliseconds(argv: readonly string[]): number {
  const begin = performance.now();
  const {status} = spawnSync(process.execPath, argv, {cwd: ROOT, stdio: 'ignore'});
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
  return performance.now() - begin;
}
