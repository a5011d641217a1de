import type {IncomingMessage} from 'node:http';
import {canonicalTarget} from '../../auth/string-to-hash.js';
import type {InspectedRequest} from '../../contract/control/inspected-request.js';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {ByteRing} from './byte-ring.js';
import {finishedRow, maskedRow, type RequestRow, refusedRow} from './request-row.js';

/** How many requests are stored. */
export const MAX_RECEIVED = 1000;
/** Size of all rows, and of all headers and bodies. */
const MAX_ROW_BYTES = 8 * 1024 * 1024;
const MAX_RAW_BYTES = 16 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** Rows after a sequence number. */
export interface CapturedRows {
  readonly process: number;
  /** Oldest first. */
  readonly rows: readonly InspectedRequest[];
  /** The number of the last request. */
  readonly latest: number;
  /** The number of the last request that was cleared. */
  readonly cleared: number;
  /** How many later requests are no longer stored. */
  readonly missed: number;
}

/** A request as it came in. Its target may contain secrets that the row masks. */
export interface RawRequest {
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

/** A request and its response as they went over the wire. */
export interface RawExchange extends RawRequest {
  /** `POST /path HTTP/1.1`. */
  readonly line: string;
  /** Absent: none was sent. */
  readonly response?: RawResponse | undefined;
}

/** Status line and headers with their line ends; '' for one that was not sent to a connection. */
export interface RawResponse {
  readonly head: string;
  readonly body: Uint8Array;
}

/** Makes what is kept of a request, without card numbers, as JSON. */
type ReadAtOnce = (row: InspectedRequest, raw: RawExchange) => Promise<string>;

/**
 * The requests received last, for `GET /_requests`, test suites and the inspector, in bounded memory:
 * a row of each of the last thousand, and as many requests and responses as fit, as they went over
 * the wire. With `readAtOnce` what it makes of them is stored in their place.
 */
export class CapturedRequests {
  /** The id of this process: sequence numbers begin again with each process. */
  readonly process = process.pid;
  readonly #rows = new ByteRing(MAX_RECEIVED, MAX_ROW_BYTES);
  readonly #raw = new ByteRing(MAX_RECEIVED, MAX_RAW_BYTES);
  readonly #readAtOnce: ReadAtOnce | undefined;
  /** What is being read. */
  readonly #underWay = new Map<number, Promise<void>>();
  #latest = 0;
  #cleared = 0;

  constructor(readAtOnce?: ReadAtOnce) {
    this.#readAtOnce = readAtOnce;
  }

  /** Stores a request; `time` in milliseconds since 1970, `named` the known partner of a refused one. */
  add(request: FinishedRequest, time: number, named?: string): void {
    const sequence = ++this.#latest;
    const line = `${request.method ?? 'POST'} ${request.target} HTTP/${request.version ?? '1.1'}`;
    this.#store(sequence, finishedRow(request, time, sequence, named), line, request);
  }

  /** Stores a request that was refused before it reached an operation, without its body. */
  addRefused(refused: RefusedRequest, time: number): void {
    const {request} = refused;
    if (!request || !isInterfaceRequest(request)) return;
    const sequence = ++this.#latest;
    const {url = '', rawHeaders, method, httpVersion} = request;
    const {responseHead, answer} = refused;
    this.#store(
      sequence,
      refusedRow(refused, request, time, sequence),
      `${method} ${url} HTTP/${httpVersion}`,
      {
        ...{rawHeaders, responseHead, body: new Uint8Array()},
        responseBody: method === 'HEAD' ? '' : answer.body,
      },
    );
  }

  /** Those that reached an operation, oldest first. */
  list(): readonly ReceivedRequest[] {
    const stored = this.#storedAfter(this.#latest - MAX_RECEIVED);
    const finished = stored.filter(({operation}) => operation !== undefined);
    return finished.map((row) => {
      const {
        sequence: _,
        detail: _d,
        reason: _r,
        isRequested: _i,
        namedPartner: _n,
        ...received
      } = maskedRow(row);
      return received as ReceivedRequest;
    });
  }

  /** The requests after a sequence number; without one, all that are stored. */
  rowsAfter(after?: number): CapturedRows {
    const since = Math.max(Math.min(after ?? 0, this.#latest), this.#cleared);
    const rows = this.#storedAfter(since).map((row) => ({
      process: this.process,
      ...maskedRow(row),
    }));
    const missed = after === undefined ? 0 : this.#latest - since - rows.length;
    return {process: this.process, rows, latest: this.#latest, cleared: this.#cleared, missed};
  }

