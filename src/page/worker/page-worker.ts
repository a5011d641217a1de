/** A message of the page's worker, and of which order. */
interface Message<News> {
  readonly run: number;
  readonly news: News;
}

/** An order for the page's worker. */
interface Order<Asked> {
  readonly run: number;
  readonly asked: Asked;
}

/** The page's own script, which is that of its worker as well: a worker has no document. */
const SCRIPT =
  typeof document === 'undefined' ? undefined : (document.currentScript?.textContent ?? '');

/** Works in a worker; one order at a time. */
export class PageWorker<Asked, News> {
  #worker: Worker | undefined;
  #run = 0;

  /** `died`: the worker ended without its last news. */
  start(asked: Asked, hear: (news: News) => void, died: () => void): void {
    this.cancel();
    const run = this.#run;
    const worker = new Worker(address());
    this.#worker = worker;
    worker.onmessage = ({data}: MessageEvent<Message<News>>) => {
      if (data.run === this.#run) hear(data.news);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (run !== this.#run) return;
      this.cancel();
      died();
    };
    worker.postMessage({run, asked} satisfies Order<Asked>);
  }

  /** Ends the worker with its memory; later messages are ignored. */
  cancel(): void {
    this.#run += 1;
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

export function isWorker(): boolean {
  return SCRIPT === undefined;
}

/** In the worker: answers every order by what `work` tells. */
export function listen<Asked, News>(
  work: (asked: Asked, tell: (news: News) => void) => void,
): void {
  const scope = globalThis as unknown as Worker;
  scope.onmessage = ({data: {run, asked}}: MessageEvent<Order<Asked>>) =>
    work(asked, (news) => scope.postMessage({run, news} satisfies Message<News>));
}

let known: string | undefined;

function address(): string {
  known ??= trusted(URL.createObjectURL(new Blob([SCRIPT ?? ''], {type: 'text/javascript'})));
  return known;
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
