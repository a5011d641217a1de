import type {
  Cursor,
  InspectedRequest,
  StreamBatch,
  StreamHello,
} from '../../contract/control/inspected-request.js';
import type {QueuedAnswer} from '../../contract/control/queued-answer.js';

/** A request in the list of the page. */
export interface Row extends InspectedRequest {
  readonly id: string;
  /** Received by a server that has been restarted since. */
  readonly isBefore: boolean;
  /** Kept here although the server forgot it. */
  readonly isKept?: true;
}

/** The connection to the server. */
export type Connection =
  | {readonly kind: 'connecting' | 'live' | 'no-token'}
  | {readonly kind: 'lost'; readonly seconds: number};

/** What the page shows. */
export interface Snapshot {
  /** Newest first, without requests that arrived while the list is held. */
  readonly rows: readonly Row[];
  /** How many arrived since. */
  readonly fresh: number;
  readonly isPaused: boolean;
  readonly connection: Connection;
  readonly handshake: StreamHello | undefined;
  /** Whether the server has another version than the one that this page came from. */
  readonly isOlder: boolean;
  readonly answers: readonly QueuedAnswer[];
  /** Number of rows that `undo` restores. */
  readonly undoable: number;
  /** A note about the list, for example that the server restarted. */
  readonly note: string | undefined;
}

/** Rows that a page keeps. */
const MAX_ROWS = 1000;

/** The requests that a page has seen, in bounded memory. */
export class RequestStore {
  #rows: Row[] = [];
  #fresh = 0;
  #isPaused = false;
  #isHeld = false;
  #isAwaited = false;
  #connection: Connection = {kind: 'connecting'};
  #handshake: StreamHello | undefined;
  #isOlder = false;
  #answers: readonly QueuedAnswer[] = [];
  #note: string | undefined;
  #undoable: readonly Row[] = [];
  #cursor: Record<string, number> = {};
  readonly #pinned = new Set<string>();
  readonly #listeners = new Set<() => void>();

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** The server that the numbers of the cursor belong to. */
  get server(): string {
    return this.#handshake?.server ?? '';
  }

  /** Whether the server refused this page, which then asks no more by itself. */
  get isRefused(): boolean {
    return this.#connection.kind === 'no-token';
  }

  /** Returns a function that ends the listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  snapshot(): Snapshot {
    const shown = this.#fresh === 0 ? this.#rows : this.#rows.slice(0, -this.#fresh);
    return {
      rows: shown.toReversed(),
      fresh: this.#fresh,
      isPaused: this.#isPaused,
      connection: this.#connection,
      handshake: this.#handshake,
      isOlder: this.#isOlder,
      answers: this.#answers,
      undoable: this.#undoable.length,
      note: this.#note,
    };
  }

  isPinned(id: string): boolean {
    return this.#pinned.has(id);
  }

  pin(id: string): void {
    if (!this.#pinned.delete(id)) this.#pinned.add(id);
    this.#changed();
  }

  /** One line of the stream. */
  take(batch: StreamBatch): void {
    const {hello: handshake, requests = [], cursor, missed, cleared, answers} = batch;
    if (handshake) this.#onHandshake(handshake);
    if (cleared) this.#clear(cleared);
    if (missed !== undefined)
      this.#note = `${requestsOf(missed)} ${missed === 1 ? 'was' : 'were'} not kept.`;
    if (answers) this.#answers = answers;
    if (requests.length > 0) this.#add(requests);
    Object.assign(this.#cursor, cursor);
    this.#changed();
  }

  connect(connection: Connection): void {
    if (connection.kind === 'live' && this.#connection.kind === 'lost')
      this.#note ??= 'Connected again.';
    this.#connection = connection;
    this.#changed();
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused) this.#fresh = 0;
    this.#changed();
  }

  /** While the list is being read, it must not move. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld && !this.#isPaused && this.#fresh > 0) this.catchUp();
  }

  /** The next requests are shown at once: the user has just sent one. */
  awaitNext(): void {
    this.#isAwaited = true;
    if (!this.#isPaused) this.catchUp();
  }

  /** Shows the requests that arrived while the list was held. */
  catchUp(): void {
    this.#fresh = 0;
    this.#changed();
  }

  /**
   * Removes rows that the server has cleared, pinned ones excepted, until `undo` or `forget`: the stream
   * may have told so already.
   */
  clear(rows: readonly Row[]): void {
    this.#undoable = rows.filter(({id}) => !this.#pinned.has(id));
    const cleared = new Set(rows.map(({id}) => id));
    this.#rows = this.#rows
      .filter(({id}) => !cleared.has(id) || this.#pinned.has(id))
      .map((row) => (cleared.has(row.id) ? kept(row) : row));
    this.#fresh = 0;
    this.#changed();
  }

  undo(): void {
    const all = [...this.#undoable.map(kept), ...this.#rows];
    const inTime = (one: Row, other: Row) =>
      one.time < other.time ? -1 : Number(one.time > other.time);
    this.#rows = this.#bounded(all.sort(inTime));
    this.forget();
  }

  /** Ends the time for `undo`. */
  forget(): void {
    this.#undoable = [];
    this.#changed();
  }

  #onHandshake(handshake: StreamHello): void {
    const before = this.#handshake;
    this.#handshake = handshake;
    this.#note = undefined;
    this.#connection = {kind: 'live'};
    if (!before || before.server === handshake.server) return;
    this.#cursor = {};
    this.#rows = this.#rows.map((row) => ({...row, isBefore: true}));
    const {length} = this.#rows;
    this.#note = `The server restarted; ${requestsOf(length)} below ${length === 1 ? 'is' : 'are'} from before.`;
    this.#isOlder ||= before.version !== handshake.version;
  }

  /** Requests already read arrive again if the connection was lost within a batch. */
  #add(requests: readonly InspectedRequest[]): void {
    const later = requests.filter(({process, sequence}) => sequence > (this.#cursor[process] ?? 0));
    const isHeld = this.#isHeld && !this.#isAwaited && this.#rows.length > this.#fresh;
    const isStill = this.#isPaused || isHeld;
    this.#isAwaited = false;
    if (isStill) this.#fresh += later.length;
    const rows = later.map((row) => ({
      ...row,
      id: `${row.process}-${row.sequence}`,
      isBefore: false,
    }));
    this.#rows = this.#bounded([...this.#rows, ...rows]);
    this.#fresh = Math.min(this.#fresh, this.#rows.length);
  }

  /** Pinned rows stay. */
  #bounded(rows: Row[]): Row[] {
    let surplus = rows.length - MAX_ROWS;
    if (surplus <= 0) return rows;
    return rows.filter(({id}) => {
      const isDropped = surplus > 0 && !this.#pinned.has(id);
      if (isDropped) surplus -= 1;
      return !isDropped;
    });
  }

  /** Removes rows that the server has deleted, from any page; pinned and kept rows stay. */
  #clear(cleared: Cursor): void {
    const isForgotten = ({process, sequence, isBefore}: Row) =>
      isBefore || sequence <= (cleared[process] ?? 0);
    this.#rows = this.#rows
      .filter((row) => row.isKept || this.#pinned.has(row.id) || !isForgotten(row))
      .map((row) => (isForgotten(row) && !row.isBefore ? kept(row) : row));
    this.#fresh = Math.min(this.#fresh, this.#rows.length);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function kept(row: Row): Row {
  return {...row, isKept: true};
}

/** `1 request`, `37 requests`, `2 new requests`. */
export function requestsOf(number: number, kind = ''): string {
  return `${number.toLocaleString('en')} ${kind}${number === 1 ? 'request' : 'requests'}`;
}
