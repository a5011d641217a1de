import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {maskedPayload} from './hidden-cells.js';
import type {Inspection, inspectBoth} from './inspect-payload.js';
import {maskUnknown, type ShownPart} from './mask-part.js';

/**
 * A payload as a file may keep it: as it is, unless a card number can be read in it without a key;
 * then each character of card data is an asterisk.
 */
export function savedPayload(payload: string, both: ReturnType<typeof inspectBoth>): string {
  if (!showsCard(payload, both.clear)) return payload;
  const {text} = maskedPayload(payload, both);
  return both.clear.failure ? maskUnknown(text) : text;
}

/**
 * Whether a payload has a card number outside its ciphertext, not masked by the terminal. In one that
 * could not be read, nothing is known to be ciphertext.
 */
function showsCard(payload: string, {parts, encrypted, refusal, failure}: Inspection): boolean {
  if ((failure?.code ?? refusal?.errCode) === 2110) return true;
  if (failure && showsNumber(payload, maskUnknown)) return true;
  const isCiphertext = ({offset, length}: ShownPart) =>
    encrypted.some((one) => one.offset < offset + length && offset < one.offset + one.length);
  return parts.some((part) => !isCiphertext(part) && showsNumber(part.value));
}

function showsNumber(value: string, mask = redactCardNumbers): boolean {
  const shown = mask(value);
  // What divides hidden digits may be hidden with them.
  const hidden = Array.from(value, (character, i) => {
    if (!/[\da-z]/i.test(character)) return '';
    return shown[i] === character ? ' ' : character;
  });
  return hidden.join('').split(' ').some(isNoMask);
}

/** Some terminals mask with zeros, and with one digit that makes the check digit right. */
function isNoMask(hidden: string): boolean {
  const digits = /^(?:3\d)+$/.test(hidden) ? hidden.replaceAll(/3(\d)/g, '$1') : hidden;
  return digits.replaceAll('0', '').length > 1;
}
