import {PaylensError} from '../../contract/paylens-error.js';
import type {Diagnosed, DiagnosisNews, DiagnosisOrder} from './diagnosis-worker.js';

/** What is said while a diagnosis runs, and at its end. */
export interface DiagnosisEvents {
  readonly progress: (stage: string, tried: number, elapsedMs: number) => void;
  readonly done: (answer: Diagnosed) => void;
  readonly failed: (error: PaylensError) => void;
  /** The worker ended without an answer. */
  readonly died: () => void;
}

/** Diagnoses in a worker made of the page's own script; one case at a time. */
export class Diagnoser {
  readonly #url: () => string;
  #worker: Worker | undefined;
  #run = 0;

  constructor(script: string) {
    let url: string | undefined;
    this.#url = () => {
      url ??= trusted(URL.createObjectURL(new Blob([script], {type: 'text/javascript'})));
      return url;
    };
  }

  start(text: string, events: DiagnosisEvents): void {
    this.cancel();
    const run = this.#run;
    const worker = new Worker(this.#url());
    this.#worker = worker;
    worker.onmessage = ({data}: MessageEvent<DiagnosisNews>) => {
      if (data.run !== this.#run) return;
      if (data.kind === 'progress') {
        events.progress(data.stage, data.tried, data.elapsedMs);
        return;
      }
      this.cancel();
      if (data.kind === 'done') events.done(data.answer);
      else events.failed(errorOf(data));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (run !== this.#run) return;
      this.cancel();
      events.died();
    };
    worker.postMessage({run, text} satisfies DiagnosisOrder);
  }

  /** Ends what runs; whatever it still says is not heard. */
  cancel(): void {
    this.#run += 1;
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** A class does not pass the border of a worker. */
function errorOf({code, detail, hint, fault}: Extract<DiagnosisNews, {readonly kind: 'failed'}>) {
  return new PaylensError(code, detail, fault ? {hint, fault} : {hint});
}

interface Policies {
  createPolicy(
    name: string,
    rules: {createScriptURL: (url: string) => string},
  ): {createScriptURL: (url: string) => string};
}

let policy: ReturnType<Policies['createPolicy']> | undefined;

/** The only policy of the page: the address of a worker, which is always a blob of its own. */
function trusted(url: string): string {
  const {trustedTypes} = globalThis as {trustedTypes?: Policies};
  policy ??= trustedTypes?.createPolicy('paylens', {
    createScriptURL: (given) => {
      if (given.startsWith('blob:')) return given;
      throw new TypeError('expected a blob');
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
