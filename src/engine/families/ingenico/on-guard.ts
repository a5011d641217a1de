import {PaylensError} from '../../../contract/paylens-error.js';
import type {TextMessage} from '../../forms/text-message.js';
import {ON_GUARD_CLEAR, ON_GUARD_ENCRYPTED, ON_GUARD_HEAD, type OnGuardField} from './layout.js';

/** Length of the count before a counted field. */
const COUNT_DIGITS = 2;

/**
 * Reads an On-Guard record to its last field and returns the error: 2111, since its
 * format-preserving encryption is not public, or 2110 for a whitelisted card in cleartext
 * (docs/terminals/ingenico.md#on-guard-record).
 *
 * Throws 2100 if a field is malformed or characters are left over, 2102 if a length runs past the
 * end.
 */
export function readOnGuard(message: TextMessage, byHand: boolean): PaylensError {
  const flag = takeFields(message, ON_GUARD_HEAD, byHand);
  takeFields(message, flag === '1' ? ON_GUARD_ENCRYPTED : ON_GUARD_CLEAR, byHand);
  const left = message.rest.trimEnd().length;
  if (left > 0) {
    throw new PaylensError(
      2100,
      `On-Guard record: ends at ${message.unit} ${message.offset}, but ${left} characters follow`,
    );
  }
  return flag === '1'
    ? new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)')
    : new PaylensError(2110, 'On-Guard record of a whitelisted card: its tracks are in cleartext');
}

/** Reads all fields and returns the last. */
function takeFields(
  message: TextMessage,
  fields: readonly OnGuardField[],
  byHand: boolean,
): string {
  let value = '';
  for (const field of fields) {
    if (!(byHand && field.swipeOnly)) value = takeField(message, field);
  }
  return value;
}

function takeField(message: TextMessage, {name, width, form, sensitivity}: OnGuardField): string {
  const count = width ?? takeCount(message, name);
  const at = message.offset;
  const value = message.take(count, name, sensitivity ? {sensitivity} : {});
  if (!form || form.test(value)) return value;
  throw new PaylensError(2100, `On-Guard record: ${name} at ${message.unit} ${at} is malformed`);
}

function takeCount(message: TextMessage, name: string): number {
  const at = message.offset;
  const digits = message.take(COUNT_DIGITS, `length of ${name}`);
  if (/^\d\d$/.test(digits)) return Number(digits);
  const detail = `On-Guard record: length of ${name} at ${message.unit} ${at}: expected two digits`;
  throw new PaylensError(2100, detail);
}
