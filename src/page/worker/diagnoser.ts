import type {ErrorView} from '../model/error-view.js';
import type {Diagnosed, DiagnosisNews, DiagnosisOrder} from './diagnosis-worker.js';
import {PageWorker} from './page-worker.js';

/** Progress and end of a diagnosis. */
interface DiagnosisEvents {
  readonly progress: (stage: string, tried: number, elapsedMs: number) => void;
  readonly done: (answer: Diagnosed) => void;
  readonly failed: (error: ErrorView) => void;
  /** The worker ended without an answer. */
  readonly died: () => void;
}

/** Diagnoses in the worker; one case at a time. */
export class Diagnoser {
  readonly #worker = new PageWorker<DiagnosisOrder, DiagnosisNews>();

  start(order: Omit<DiagnosisOrder, 'isDiagnosis'>, events: DiagnosisEvents): void {
    const hear = (news: DiagnosisNews) => {
      if (news.kind === 'progress') {
        events.progress(news.stage, news.tried, news.elapsedMs);
        return;
      }
      this.cancel();
      if (news.kind === 'done') events.done(news.answer);
      else events.failed(news.error);
    };
    this.#worker.start({isDiagnosis: true, ...order}, hear, events.died);
  }

  /** Ends what runs. */
  cancel(): void {
    this.#worker.cancel();
  }
}
