import type {ServerResponse} from 'node:http';
import type {
  Cursor,
  InspectedRequest,
  StreamBatch,
  StreamHello,
} from '../../contract/control/inspected-request.js';
import type {QueuedAnswer} from '../../contract/control/queued-answer.js';
import type {CapturedRows} from './captured-requests.js';

/** Where a stream gets what it sends, of all processes of a service. */
export interface StreamSource {
  /** Rows after a cursor; of processes that are not in it, all that are kept. */
  readonly rows: (after: Cursor) => Promise<readonly CapturedRows[]>;
  readonly answers: () => Promise<readonly QueuedAnswer[]>;
}

interface Client {
  readonly response: ServerResponse;
  cursor: Record<string, number>;
  cleared: Record<string, number>;
  answers: string;
  quiet: number;
}

/** Four batches a second. */
const INTERVAL_MS = 250;
/** Batches without news after which a line is sent all the same: it shows that both are there. */
const LONGEST_QUIET = 40;
const MOST_CLIENTS = 16;
/** Bytes that a client may leave unread; then it is cut off, and resumes where it was. */
const MOST_UNREAD = 4 * 1024 * 1024;

/** The clients that watch requests come in. Without one, nothing is done at all. */
export class RequestStream {
  readonly #source: StreamSource;
  readonly #clients = new Set<Client>();
  #timer: NodeJS.Timeout | undefined;
  #busy = false;

  constructor(source: StreamSource) {
    this.#source = source;
  }

  get isFull(): boolean {
    return this.#clients.size >= MOST_CLIENTS;
  }

  /** Sends what came after a cursor, and from then on what comes. */
  add(response: ServerResponse, after: Cursor, hello: StreamHello): void {
    const client = {response, cursor: {...after}, cleared: {}, answers: '', quiet: 0};
    this.#clients.add(client);
    response.once('close', () => this.#remove(client));
    response.write(`${JSON.stringify({hello})}\n`);
    this.#timer ??= setInterval(() => void this.#send(), INTERVAL_MS).unref();
    void this.#send();
  }

  #remove(client: Client): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #send(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const answers = JSON.stringify(await this.#source.answers());
      for (const group of this.#groups()) await this.#sendTo(group, answers);
    } catch {
      // A primary that does not answer: the next batch has it.
    } finally {
      this.#busy = false;
    }
  }

  /** Clients that know the same get the same text. */
  #groups(): Client[][] {
    const groups = new Map<string, Client[]>();
    for (const client of this.#clients) {
      const key = JSON.stringify([client.cursor, client.cleared, client.answers]);
      groups.set(key, [...(groups.get(key) ?? []), client]);
    }
    return [...groups.values()];
  }

  async #sendTo(clients: readonly Client[], answers: string): Promise<void> {
    const [first] = clients;
    if (!first) return;
    const batch = batchFor(first, await this.#source.rows(first.cursor), answers);
    const line = batch && `${JSON.stringify(batch)}\n`;
    for (const client of clients) {
      Object.assign(client.cursor, batch?.cursor);
      Object.assign(client.cleared, batch?.cleared);
      client.answers = answers;
      client.quiet = batch ? 0 : client.quiet + 1;
      if (line !== undefined) write(client, line);
      else if (client.quiet >= LONGEST_QUIET) write(client, '{}\n');
    }
  }
}

function write(client: Client, line: string): void {
  client.quiet = 0;
  if (client.response.writableLength > MOST_UNREAD) client.response.destroy();
  else client.response.write(line);
}

/** Undefined: there is nothing new. */
function batchFor(
  client: Client,
  all: readonly CapturedRows[],
  answers: string,
): StreamBatch | undefined {
  const cleared = all.filter(({process, cleared}) => cleared > (client.cleared[process] ?? 0));
  const found = all.filter(({process, latest}) => latest > (client.cursor[process] ?? 0));
  const hasAnswers = answers !== client.answers;
  if (cleared.length === 0 && found.length === 0 && !hasAnswers) return undefined;
  const missed = found.reduce((sum, each) => sum + each.missed, 0);
  return {
    ...(cleared.length > 0 && {cleared: numbersOf(cleared, 'cleared')}),
    ...(found.length > 0 && {requests: inOrder(found), cursor: numbersOf(found, 'latest')}),
    ...(missed > 0 && {missed}),
    ...(hasAnswers && {answers: JSON.parse(answers)}),
  };
}

function numbersOf(all: readonly CapturedRows[], name: 'latest' | 'cleared'): Cursor {
  return Object.fromEntries(all.map((each) => [each.process, each[name]]));
}

/** Oldest first, by time; those of one process by number. */
function inOrder(all: readonly CapturedRows[]): readonly InspectedRequest[] {
  const [only] = all;
  if (only && all.length === 1) return only.rows;
  return all.flatMap(({rows}) => rows).sort((a, b) => (a.time < b.time ? -1 : 1));
}
