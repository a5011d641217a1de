import type {IncomingMessage} from 'node:http';
import {canonicalTarget} from '../../auth/string-to-hash.js';
import type {InspectedRequest} from '../../contract/control/inspected-request.js';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import type {RawRequest} from '../http/request-head.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {ByteRing} from './byte-ring.js';
import {
  finishedRow,
  maskedRow,
  type RequestRow,
  refusedRow,
  type StoredRow,
} from './request-row.js';
import {StoredRows} from './stored-rows.js';

/** How many requests are stored. */
export const MAX_RECEIVED = 1000;
/** Size of the texts of all rows, and of all headers and bodies. */
const MAX_ROW_CHARS = 4 * 1024 * 1024;
const MAX_RAW_BYTES = 16 * 1024 * 1024;

/**
 * What is stored of an exchange: three 32-bit lengths (of the body in bytes, of the head and of the
 * response's head in UTF-16 units), the body, then request line and headers, and the response.
 */
const PREFIX_BYTES = 12;
const NO_RESPONSE = -1;
/** Occurs in no header: Node refuses it. */
const SEPARATOR = '\0';

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
  readonly #rows = new StoredRows(MAX_RECEIVED, MAX_ROW_CHARS);
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
    this.#store(finishedRow(request, time, sequence, named), line, request);
  }

  /** Stores a request that was refused before it reached an operation, without its body. */
  addRefused(refused: RefusedRequest, time: number): void {
    const {request} = refused;
    if (!request || !isInterfaceRequest(request)) return;
    const sequence = ++this.#latest;
    const {url = '', rawHeaders, method, httpVersion} = request;
    const {responseHead, answer} = refused;
    this.#store(
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
      } = row;
      return received as ReceivedRequest;
    });
  }

  /** The requests after a sequence number; without one, all that are stored. */
  rowsAfter(after?: number): CapturedRows {
    const since = Math.max(Math.min(after ?? 0, this.#latest), this.#cleared);
    const rows = this.#storedAfter(since).map((row) => ({process: this.process, ...row}));
    const missed = after === undefined ? 0 : this.#latest - since - rows.length;
    return {process: this.process, rows, latest: this.#latest, cleared: this.#cleared, missed};
  }

  /** The row of a request; undefined if it is not stored. */
  find(sequence: number): InspectedRequest | undefined {
    const row = this.#shown(sequence);
    return row && {process: this.process, ...row};
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
    return sequences.map((sequence) => this.#shown(sequence)).filter((row) => row !== undefined);
  }

  #shown(sequence: number): RequestRow | undefined {
    const row = this.#rows.get(sequence);
    return row && maskedRow(row);
  }

  #store(row: StoredRow, line: string, sent: SentBytes): void {
    const {sequence} = row;
    this.#rows.add(row);
    if (this.#readAtOnce) this.#read(sequence, line, sent, this.#readAtOnce);
    else this.#keep(sequence, line, sent);
  }

  #keep(sequence: number, line: string, sent: SentBytes): void {
    const {rawHeaders, body, responseHead, responseBody = ''} = sent;
    const head = [line, ...rawHeaders].join(SEPARATOR);
    const text = responseHead === undefined ? head : head + responseHead + responseBody;
    const raw = this.#raw.reserve(sequence, PREFIX_BYTES + body.length + Buffer.byteLength(text));
    if (!raw) return;
    raw.writeUInt32BE(body.length, 0);
    raw.writeUInt32BE(head.length, 4);
    raw.writeInt32BE(responseHead === undefined ? NO_RESPONSE : responseHead.length, 8);
    raw.set(body, PREFIX_BYTES);
    raw.write(text, PREFIX_BYTES + body.length);
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
type SentBytes = Pick<FinishedRequest, 'rawHeaders' | 'body' | 'responseHead' | 'responseBody'>;

function exchangeIn(bytes: Buffer): RawExchange {
  const [bodyLength, headLength, responseHeadLength] = [0, 4, 8].map((at) => bytes.readInt32BE(at));
  const bodyEnd = PREFIX_BYTES + bodyLength!;
  const text = bytes.toString('utf8', bodyEnd);
  const [line = '', ...rawHeaders] = text.slice(0, headLength).split(SEPARATOR);
  const end = headLength! + responseHeadLength!;
  const response =
    responseHeadLength === NO_RESPONSE
      ? undefined
      : {head: text.slice(headLength, end), body: Buffer.from(text.slice(end))};
  const body = bytes.subarray(PREFIX_BYTES, bodyEnd);
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
