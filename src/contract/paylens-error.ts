import {ERROR_CATALOGUE, type ErrorCode} from './error-catalogue.js';
import {TRACING} from './stack-of.js';

/** What the code alone does not tell: what a truncated payload lacks, or which setting is to change. */
export type ReadFault =
  | {readonly kind: 'half-byte'}
  /** A text that ends within: JSON or XML up to its last character. */
  | {readonly kind: 'cut-text'}
  /** The tag of the object; empty where it does not end itself. */
  | {readonly kind: 'tag'; readonly tag: string}
  /** A hash or a masked copy that the plaintext contradicts; its place in units of the payload's form. */
  | ({readonly kind: 'hash' | 'masked-copy'} & Place)
  /** Data that were decrypted disagree with each other, or with what is beside them: the detail names them. */
  | {readonly kind: 'contradiction'}
  /** The hint names the flag of the command line; callers without flags use this. */
  | {
      readonly kind: 'setting';
      readonly setting: string;
      readonly is: 'missing' | 'doubled' | 'wrong';
      /** What it should be: one of these. */
      readonly instead?: readonly string[];
    };

/** A named run of a payload. */
export interface Place {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

interface Extras {
  /** What to do next, if it differs from the catalogue. */
  readonly hint?: string;
  readonly fault?: ReadFault;
  readonly cause?: unknown;
}

const DEFECT = 1;
/** V8 takes the limit from here; runtimes without it ignore it. */
const STACKS = Error as {stackTraceLimit?: number | undefined};

/**
 * The only error class: a code of the catalogue, a message for people, and a hint what to do next.
 *
 * `detail` describes this case: what was expected, what was found, and where. It never contains a
 * key, a passphrase or a PAN. The message is that of the catalogue, followed by the detail.
 *
 * Only internal errors have a stack, and all errors with PAYLENS_TRACE=1. Other errors describe the
 * input, not a place in the code, and payloads are recognised by readers that throw: with stacks
 * the usual causes of a diagnosis take 19 % longer.
 */
export class PaylensError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly hint: string;
  readonly fault: ReadFault | undefined;

  constructor(code: ErrorCode, detail = '', extras: Extras = {}) {
    if (typeof code !== 'number' || !(code in ERROR_CATALOGUE) || typeof detail !== 'string')
      throw new PaylensError(2005, 'PaylensError: expected a code of the catalogue, and a text');
    const {hint} = ERROR_CATALOGUE[code];
    const message = titleOf(code, extras.fault);
    const {stackTraceLimit} = STACKS;
    if (code !== DEFECT && !TRACING) STACKS.stackTraceLimit = 0;
    super(detail === '' ? message : `${message}: ${detail}`, {cause: extras.cause});
    STACKS.stackTraceLimit = stackTraceLimit;
    this.name = 'PaylensError';
    this.code = code;
    this.detail = detail;
    this.hint = extras.hint ?? hint;
    this.fault = extras.fault;
  }
}

/** The result of `read`, or the PaylensError that it throws. */
export function resultOrError<T>(read: () => T): T | PaylensError {
  try {
    return read();
  } catch (error) {
    if (error instanceof PaylensError) return error;
    throw error;
  }
}

/** Whether it is an error of paylens; false also for a proxy that does not answer. */
export function isPaylensError(error: unknown): error is PaylensError {
  try {
    return error instanceof PaylensError;
  } catch {
    return false;
  }
}

/** The message of the catalogue; 2100 speaks of a type only to those who gave one. */
export function titleOf(code: ErrorCode, fault: ReadFault | undefined): string {
  const isUntyped = fault?.kind === 'setting' && fault.is === 'missing';
  return code === 2100 && isUntyped ? 'Payload not recognised' : ERROR_CATALOGUE[code].message;
}

/**
 * Rethrows the error of an own terminal (9040). Code that tries several readers treats any other
 * error as "not this format"; a terminal that fails must be reported instead.
 */
export function rethrowTerminalFault(error: unknown): void {
  if (error instanceof PaylensError && error.code === 9040) throw error;
}
