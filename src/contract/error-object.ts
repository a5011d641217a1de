import type {ErrorCode} from './error-catalogue.js';
import {redactCardNumbers} from './masks/redact-card-numbers.js';
import {redactKeys} from './masks/redact-keys.js';
import {isPaylensError, PaylensError} from './paylens-error.js';

/** The failure response of the interface (docs/interface.md#error-object). */
export interface ErrorObject {
  readonly success: false;
  readonly errCode: ErrorCode;
  readonly errMessage: string;
  readonly messageId?: string;
  readonly reference?: string;
}

/** Parts of a response that identify its request. */
interface ErrorIds {
  readonly messageId?: string | undefined;
  readonly reference?: string | undefined;
}

/**
 * The error object of the interface, the same everywhere. Anything that looks like a card number or
 * a key is removed, because the message quotes parameters. No method of the error, since `decrypt`
 * for small bundles has no use for the masks.
 */
export function errorObjectOf(
  error: PaylensError,
  {messageId, reference}: ErrorIds = {},
): ErrorObject {
  if (!isPaylensError(error)) throw new PaylensError(2005, 'error: expected a PaylensError');
  const {code, message} = error;
  return {
    success: false,
    errCode: code,
    errMessage: redactCardNumbers(redactKeys(message)),
    ...(messageId === undefined ? {} : {messageId}),
    ...(reference === undefined ? {} : {reference}),
  };
}
