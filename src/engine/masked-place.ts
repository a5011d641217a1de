import {PaylensError} from '../contract/paylens-error.js';
import {bytesFromHex} from '../platform/bytes.js';
import {CONTRADICTION, ContradictedCopy} from './card/evidence.js';
import {maskedNibbles, maskedText, maskedTrack} from './card/masked-pans.js';
import type {PayloadForm} from './families/terminal.js';
import {type Part, Trace} from './trace.js';

/**
 * The error with the place of the masked copy that it is about, if a part of the payload is that copy:
 * it is read once more, since a good read names no parts.
 */
export function withMaskedPlace(error: unknown, form: PayloadForm, payload: string): unknown {
  if (!(error instanceof PaylensError && error.cause instanceof ContradictedCopy)) return error;
  const {shown} = error.cause;
  const trace = new Trace();
  form.read(payload, trace);
  const {parts} = trace;
  const part =
    parts.findLast((one) => isCopy(one, shown)) ?? parts.findLast((one) => hasCopy(one, shown));
  const {code, detail, hint} = error;
  if (!part) return new PaylensError(code, detail, CONTRADICTION);
  const {name, offset, length} = part;
  return new PaylensError(code, detail, {hint, fault: {kind: 'masked-copy', name, offset, length}});
}

/** True for a part that is this copy, or gives its number; zeros may hide digits, too. */
function isCopy({value, text = value}: Part, shown: string): boolean {
  const bytes = bytesFromHex(value);
  const numbers = [
    ...[text, value].flatMap((one) => [...maskedText('', one), ...maskedTrack('', one)]),
    ...(bytes ? maskedNibbles('', bytes) : []),
  ];
  const all = [text, value, ...numbers.map(({pan}) => pan)];
  return all.some((one) => hiddenByZeros(one) === hiddenByZeros(shown));
}

/** True for a part that has more than the copy: a prefix, its format. */
function hasCopy({value, text = value}: Part, shown: string): boolean {
  return hiddenByZeros(text.replaceAll(/\D/g, '*')).includes(hiddenByZeros(shown));
}

function hiddenByZeros(shown: string): string {
  return shown.replaceAll('0', '*');
}
