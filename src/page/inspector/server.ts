import type {
  RequestCopy,
  RequestDetail,
  StreamBatch,
} from '../../contract/control/inspected-request.js';
import type {AnswerOrder} from '../../contract/control/queued-answer.js';
import type {RequestStore, Snapshot} from './request-store.js';

/** What the parts of the inspector share. */
export interface Session {
  readonly store: RequestStore;
  readonly snapshot: Snapshot;
  /** In real mode nothing is replayed and no answers are queued. */
  readonly isReal: boolean;
  /** Whether the server cannot be reached. */
  readonly isOff: boolean;
  /** Waits for work that asks the server, and shows why it failed. */
  readonly attempt: (work: Promise<unknown>) => Promise<unknown>;
}

/** A request that the server refused. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message = `status ${status}`) {
    super(message);
    this.status = status;
  }
}

/** Whether an answer says that the server no longer has what was asked for. */
export function isGone(error: unknown): boolean {
  return error instanceof Refused && error.status === 404;
}

/** Seconds before each attempt to connect again; the last one stays. */
const PAUSES = [1, 2, 4, 8, 15];
/** Random share of a pause, so that pages do not all reconnect at once. */
const JITTER = 0.2;
const UNAUTHENTICATED = 401;

/** The token of the address; kept in memory alone. */
let token: string | undefined;

/** Reads the stream into a store until the page is closed. */
export async function follow(store: RequestStore): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await readStream(store, () => {
        attempt = 0;
      });
    } catch (error) {
      if (error instanceof Refused && error.status === UNAUTHENTICATED)
        return store.connect({kind: 'no-token'});
    }
    await pause(store, PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? 1);
  }
}

async function readStream(store: RequestStore, connected: () => void): Promise<void> {
  const after = Object.entries(store.cursor).map((pair) => pair.join(':'));
  const response = await ask(`stream?server=${store.server}&after=${after}`);
  if (!response.ok || !response.body) throw new Refused(response.status);
  const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {value, done} = await lines.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) store.take(JSON.parse(part) as StreamBatch);
    connected();
  }
}

/** Shows the seconds until the next attempt. */
async function pause(store: RequestStore, seconds: number): Promise<void> {
  const until = performance.now() + 1000 * seconds * (1 + JITTER * (2 * Math.random() - 1));
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return;
    store.connect({kind: 'lost', seconds: Math.ceil(left / 1000)});
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, 1000)));
  }
}

/** Takes the token out of the address. */
export function takeToken(): void {
  const {hash, pathname} = location;
  [, token] = /^#token=([\w-]{43})$/.exec(hash) ?? [undefined, token];
  if (hash !== '') history.replaceState(null, '', pathname);
}

/** Everything about one request. */
export async function detailOf(id: string, isBrief = false): Promise<RequestDetail> {
  return read(await ask(`detail?id=${id}${isBrief ? '&brief' : ''}`));
}

/** Sends a request again, unchanged or edited. */
export async function replay(
  request: string,
  edit?: {readonly target: string; readonly body: string},
): Promise<{readonly messageId: string; readonly status: number}> {
  return act('replay', {request, ...(edit && {edit})});
}

/** A request with everything another program needs to send it. */
export async function copyOf(request: string): Promise<RequestCopy> {
  return act('copy', {request});
}

/** Deletes the requests on the server. */
export async function clear(): Promise<void> {
  await act('clear', {});
}

export async function queue(order: AnswerOrder): Promise<void> {
  await act('queue', order);
}

export async function unqueue(id: string): Promise<void> {
  await act('unqueue', {id});
}

async function act<T>(name: string, action: object): Promise<T> {
  return read(await ask(name, JSON.stringify(action)));
}

/** Asks the page's own server with the token; `body` is JSON for a POST. */
function ask(path: string, body?: string): Promise<Response> {
  const headers = {
    ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
    ...(body === undefined ? {} : {'content-type': 'application/json'}),
  };
  return fetch(`/_inspector/${path}`, {...(body !== undefined && {method: 'POST', body}), headers});
}

async function read<T>(response: Response): Promise<T> {
  const object = (await response.json()) as T & {readonly errMessage?: string};
  if (response.ok) return object;
  throw new Refused(response.status, object.errMessage);
}
