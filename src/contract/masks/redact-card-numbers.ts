import {isDigit} from './character-class.js';
import {hideCoded} from './coded-digits.js';
import {SHORTEST} from './digit-run.js';
import {hideGrouped} from './grouped-digits.js';
import {HiddenText} from './hidden-text.js';
import {hidePlain} from './plain-digits.js';
import {hideBase64} from './redact-base64.js';
import {hideSpelled, mayBeSpelled} from './spelled-digits.js';

/** The most that is between two digits: three entities or tags. */
const FARTHEST = 24;
const FOREIGN = /[\xb2\xb3\xb9\u0660-\uffff]/;
const ESCAPED = /%[\da-f]{2}|\\[nrtu]|&[n#]/i;

/**
 * Masks every card number in `text`: 12 to 19 digits that satisfy Luhn, single spaces and hyphens
 * between groups allowed, or the same between groups as on a card or between bytes; as they are, in
 * any script, escaped or percent-encoded, in base64, or as the hex of ASCII, UTF-16, EBCDIC or
 * unpacked digits. The first six and last four digits stay, of 12 the last four. A longer run of
 * digits without a gap (a messageId) is left as it is, and so are the digits of UUIDs. Takes linear
 * time: every reading goes through the text once and marks what it hides.
 */
export function redactCardNumbers(text: string): string {
  const hidden = new HiddenText(text);
  const isEnough = hasDigits(text);
  if ((isEnough || FOREIGN.test(text)) && mayBeSpelled(text)) hideSpelled(hidden);
  if (isEnough) hideUnspelled(hidden);
  hideBase64(hidden, redactDecoded);
  return hidden.toString();
}

function redactDecoded(text: string): string {
  if (!hasDigits(text)) return text;
  const hidden = new HiddenText(text);
  hideUnspelled(hidden);
  return hidden.toString();
}

function hideUnspelled(hidden: HiddenText): void {
  hidePlain(hidden);
  hideGrouped(hidden, false);
  if (ESCAPED.test(hidden.text)) hideGrouped(hidden, true);
  hideCoded(hidden);
}

/** Whether somewhere there are as many digits as a card number has; most texts have not. */
function hasDigits(text: string): boolean {
  let count = 0;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) continue;
    count = i - last <= FARTHEST ? count + 1 : 1;
    last = i;
    if (count === SHORTEST) return true;
  }
  return false;
}
