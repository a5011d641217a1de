import type {ServerResponse} from 'node:http';
import type {Cursor, StreamBatch, StreamHello} from '../../contract/control/inspected-request.js';
import type {QueuedAnswer} from '../../contract/control/queued-answer.js';
import type {CapturedRows} from '../information/captured-requests.js';

/** Where a stream gets what it sends. */
export interface StreamSource {
  /** Rows after a sequence number; undefined: all that are stored. */
  readonly rows: (after: number | undefined) => CapturedRows;
  readonly answers: () => readonly QueuedAnswer[];
}

interface StreamClient {
  readonly response: ServerResponse;
  cursor: number | undefined;
  cleared: number;
  answers: string;
  quietBatches: number;
}

/** Four batches a second. */
const INTERVAL_MS = 250;
/** Batches without news after which an empty line shows that the connection still works. */
const MAX_QUIET_BATCHES = 40;
const MAX_CLIENTS = 16;
/** A client that leaves more unread is disconnected; it can resume at its cursor. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** Sends requests to the clients that watch them. Without clients it does nothing. */
export class RequestStream {
  readonly #source: StreamSource;
  readonly #clients = new Set<StreamClient>();
  #timer: NodeJS.Timeout | undefined;

  constructor(source: StreamSource) {
    this.#source = source;
  }

  get isFull(): boolean {
    return this.#clients.size >= MAX_CLIENTS;
  }

  /** Sends the requests after a cursor, and from then on those that come in. */
  add(response: ServerResponse, after: number | undefined, handshake: StreamHello): void {
    const client = {response, cursor: after, cleared: 0, answers: '', quietBatches: 0};
    this.#clients.add(client);
    response.once('close', () => this.#remove(client));
    response.write(`${JSON.stringify({hello: handshake})}\n`);
    this.#timer ??= setInterval(() => this.#sendAll(), INTERVAL_MS).unref();
    this.#sendTo([client]);
  }

  #remove(client: StreamClient): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Clients with the same state get the same text. */
  #sendAll(): void {
    const groups = new Map<string, StreamClient[]>();
    for (const client of this.#clients) {
      const key = `${client.cursor} ${client.cleared} ${client.answers}`;
      groups.set(key, [...(groups.get(key) ?? []), client]);
    }
    for (const group of groups.values()) this.#sendTo(group);
  }

  #sendTo(clients: readonly StreamClient[]): void {
    const [first] = clients;
    if (!first) return;
    const rows = this.#source.rows(first.cursor);
    const answers = JSON.stringify(this.#source.answers());
    const batch = batchFor(first, rows, answers);
    const line = batch && `${JSON.stringify(batch)}\n`;
    for (const client of clients) {
      if (batch?.cursor) client.cursor = rows.latest;
      if (batch?.cleared) client.cleared = rows.cleared;
      client.answers = answers;
      client.quietBatches = batch ? 0 : client.quietBatches + 1;
      if (line !== undefined) write(client, line);
      else if (client.quietBatches >= MAX_QUIET_BATCHES) write(client, '{}\n');
    }
  }
}

/** Reads `PROCESS:SEQUENCE,...`; anything else is ignored. */
export function readCursor(text: string): Cursor {
  const pairs = [...text.matchAll(/(?:^|,)(\d{1,10}):(\d{1,15})(?=,|$)/g)];
  return Object.fromEntries(pairs.map(([, process = '', sequence]) => [process, Number(sequence)]));
}

function write(client: StreamClient, line: string): void {
  client.quietBatches = 0;
  if (client.response.writableLength > MAX_UNREAD_BYTES) client.response.destroy();
  else client.response.write(line);
}

/** Undefined if there is nothing new. */
function batchFor(
  client: StreamClient,
  {process, rows, latest, cleared, missed}: CapturedRows,
  answers: string,
): StreamBatch | undefined {
  const at = (sequence: number): Cursor => ({[process]: sequence});
  const batch: StreamBatch = {
    ...(cleared > client.cleared && {cleared: at(cleared)}),
    ...(latest > (client.cursor ?? 0) && {
      ...{requests: rows, cursor: at(latest)},
      ...(missed > 0 && {missed}),
    }),
    ...(answers !== client.answers && {answers: JSON.parse(answers)}),
  };
  return Object.keys(batch).length === 0 ? undefined : batch;
}
