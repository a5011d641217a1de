/** The script of the page, which its worker also runs: a worker has no document. */
const SCRIPT =
  typeof document === 'undefined' ? undefined : (document.currentScript?.textContent ?? '');

/** An order or an answer, and the run that it belongs to: late and foreign answers are dropped. */
interface Message<Asked, News> {
  readonly run: number;
  readonly asked: Asked;
  readonly news: News;
}

/** Works in a worker; one order at a time. */
export class PageWorker<Asked, News> {
  #worker: Worker | undefined;
  #run = 0;

  /** `died`: the worker ended without a final message. */
  start(asked: Asked, onNews: (news: News) => void, died: () => void): void {
    this.cancel();
    const run = this.#run;
    this.#worker = new Worker(scriptUrl());
    this.#worker.onmessage = ({data}: MessageEvent<Message<Asked, News>>) => {
      if (data.run === this.#run) onNews(data.news);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      if (run !== this.#run) return;
      this.cancel();
      died();
    };
    this.#worker.postMessage({run, asked});
  }

  /** Ends the worker with its memory. */
  cancel(): void {
    this.#run += 1;
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

export function isWorker(): boolean {
  return SCRIPT === undefined;
}

/** In the worker: answers every order with what `work` sends. */
export function listen<Asked, News>(
  work: (asked: Asked, send: (news: News) => void) => void,
): void {
  const scope = globalThis as unknown as Worker;
  scope.onmessage = ({data: {run, asked}}: MessageEvent<Message<Asked, News>>) =>
    work(asked, (news) => scope.postMessage({run, news}));
}

interface Policies {
  createPolicy(
    name: string,
    rules: {createScriptURL: (url: string) => string},
  ): {createScriptURL: (url: string) => string};
}

let url: string | undefined;

/** The blob URL of the script, under the only Trusted Types policy of the page. */
function scriptUrl(): string {
  if (url !== undefined) return url;
  const blob = URL.createObjectURL(new Blob([SCRIPT ?? ''], {type: 'text/javascript'}));
  const {trustedTypes} = globalThis as {trustedTypes?: Policies};
  const policy = trustedTypes?.createPolicy('paylens', {
    createScriptURL: (given) => {
      if (given.startsWith('blob:')) return given;
      throw new TypeError('expected a blob');
    },
  });
  url = policy ? policy.createScriptURL(blob) : blob;
  return url;
}
