import type {IncomingMessage} from 'node:http';
import {canonicalTarget} from '../../auth/string-to-hash.js';
import type {InspectedRequest} from '../../contract/control/inspected-request.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {KeptLines} from '../information/kept-lines.js';
import {MOST_RECEIVED, type ReceivedRequests} from '../information/received-requests.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {ByteRing} from './byte-ring.js';

/** Headers and bodies of all requests together. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Of a target that was refused, in characters. */
const LONGEST_TARGET = 1000;
const LENGTH_BYTES = 4;

/** The rows of one process after a sequence number. */
export interface CapturedRows {
  readonly process: number;
  /** Oldest first. */
  readonly rows: readonly InspectedRequest[];
  /** The number of the last request. */
  readonly latest: number;
  /** That of the last one which was cleared. */
  readonly cleared: number;
  /** How many were asked for and are not kept. */
  readonly missed: number;
}

/** A request as it came in, whose target may hold secrets that its row hides. */
export interface RawRequest {
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

interface Sources {
  readonly received: ReceivedRequests;
  readonly process: number;
  readonly most?: number;
  readonly bytes?: number;
}

/**
 * What one process keeps for the inspector, in bounded memory: a line of each of the last thousand
 * requests, and the headers and bodies of as many as have room.
 */
export class CapturedRequests {
  readonly #received: ReceivedRequests;
  readonly #process: number;
  readonly #most: number;
  readonly #refused: KeptLines;
  readonly #raw: ByteRing;
  #latest = 0;
  #cleared = 0;

  constructor({received, process, most = MOST_RECEIVED, bytes = MOST_BYTES}: Sources) {
    this.#received = received;
    this.#process = process;
    this.#most = most;
    this.#refused = new KeptLines(most);
    this.#raw = new ByteRing(most, bytes);
  }

  /** Keeps a request and what came with it; `time` in milliseconds since 1970. */
  add(request: FinishedRequest, time: number): void {
    const sequence = ++this.#latest;
    this.#received.add(request, time, sequence);
    const {target, rawHeaders, body} = request;
    if (rawHeaders && body) this.#keep(sequence, {target, rawHeaders, body});
  }

  /** Keeps a request that was refused before it reached an operation: its head alone is known. */
  addRefused({answer, messageId, error, request}: RefusedRequest, time: number): void {
    if (!request || !isForInterface(request)) return;
    const sequence = ++this.#latest;
    const {method = '', url = '', rawHeaders} = request;
    const row: InspectedRequest = {
      process: this.#process,
      sequence,
      time: new Date(time).toISOString(),
      method,
      target: redactKeys(redactCardNumbers(redactQuery(url))).slice(0, LONGEST_TARGET),
      status: answer.status,
      errCode: error.code,
      ...(error.detail !== '' && {detail: redactKeys(redactCardNumbers(error.detail))}),
      messageId,
    };
    this.#refused.add(JSON.stringify(row));
    this.#keep(sequence, {target: url, rawHeaders, body: NOTHING});
  }

  /** The requests after a sequence number; `after` undefined: all that are kept. */
  rowsAfter(after?: number): CapturedRows {
    const since = Math.max(Math.min(after ?? 0, this.#latest), this.#cleared);
    const wanted = Math.min(this.#latest - since, this.#most);
    const rows = wanted === 0 ? [] : this.#rows(Math.max(since, this.#latest - this.#most), wanted);
    const missed = after === undefined ? 0 : this.#latest - since - rows.length;
    const {length} = rows;
    const latest = rows[length - 1]?.sequence ?? this.#latest;
    return {process: this.#process, rows, latest, cleared: this.#cleared, missed};
  }

  /** The row of a request; undefined: it is not kept. */
  find(sequence: number): InspectedRequest | undefined {
    const [row] = this.rowsAfter(sequence - 1).rows;
    return row?.sequence === sequence ? row : undefined;
  }

  /** What came with it; undefined: it is not kept. */
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
    const own = finished.map((row) => ({process: this.#process, ...row}));
    if (later.length === 0) return own;
    return [...own, ...later].sort((a, b) => a.sequence - b.sequence);
  }

  /** Neither a target nor a header can hold a line feed. */
  #keep(sequence: number, {target, rawHeaders, body}: RawRequest): void {
    const head = [target, ...rawHeaders].join('\n');
    const room = this.#raw.reserve(sequence, LENGTH_BYTES + head.length + body.length);
    if (!room) return;
    room.writeUInt32BE(head.length, 0);
    room.write(head, LENGTH_BYTES, 'latin1');
    room.set(body, LENGTH_BYTES + head.length);
  }
}

/** What looks for a page, and what is for the inspector itself, is not shown by it. */
function isForInterface({method = '', url = ''}: IncomingMessage): boolean {
  if (url.startsWith('/_')) return false;
  return !/^(?:GET|HEAD|OPTIONS)$/.test(method) || canonicalTarget(url).startsWith('/api');
}

const NOTHING = new Uint8Array();
