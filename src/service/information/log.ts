import pino, {type DestinationStream, type Logger} from 'pino';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import type {PaylensError} from '../../contract/paylens-error.js';
import {defectFields, stackFields, TRACING} from '../../contract/stack-of.js';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import {recordText, refusedText, requestText} from './log-text.js';

/** How a log is written: JSON for programs, text for people; `quiet`: only errors. */
export interface LogForm {
  readonly form: 'json' | 'text';
  readonly quiet: boolean;
}

/** The log of a service on stderr, one line per record. */
export interface ServiceLog {
  readonly logger: Logger;
  readonly request: (request: FinishedRequest) => void;
  /** For a request that was rejected before it reached an operation. */
  readonly refused: (request: RefusedRequest) => void;
  /** Writes buffered lines. */
  readonly flush: () => void;
}

/**
 * Makes the log. Only fields built here are logged, never objects of a request; a last stage masks
 * card numbers, since path redaction does not reach into texts. The lines of requests are buffered
 * until the end of the turn, so that a busy service writes many at once.
 */
export function createLog(write: (lines: string) => void, how: LogForm = DEFAULT_FORM): ServiceLog {
  const isText = how.form === 'text';
  const {writeNow, add, flush} = bufferedWriter(write);
  const stream: DestinationStream = {
    write: (line) => writeNow(isText ? recordText(redactLine(line), new Date()) : redactLine(line)),
  };
  const level = how.quiet ? 'error' : 'info';
  const logger = pino({base: null, level, timestamp: pino.stdTimeFunctions.isoTime}, stream);
  const request = (finished: FinishedRequest) => {
    const {error} = finished.outcome;
    const defect = defectOf(finished.outcome);
    if (defect !== undefined)
      logger.error({...fieldsOf(finished), ...defectFields(defect)}, 'defect');
    else if (TRACING && error)
      logger.info({...fieldsOf(finished), ...stackFields(error)}, 'request');
    else if (how.quiet) return;
    else if (isText) add(requestText(finished, new Date()));
    else add(jsonLine(fieldsOf(finished), 'request'));
  };
  const refused = (request: RefusedRequest) => {
    const {answer, messageId, error} = request;
    const defect = defectOf(request);
    const fields = {messageId, status: answer.status, errCode: error.code};
    if (defect === undefined && how.quiet) return;
    if (defect === undefined && !TRACING)
      add(isText ? refusedText(request, new Date()) : jsonLine(fields, 'refused'));
    else if (defect === undefined) logger.info({...fields, ...stackFields(error)}, 'refused');
    else logger.error({...fields, ...defectFields(defect)}, 'defect');
  };
  return {logger, request, refused, flush};
}

const DEFAULT_FORM: LogForm = {form: 'json', quiet: false};

/** Collects lines until the end of the turn. Lines that cannot be written are lost. */
function bufferedWriter(write: (lines: string) => void) {
  // A full disk must not stop the service.
  const put = (lines: string) => {
    try {
      write(lines);
    } catch {}
  };
  let buffered = '';
  const flush = () => {
    if (buffered === '') return;
    const lines = buffered;
    buffered = '';
    put(lines);
  };
  const writeNow = (line: string) => {
    flush();
    put(line);
  };
  const add = (line: string) => {
    if (buffered === '') setImmediate(flush);
    buffered += line;
  };
  return {writeNow, add, flush};
}

/** The content hash in an explanation is kept: its digits may look like a card number. */
function redactLine(line: string): string {
  const hash = CONTENT_HASH.exec(line)?.[1] ?? '\n';
  return line.replace(JSON_STRING, (text) => text.split(hash).map(redactCardNumbers).join(hash));
}

const CONTENT_HASH = /"contentHash":"([\da-f]{64})"/;
// Asterisks in a number would not be JSON; numbers in the log do not come from requests.
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/** The line that pino would write; pino itself would cost 8 % more CPU per request. */
function jsonLine(fields: object, msg: 'request' | 'refused'): string {
  return `${JSON.stringify({level: 30, time: new Date().toISOString(), ...fields, msg})}\n`;
}

/** Only the partnerId is a text from outside. */
function fieldsOf({operation, outcome, milliseconds}: FinishedRequest) {
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
    ms: rounded(milliseconds),
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

/** The exception behind an internal error, as thrown or as the cause of error 1. */
function defectOf({error, defect}: {error?: PaylensError | undefined; defect?: unknown}): unknown {
  return defect ?? (error?.code === DEFECT ? error : undefined);
}

const DEFECT = 1;
