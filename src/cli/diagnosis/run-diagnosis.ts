import {Worker} from 'node:worker_threads';
import {PaylensError} from '../../contract/paylens-error.js';
import {diagnose} from '../../diagnosis/diagnose.js';
import type {DiagnosisCase} from '../../diagnosis/input/case.js';
import {type Report, report} from '../../diagnosis/report.js';
import type {Part} from '../../diagnosis/search/search-plan.js';
import {packageRoot} from '../../files/package-root.js';

interface Options {
  readonly budgetMs: number;
  readonly workers: number;
  readonly onProgress: (stage: string, tried: number, elapsedMs: number) => void;
}

/** What a worker is given. */
export interface WorkerOrder {
  readonly given: DiagnosisCase;
  readonly budgetMs: number;
  readonly part: Part;
}

/** The build's worker; what runs from source searches in its own thread. */
const WORKER = new URL('dist/cli/diagnosis/worker.js', packageRoot());
const IS_BUILT = import.meta.url.endsWith('.js');

/** Diagnoses a case: the usual causes in this thread, the long search in several if asked for. */
export async function runDiagnosis(given: DiagnosisCase, options: Options): Promise<Report> {
  const {budgetMs, onProgress} = options;
  const workers = IS_BUILT ? options.workers : 1;
  const now = () => performance.now();
  const limits = {now, budgetMs, onProgress, usualOnly: workers > 1};
  const first = report(diagnose(given, limits));
  if (first.solved || workers === 1) return first;
  const left = budgetMs - first.elapsedMs;
  const orders = Array.from({length: workers}, (_, index) => ({
    given,
    budgetMs: left,
    part: {index, of: workers},
  }));
  return together(first, await raceWorkers(orders));
}

/** The first that is solved ends the others. */
function raceWorkers(orders: readonly WorkerOrder[]): Promise<Report[]> {
  return new Promise((resolve, reject) => {
    const reports: Report[] = [];
    const workers = orders.map((order) => new Worker(WORKER, {workerData: order}));
    const end = () => {
      for (const worker of workers) void worker.terminate();
      resolve(reports);
    };
    for (const worker of workers) {
      worker.once('error', (error) => reject(new PaylensError(1, error.name)));
      worker.once('message', (one: Report) => {
        reports.push(one);
        if (one.solved || reports.length === workers.length) end();
      });
    }
  });
}

function together(first: Report, others: readonly Report[]): Report {
  const tried = others.reduce((sum, one) => sum + one.tried, first.tried);
  const elapsedMs = first.elapsedMs + Math.max(...others.map((one) => one.elapsedMs));
  const solved = others.find((one) => one.solved);
  if (solved) return {...solved, tried, elapsedMs};
  const late = others
    .flatMap(({verdicts}) => verdicts)
    .filter(({label}) => label === 'out-of-time');
  return {...first, verdicts: [...late.slice(0, 1), ...first.verdicts], tried, elapsedMs};
}
