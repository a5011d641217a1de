import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalType} from '../../engine/families/registry.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {mayBePaste} from '../../input/paste/judge.js';
import {readPaste} from '../../input/paste/read-paste.js';
import {requestBody, toRequest, withoutLineEnd} from '../../input/paste/request-input.js';

/** The largest text that is read, in bytes; the same as on the command line. */
export const MAX_INPUT_BYTES = 64 * 1024;

/** KSN and IV of a request whose payload does not hold them. */
export interface RequestFields {
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
}

/** How a text was understood. */
export interface ReadInput {
  /** The bare payload, also if no reader accepts it. */
  readonly payload: string;
  readonly request?: AnyRequest;
  /** The notation of a paste that was undone. */
  readonly note?: string;
  /** Why there is no request. */
  readonly failure?: PaylensError;
}

/** The 2006 of a text that is too long to be split or shown. */
export function tooLarge(length: number): PaylensError {
  const found = length.toLocaleString('en');
  return new PaylensError(
    2006,
    `at most ${MAX_INPUT_BYTES.toLocaleString('en')} bytes, found ${found}`,
  );
}

/** Reads a text as `decrypt` does: a request in JSON, a paste in any notation, a bare payload. */
export function readInput(
  text: string,
  type: TerminalType | undefined,
  fields: RequestFields,
): ReadInput {
  let payload = withoutLineEnd(text);
  let note: string | undefined;
  try {
    const paste = mayBePaste(text, type) ? readPaste(text, type) : undefined;
    const bare = paste?.payload ?? text;
    note = paste?.note;
    payload = withoutLineEnd(bare);
    const body = requestBody(bare, type);
    if (typeof body?.devicePayload === 'string') payload = body.devicePayload;
    const request = toRequest(bare, body, {deviceType: type, ...fields});
    return {payload: request.devicePayload, request, ...(note === undefined ? {} : {note})};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {payload, failure: error, ...(note === undefined ? {} : {note})};
  }
}
