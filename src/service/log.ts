import pino, {type DestinationStream, type Logger} from 'pino';
import {redactCardNumbers} from '../contract/redact-card-numbers.js';
import type {FinishedRequest} from './create-server.js';

/** The structured log of a service on stderr, one JSON object a line. */
export interface ServiceLog {
  readonly logger: Logger;
  readonly request: (request: FinishedRequest) => void;
}

/**
 * Makes the log. Only fields built here are logged, never objects of a request; a last stage masks
 * card numbers in every line, since path redaction does not reach into texts.
 */
export function createLog(write: (line: string) => void): ServiceLog {
  const stream: DestinationStream = {write: (line) => write(redactCardNumbers(line))};
  const logger = pino({base: null, timestamp: pino.stdTimeFunctions.isoTime}, stream);
  return {logger, request: (request) => logRequest(logger, request)};
}

function logRequest(logger: Logger, request: FinishedRequest): void {
  const {operation, answer, messageId, sender, error, milliseconds, defect} = request;
  const fields = {
    messageId,
    operation,
    status: answer.status,
    ...(sender ? {partnerId: sender.partnerId, authentication: sender.method} : {}),
    ...(error ? {errCode: error.code} : {}),
    ms: Math.round(milliseconds * 100) / 100,
  };
  if (defect === undefined) logger.info(fields, 'request');
  else logger.error({...fields, defect: defectName(defect)}, 'defect');
}

/** The class of an unexpected error: its message might quote the request. */
function defectName(defect: unknown): string {
  return defect instanceof Error ? defect.name : typeof defect;
}
