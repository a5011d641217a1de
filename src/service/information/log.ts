import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import type {PaylensError} from '../../contract/paylens-error.js';
import {defectFields, stackFields, TRACING} from '../../contract/stack-of.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {recordText, refusedText, requestText, WHY} from './log-text.js';

/** How a log is written: JSON for programs, text for people; `quiet`: only errors. */
export interface LogForm {
  readonly form: 'json' | 'text';
  readonly quiet: boolean;
}

/** Writes finished lines; false if they were dropped. */
export type WriteLog = (lines: string) => unknown;

/** A write takes as long as 3 % of a request. */
const FLUSH_MS = 10;

/** As other loggers of Node number them. */
const LEVELS = {info: 30, warn: 40, error: 50} as const;
type Level = keyof typeof LEVELS;

/** The cause of a record: an error of the catalogue, and the exception that it hides. */
interface RecordCause {
  readonly error?: PaylensError | undefined;
  readonly defect?: unknown;
  /** The client asked for the error. */
  readonly isRequested?: true | undefined;
}

/**
 * The log of a service on stderr, one line per record. Only fields built here are logged, never
 * objects of a request. The lines of requests are buffered until the end of the turn, or for some
 * milliseconds after others, so that a busy service writes many at once.
 */
export class ServiceLog {
  readonly #write: WriteLog;
  readonly #isText: boolean;
  readonly #isQuiet: boolean;
  #buffered = '';
  /** When lines were last written, by `performance.now`. */
  #flushed = Number.NEGATIVE_INFINITY;
  /** Lines dropped in all, and those of them that no line has reported. */
  #dropped = 0;
  #unreported = 0;

  constructor(write: WriteLog, {form, quiet}: LogForm = DEFAULT_FORM) {
    this.#write = write;
    this.#isText = form === 'text';
    this.#isQuiet = quiet;
  }

  /** How many lines were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  info(msg: string, fields: object = {}): void {
    this.#record('info', msg, fields);
  }

  warn(msg: string, fields: object = {}): void {
    this.#record('warn', msg, fields);
  }

  error(msg: string, fields: object = {}): void {
    this.#record('error', msg, fields);
  }

  request(finished: FinishedRequest): void {
    const text = () => requestText(finished, new Date());
    this.#answered('request', requestFields(finished), finished.outcome, text);
  }

  /** For a request that was rejected before it reached an operation. */
  refused(refused: RefusedRequest): void {
    const {answer, messageId, error} = refused;
    const fields = {messageId, status: answer.status, errCode: error.code};
    this.#answered('refused', fields, refused, () => refusedText(refused, new Date()));
  }

  /** Writes buffered lines. */
  flush(): void {
    const lines = this.#buffered;
    this.#buffered = '';
    this.#flushed = performance.now();
    if (lines !== '') this.#put(lines);
  }

  #answered(msg: string, fields: object, of: RecordCause, text: () => string): void {
    const {error, defect, isRequested} = of;
    const cause = defect ?? (error?.code === DEFECT && !isRequested ? error : undefined);
    if (cause !== undefined) this.error('defect', {...fields, ...defectFields(cause)});
    else if (TRACING && error) this.info(msg, {...fields, ...stackFields(error)});
    else if (!this.#isQuiet) this.#add(this.#isText ? text() : jsonLine('info', msg, fields));
  }

  #record(level: Level, msg: string, fields: object): void {
    if (this.#isQuiet && level !== 'error') return;
    // The line of its request contains it.
    if (this.#isText && msg === WHY) return;
    this.flush();
    this.#put(this.#recordLine(level, msg, fields));
  }

  #recordLine(level: Level, msg: string, fields: object): string {
    if (this.#isText) return recordText(msg, fields, new Date());
    return redactLine(jsonLine(level, msg, fields));
  }

  #add(line: string): void {
    if (this.#buffered === '') {
      const left = this.#flushed + FLUSH_MS - performance.now();
      if (left > 0) setTimeout(() => this.flush(), left);
      else setImmediate(() => this.flush());
    }
    this.#buffered += line;
  }

  // A full disk or pipe must not stop the service: lines that cannot be written are lost.
  #put(lines: string): void {
    const notice = () => this.#recordLine('warn', 'log lines dropped', {lines: this.#unreported});
    let isWritten: unknown = false;
    try {
      isWritten = this.#write(this.#unreported > 0 ? notice() + lines : lines);
    } catch {}
    const lost = isWritten === false ? lines.split('\n').length - 1 : 0;
    this.#dropped += lost;
    this.#unreported = lost === 0 ? 0 : this.#unreported + lost;
  }
}

const DEFAULT_FORM: LogForm = {form: 'json', quiet: false};
/** The errCode of an internal error. */
const DEFECT = 1;

function jsonLine(level: Level, msg: string, fields: object): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({level: LEVELS[level], time, ...fields, msg})}\n`;
}

/** Masks card numbers, but not in a content hash, whose digits may look like one. */
function redactLine(line: string): string {
  const hash = CONTENT_HASH.exec(line)?.[1] ?? '\n';
  return line.replace(JSON_STRING, (text) => text.split(hash).map(redactCardNumbers).join(hash));
}

const CONTENT_HASH = /"contentHash":"([\da-f]{64})"/;
// Asterisks in a number would not be JSON; numbers in the log do not come from requests.
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/** Only the partnerId is a text from outside. */
function requestFields({operation, outcome, milliseconds}: FinishedRequest) {
  const {answer, messageId, sender, error} = outcome;
  return {
    messageId,
    operation,
    status: answer.status,
    ...(sender && {
      partnerId: redactCardNumbers(sender.partnerId),
      authentication: sender.method,
    }),
    ...(error && {errCode: error.code}),
    ms: Math.round(milliseconds * 100) / 100,
  };
}
