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

/**
 * The requests received last, for `GET /_requests`, test suites and the inspector, in bounded memory:
 * a row of each of the last thousand, and the headers and bodies of as many as fit.
 */
export class CapturedRequests {
  /** The id of this process: sequence numbers begin again with each process. */
  readonly process = process.pid;
  readonly #rows = new ByteRing(MAX_RECEIVED, MAX_ROW_BYTES);
  readonly #raw = new ByteRing(MAX_RECEIVED, MAX_RAW_BYTES);
  #latest = 0;
  #cleared = 0;

  /** Stores a request; `time` in milliseconds since 1970. */
  add(request: FinishedRequest, time: number): void {
    const sequence = ++this.#latest;
    this.#store(sequence, finishedRow(request, time, sequence), request);
  }

  /** Stores a request that was refused before it reached an operation, without its body. */
  addRefused(refused: RefusedRequest, time: number): void {
    const {request} = refused;
    if (!request || !isInterfaceRequest(request)) return;
    const sequence = ++this.#latest;
    const {url: target = '', rawHeaders} = request;
    const raw = {target, rawHeaders, body: new Uint8Array()};
    this.#store(sequence, refusedRow(refused, request, time, sequence), raw);
  }

  /** Those that reached an operation, oldest first. */
  list(): readonly ReceivedRequest[] {
    const stored = this.#storedAfter(this.#latest - MAX_RECEIVED);
    const finished = stored.filter(({operation}) => operation !== undefined);
    return finished.map((row) => {
      const {sequence: _, detail: _detail, reason: _reason, ...received} = maskedRow(row);
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

  /** A request as it came in; undefined if it is not stored. */
  raw(sequence: number): RawRequest | undefined {
    const bytes = this.#raw.get(sequence);
    if (!bytes) return undefined;
    const head = bytes.readUInt32BE(0);
    const text = bytes.toString('latin1', LENGTH_BYTES, LENGTH_BYTES + head);
    const [target = '', ...rawHeaders] = text.split('\n');
    return {target, rawHeaders, body: bytes.subarray(LENGTH_BYTES + head)};
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

  #store(sequence: number, row: object, {target, rawHeaders, body}: RawRequest): void {
    const line = JSON.stringify(row);
    this.#rows.reserve(sequence, Buffer.byteLength(line))?.write(line);
    // Line feeds separate target and headers, which cannot contain any.
    const head = [target, ...rawHeaders].join('\n');
    const raw = this.#raw.reserve(sequence, LENGTH_BYTES + head.length + body.length);
    if (!raw) return;
    raw.writeUInt32BE(head.length, 0);
    raw.write(head, LENGTH_BYTES, 'latin1');
    raw.set(body, LENGTH_BYTES + head.length);
  }
}

/** Excludes requests for pages, and requests of the inspector itself. */
function isInterfaceRequest({method = '', url = ''}: IncomingMessage): boolean {
  if (url.startsWith('/_')) return false;
  return !/^(?:GET|HEAD|OPTIONS)$/.test(method) || canonicalTarget(url).startsWith('/api');
}
