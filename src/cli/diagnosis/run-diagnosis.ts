import {Worker} from 'node:worker_threads';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Report} from '../../diagnosis/report.js';
import type {Part} from '../../diagnosis/search/search-plan.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {packageRoot} from '../../files/package-root.js';
import type {DiagnosisCase} from '../../input/case.js';
import {inTurns} from '../../input/steps.js';
import {fromWorker} from '../input/terminals-of.js';

type OnProgress = (stage: string, tried: number, elapsedMs: number) => void;

interface DiagnosisRunOptions {
  readonly budgetMs: number;
  readonly workers: number;
  readonly onProgress: OnProgress;
  readonly terminals: TerminalSet;
  /** The files from which a worker loads the user's terminals: functions cannot be sent. */
  readonly modules?: readonly string[] | undefined;
}

/** Input of a worker. */
export interface WorkerOrder {
  readonly given: DiagnosisCase;
  readonly modules?: readonly string[] | undefined;
  readonly budgetMs: number;
  readonly usualOnly?: boolean;
  readonly part?: Part;
}

/** Messages of a worker: its progress, and finally its result. */
export type WorkerMessage = {readonly progress: Parameters<OnProgress>} | {readonly report: Report};

/** The built worker; run from source, this thread does everything. */
const SEARCH_WORKER = new URL('dist/cli/diagnosis/worker.js', packageRoot());
const HAS_SEARCH_WORKER = import.meta.url.endsWith('.js');

/**
 * Diagnoses a case: the usual causes first, the long search in several threads if asked for. This thread
 * handles signals between the steps of a search; the user's terminals, which may not come back, run in
 * another one.
 */
export async function runDiagnosis(
  given: DiagnosisCase,
  options: DiagnosisRunOptions,
): Promise<Report> {
  const {budgetMs, onProgress, modules = []} = options;
  const workers = HAS_SEARCH_WORKER ? options.workers : 1;
  const order = {given, modules, budgetMs, usualOnly: workers > 1};
  const isForeign = HAS_SEARCH_WORKER && modules.length > 0;
  const [first] = isForeign
    ? await raceWorkers([order], onProgress)
    : [await searchHere(order, options)];
  if (!first) throw new PaylensError(1);
  if (first.solved || workers === 1) return first;
  const left = budgetMs - first.elapsedMs;
  const orders = Array.from({length: workers}, (_, index) => ({
    given,
    modules,
    budgetMs: left,
    part: {index, of: workers},
  }));
  return together(first, await raceWorkers(orders));
}

async function searchHere(
  {given, ...limits}: WorkerOrder,
  {terminals, onProgress}: DiagnosisRunOptions,
): Promise<Report> {
  const {diagnosisSteps} = await import('../../diagnosis/diagnose.js');
  const {report} = await import('../../diagnosis/report.js');
  const clock = {now: () => performance.now(), onProgress};
  const steps = diagnosisSteps({...given, terminals}, {...limits, ...clock});
  return report(await inTurns(steps));
}

/** The first that is solved ends the others. */
function raceWorkers(
  orders: readonly WorkerOrder[],
  onProgress: OnProgress = () => {},
): Promise<Report[]> {
  return new Promise((resolve, reject) => {
    const reports: Report[] = [];
    const workers = orders.map((order) => new Worker(SEARCH_WORKER, {workerData: order}));
    const end = () => {
      for (const worker of workers) void worker.terminate();
      resolve(reports);
    };
    for (const worker of workers) {
      worker.once('error', (error) => reject(fromWorker(error)));
      worker.on('message', (message: WorkerMessage) => {
        if ('progress' in message) return onProgress(...message.progress);
        reports.push(message.report);
        if (message.report.solved || reports.length === workers.length) end();
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
  return {...first, verdicts: [...first.verdicts, ...late.slice(0, 1)], tried, elapsedMs};
}
