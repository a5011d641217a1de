import {diagnose} from '../../../src/diagnosis/diagnose.js';

const CASES = 4;
const MEASURES = 'measures';

/** What a worker has and Node has not. */
interface Surroundings {
  readonly document?: unknown;
  readonly Worker?: new (url: string, options: object) => {onmessage?: (event: Message) => void};
  readonly postMessage?: (data: string) => void;
  /** That which its page gave the worker. */
  readonly name?: string;
}

interface Message {
  readonly data: string;
}

// Node prints the figure; a page has a worker measure it, and hands it to its server.
const {document, Worker, postMessage, name} = globalThis as unknown as Surroundings;
if (document !== undefined && Worker) {
  const worker = new Worker(import.meta.url, {type: 'module', name: MEASURES});
  worker.onmessage = ({data}) => void fetch('answers', {method: 'POST', body: data});
} else {
  run(1);
  const figure = String(run(CASES));
  if (name === MEASURES) postMessage?.(figure);
  else console.log(figure);
}

/** Trials per second of whole searches for what nothing opens. */
function run(cases: number): number {
  let tried = 0;
  const begin = performance.now();
  for (let i = 0; i < cases; i++) {
    tried += diagnose(caseOf(i), {now: () => performance.now(), budgetMs: 60_000}).tried;
  }
  return (1000 * tried) / (performance.now() - begin);
}

/** Two tracks, a KSN and a key that do not match. */
function caseOf(number: number) {
  const hex = hexFrom(number);
  return {
    ciphertexts: [
      {name: 'track 1', text: hex(80)},
      {name: 'track 2', text: hex(40)},
    ],
    ksn: `FFFF${hex(5)}E00${hex(1)}1`,
    writtenKeys: [{kind: 'bdk' as const, digits: hex(16), source: 'keys[0]'}],
    keys: [],
  };
}

function hexFrom(seed: number): (bytes: number) => string {
  let state = seed + 1;
  const byte = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 24).toString(16).toUpperCase().padStart(2, '0');
  };
  return (bytes) => Array.from({length: bytes}, byte).join('');
}
