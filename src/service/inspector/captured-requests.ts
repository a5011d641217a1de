import type {IncomingMessage} from 'node:http';
import {canonicalTarget} from '../../auth/string-to-hash.js';
import type {InspectedRequest} from '../../contract/control/inspected-request.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {KeptLines} from '../information/kept-lines.js';
import {MAX_RECEIVED, type ReceivedRequests} from '../information/received-requests.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {ByteRing} from './byte-ring.js';

/** Size of all headers and bodies together. */
const MAX_RAW_BYTES = 16 * 1024 * 1024;
/** Longer targets of refused requests are cut. */
const MAX_TARGET_CHARS = 1000;
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
  /** How many later requests are no longer kept. */
  readonly missed: number;
}

/** A request as it came in. Its target may contain secrets that the row masks. */
export interface RawRequest {
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

/**
 * The requests that the inspector shows, in bounded memory: a line of each of the last thousand, and
 * the headers and bodies of as many as fit.
 */
export class CapturedRequests {
  /** The id of this process: sequence numbers begin again with each process. */
  readonly process = process.pid;
  readonly #received: ReceivedRequests;
  readonly #refused = new KeptLines(MAX_RECEIVED);
  readonly #raw = new ByteRing(MAX_RECEIVED, MAX_RAW_BYTES);
  #latest = 0;
  #cleared = 0;

  constructor(received: ReceivedRequests) {
    this.#received = received;
  }

  /** Keeps a request with headers and body; `time` in milliseconds since 1970. */
  add(request: FinishedRequest, time: number): void {
    const sequence = ++this.#latest;
    this.#received.add(request, time, sequence);
    const {target, rawHeaders, body} = request;
    if (rawHeaders && body) this.#keep(sequence, {target, rawHeaders, body});
  }

  /** Keeps the head of a request that was refused before it reached an operation. */
  addRefused({answer, messageId, error, request}: RefusedRequest, time: number): void {
    if (!request || !isInterfaceRequest(request)) return;
    const sequence = ++this.#latest;
    const {method = '', url = '', rawHeaders} = request;
    const row: InspectedRequest = {
      process: this.process,
      sequence,
      time: new Date(time).toISOString(),
      method,
      target: redactKeys(redactCardNumbers(redactQuery(url))).slice(0, MAX_TARGET_CHARS),
      status: answer.status,
      errCode: error.code,
      ...(error.detail !== '' && {detail: redactKeys(redactCardNumbers(error.detail))}),
      messageId,
    };
    this.#refused.add(JSON.stringify(row));
    this.#keep(sequence, {target: url, rawHeaders, body: new Uint8Array()});
  }

  /** The requests after a sequence number; without one, all that are kept. */
  rowsAfter(after?: number): CapturedRows {
    const since = Math.max(Math.min(after ?? 0, this.#latest), this.#cleared);
    const wanted = Math.min(this.#latest - since, MAX_RECEIVED);
    const rows =
      wanted === 0 ? [] : this.#rows(Math.max(since, this.#latest - MAX_RECEIVED), wanted);
    const missed = after === undefined ? 0 : this.#latest - since - rows.length;
    const {length} = rows;
    const latest = rows[length - 1]?.sequence ?? this.#latest;
    return {process: this.process, rows, latest, cleared: this.#cleared, missed};
  }

  /** The row of a request; undefined if it is not kept. */
  find(sequence: number): InspectedRequest | undefined {
    const [row] = this.rowsAfter(sequence - 1).rows;
    return row?.sequence === sequence ? row : undefined;
  }

  /** A request as it came in; undefined if it is not kept. */
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
    this.#received.clear();
    this.#refused.clear();
    this.#raw.clear();
  }

  #rows(since: number, wanted: number): InspectedRequest[] {
    const finished = this.#received.numbered(since, wanted);
    const refused = this.#refused.newest(wanted).map((line) => JSON.parse(line));
    const later = refused.filter(({sequence}) => sequence > since) as InspectedRequest[];
    const own = finished.map((row) => ({process: this.process, ...row}));
    if (later.length === 0) return own;
    return [...own, ...later].sort((a, b) => a.sequence - b.sequence);
  }

  /** Line feeds separate target and headers, which cannot contain any. */
  #keep(sequence: number, {target, rawHeaders, body}: RawRequest): void {
    const head = [target, ...rawHeaders].join('\n');
    const room = this.#raw.reserve(sequence, LENGTH_BYTES + head.length + body.length);
    if (!room) return;
    room.writeUInt32BE(head.length, 0);
    room.write(head, LENGTH_BYTES, 'latin1');
    room.set(body, LENGTH_BYTES + head.length);
  }
}

/** Requests for pages, and those of the inspector itself, are not shown. */
function isInterfaceRequest({method = '', url = ''}: IncomingMessage): boolean {
  if (url.startsWith('/_')) return false;
  return !/^(?:GET|HEAD|OPTIONS)$/.test(method) || canonicalTarget(url).startsWith('/api');
}