  /** The row of a request; undefined if it is not stored. */
  find(sequence: number): InspectedRequest | undefined {
    const row = this.#stored(sequence);
    return row && {process: this.process, ...maskedRow(row)};
  }

  /** A request and its response; undefined if they are not stored. */
  raw(sequence: number): RawExchange | undefined {
    const bytes = this.#raw.get(sequence);
    return bytes && exchangeIn(bytes);
  }

  /** What `readAtOnce` made of a request; undefined if it is not stored. */
  async read(sequence: number): Promise<string | undefined> {
    await this.#underWay.get(sequence);
    return this.#raw.get(sequence)?.toString();
  }

  clear(): void {
    this.#cleared = this.#latest;
    this.#rows.clear();
    this.#raw.clear();
  }

  #storedAfter(since: number): RequestRow[] {
    const first = Math.max(since, this.#latest - MAX_RECEIVED, 0) + 1;
    const sequences = Array.from({length: this.#latest + 1 - first}, (_, i) => first + i);
    return sequences.map((sequence) => this.#stored(sequence)).filter((row) => row !== undefined);
  }

  #stored(sequence: number): RequestRow | undefined {
    const bytes = this.#rows.get(sequence);
    return bytes && JSON.parse(bytes.toString());
  }

  #store(sequence: number, row: object, line: string, sent: SentBytes): void {
    const json = JSON.stringify(row);
    this.#rows.reserve(sequence, Buffer.byteLength(json))?.write(json);
    if (this.#readAtOnce) this.#read(sequence, line, sent, this.#readAtOnce);
    else this.#keep(sequence, line, sent);
  }

  #keep(sequence: number, line: string, sent: SentBytes): void {
    const {rawHeaders, body, responseHead} = sent;
    const responseBody = responseHead === undefined ? '' : (sent.responseBody ?? '');
    const head = JSON.stringify([line, rawHeaders, body.length, responseHead]);
    const start = LENGTH_BYTES + Buffer.byteLength(head);
    const end = start + body.length;
    const raw = this.#raw.reserve(sequence, end + Buffer.byteLength(responseBody));
    if (!raw) return;
    raw.writeUInt32BE(start, 0);
    raw.write(head, LENGTH_BYTES);
    raw.set(body, start);
    raw.write(responseBody, end);
  }

  /** Only what was made of a request is kept, unless it was cleared meanwhile. */
  #read(sequence: number, line: string, sent: SentBytes, read: ReadAtOnce): void {
    const row = this.find(sequence);
    if (!row) return;
    const {rawHeaders, body, responseHead, responseBody = ''} = sent;
    const response =
      responseHead === undefined
        ? undefined
        : {head: responseHead, body: Buffer.from(responseBody)};
    const kept = read(row, {line, target: targetIn(line), rawHeaders, body, response}).then(
      (json) => {
        if (sequence > this.#cleared)
          this.#raw.reserve(sequence, Buffer.byteLength(json))?.write(json);
      },
      // Then its bytes are not kept, which the inspector says.
      () => {},
    );
    this.#underWay.set(
      sequence,
      kept.finally(() => this.#underWay.delete(sequence)),
    );
  }
}

/** What went over the wire for a request; without `responseHead` no response did. */
interface SentBytes {
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly responseHead?: string | undefined;
  readonly responseBody?: string | undefined;
}

type StoredHead = readonly [line: string, string[], bodyLength: number, head: string | null];

function exchangeIn(bytes: Buffer): RawExchange {
  const start = bytes.readUInt32BE(0);
  const stored = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start)) as StoredHead;
  const [line, rawHeaders, length, head] = stored;
  const body = bytes.subarray(start, start + length);
  const response = head === null ? undefined : {head, body: bytes.subarray(start + length)};
  return {line, target: targetIn(line), rawHeaders, body, response};
}

function targetIn(line: string): string {
  return line.slice(line.indexOf(' ') + 1, line.lastIndexOf(' '));
}

/** Excludes requests for pages, and requests of the inspector itself. */
function isInterfaceRequest({method = '', url = ''}: IncomingMessage): boolean {
  if (url.startsWith('/_')) return false;
  return !/^(?:GET|HEAD|OPTIONS)$/.test(method) || canonicalTarget(url).startsWith('/api');
}
