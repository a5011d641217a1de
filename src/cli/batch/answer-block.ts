import {type ErrorObject, errorObjectOf} from '../../contract/error-object.js';
import {createMessageIds} from '../../contract/message-id.js';
import {parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {ProcessPayloadResponse} from '../../contract/process-payload.js';
import {stackOf, TRACING} from '../../contract/stack-of.js';
import {KeyRing, type RingKey} from '../../engine/dukpt/key-ring.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {processPayload} from '../../engine/process-payload.js';
import {
  type RequestFlags,
  referenceOf,
  requestBody,
  toRequest,
} from '../../input/paste/request-input.js';
import {MAX_LINE_BYTES} from './read-blocks.js';

/** The answers to a block of lines, one line each. */
export interface AnsweredBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lines: number;
  /** How many lines failed, by error code. */
  readonly failures: Readonly<Record<number, number>>;
  /** By error code: the first line that failed so, and its place in the block. */
  readonly firsts: Readonly<Record<number, FailedLine>>;
  /** With PAYLENS_TRACE=1: where the errors come from. */
  readonly traces: readonly string[];
}

/** A line that failed, by its place, counted from 0. */
export interface FailedLine {
  readonly at: number;
  readonly line: string;
}

interface BlockOptions {
  readonly keys: readonly RingKey[];
  /** Settings from the flags that apply to every line. */
  readonly flags: RequestFlags;
  /** Default: the built-in ones. */
  readonly terminals?: TerminalSet | undefined;
  /** Of the messageIds, distinct among the answerers of a process. */
  readonly draw: number;
}

/**
 * Makes a function that answers blocks of lines: every line is a request JSON or raw payload, every
 * answer the response of the service or its error object on one line.
 */
export function blockAnswerer({
  keys,
  flags,
  draw,
  terminals,
}: BlockOptions): (block: Uint8Array) => AnsweredBlock {
  const ring = new KeyRing(keys);
  const nextId = createMessageIds({now: Date.now, draw});
  return (block) => {
    const failures: Record<number, number> = {};
    const firsts: Record<number, FailedLine> = {};
    const traces: string[] = [];
    const trace = (error: unknown) => {
      if (TRACING) traces.push(stackOf(error));
    };
    const answers = blockLines(block).map((line, at) => {
      const answer = answerLine(line, {ring, flags, terminals, messageId: nextId(), trace});
      if (answer.success) return JSON.stringify(answer);
      failures[answer.errCode] = (failures[answer.errCode] ?? 0) + 1;
      firsts[answer.errCode] ??= {at, line: String(line)};
      return JSON.stringify(answer);
    });
    const bytes = new TextEncoder().encode(`${answers.join('\n')}\n`);
    return {bytes, lines: answers.length, failures, firsts, traces};
  };
}

/** A line as text, or its bytes if it is not UTF-8, so that it does not corrupt the other lines. */
export type Line = string | Uint8Array;

/** The lines of a block, without their ends. */
export function blockLines(block: Uint8Array): Line[] {
  const text = decode(block);
  if (text !== undefined) return splitLines(text);
  return splitLines(Buffer.from(block).toString('latin1')).map((line) => {
    const bytes = Buffer.from(line, 'latin1');
    return decode(bytes) ?? bytes;
  });
}

function splitLines(text: string): string[] {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark belongs to its line, wherever a block begins.
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

type Answer = ProcessPayloadResponse | ErrorObject;

interface LineOptions {
  readonly ring: KeyRing;
  readonly flags: RequestFlags;
  readonly terminals: TerminalSet | undefined;
  readonly messageId: string;
  /** Called with what was thrown. */
  readonly trace: (error: unknown) => void;
}

function answerLine(line: Line, options: LineOptions): Answer {
  const {ring, flags, terminals, messageId, trace} = options;
  let reference: string | undefined;
  try {
    const input = textOfLine(line);
    const body = requestBody(input, flags.deviceType, terminals);
    reference = referenceOf(body, flags.reference);
    const result = processPayload(toRequest(input, body, flags, terminals), ring, {terminals});
    return {success: true, ...(reference !== undefined && {reference}), messageId, ...result};
  } catch (error) {
    trace(error);
    // A defect of paylens fails its line only; its message could contain anything.
    const known = error instanceof PaylensError ? error : new PaylensError(1);
    return errorObjectOf(known, {messageId, reference});
  }
}

/** A line as text. Throws 2006 if it is too long, 2004 if it is empty or not UTF-8. */
export function textOfLine(line: Line): string {
  const isShort = line.length <= MAX_LINE_BYTES / MAX_UTF8_BYTES;
  if (!isShort && Buffer.byteLength(line) > MAX_LINE_BYTES)
    throw new PaylensError(2006, `expected at most ${MAX_LINE_BYTES} bytes`);
  if (typeof line !== 'string' || line.trim() === '') parseBody(line);
  return String(line);
}

/** Bytes of UTF-8 for one character of a string. */
const MAX_UTF8_BYTES = 3;
