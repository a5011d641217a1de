import {createMessageIds} from '../../contract/message-id.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {ProcessPayloadResponse} from '../../contract/process-payload.js';
import {redactCardNumbers} from '../../contract/redact-card-numbers.js';
import {KeyRing, type RingKey} from '../../engine/dukpt/key-ring.js';
import {processPayload} from '../../engine/process-payload.js';
import {type RequestFlags, referenceOf, requestBody, toRequest} from '../request-input.js';
import {LONGEST_LINE} from './read-blocks.js';

/** The answers to a block of lines, one line each. */
export interface AnsweredBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lines: number;
  /** How often each error code was the answer. */
  readonly failures: Readonly<Record<number, number>>;
}

interface Options {
  readonly keys: readonly RingKey[];
  /** What the flags say of every line. */
  readonly flags: RequestFlags;
  /** Five digits for the messageIds, distinct among the answerers of a process. */
  readonly draw: string;
}

/**
 * Makes what answers blocks of lines: every line a request JSON or raw payload, every answer the
 * response of the service or its error object on one line.
 */
export function blockAnswerer({keys, flags, draw}: Options): (block: Uint8Array) => AnsweredBlock {
  const ring = new KeyRing(keys);
  const nextId = createMessageIds({now: Date.now, draw});
  return (block) => {
    const failures: Record<number, number> = {};
    const answers = linesOf(block).map((line) => {
      const answer = answerLine(line, ring, flags, nextId());
      if (answer.success) return JSON.stringify(answer);
      failures[answer.errCode] = (failures[answer.errCode] ?? 0) + 1;
      return JSON.stringify(answer);
    });
    const text = answers.length === 0 ? '' : `${answers.join('\n')}\n`;
    return {bytes: new TextEncoder().encode(text), lines: answers.length, failures};
  };
}

/** A line that is no UTF-8 becomes undefined, without spoiling the others. */
function linesOf(block: Uint8Array): (string | undefined)[] {
  const text = decode(block);
  if (text !== undefined) return splitLines(text);
  return splitLines(Buffer.from(block).toString('latin1')).map((line) =>
    decode(Buffer.from(line, 'latin1')),
  );
}

function splitLines(text: string): string[] {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

type Answer = ProcessPayloadResponse | ReturnType<PaylensError['toErrorObject']>;

function answerLine(
  line: string | undefined,
  ring: KeyRing,
  flags: RequestFlags,
  messageId: string,
): Answer {
  let ids: {messageId: string; reference?: string} = {messageId};
  try {
    const input = checkLine(line);
    const body = requestBody(input, flags.deviceType);
    const reference = referenceOf(body) ?? flags.reference;
    if (reference !== undefined) ids = {reference, messageId};
    return {success: true, ...ids, ...processPayload(toRequest(input, body, flags), ring)};
  } catch (error) {
    return failure(error, ids);
  }
}

/** Throws 2004 on a line that is empty or no UTF-8, 2006 on one that is too long. */
function checkLine(line: string | undefined): string {
  if (line === undefined) throw new PaylensError(2004, 'the line is not UTF-8');
  if (line === '') throw new PaylensError(2004, 'the line is empty');
  if (line.length <= LONGEST_LINE) return line;
  throw new PaylensError(2006, `the line is longer than ${LONGEST_LINE} bytes`);
}

/** A defect of ours fails its line only; its text could hold anything. */
function failure(error: unknown, ids: {messageId: string; reference?: string}): Answer {
  const known = error instanceof PaylensError ? error : new PaylensError(1);
  const object = known.toErrorObject(ids);
  return {...object, errMessage: redactCardNumbers(object.errMessage)};
}
