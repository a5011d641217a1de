import {hideGroups, MIN_CARD_DIGITS} from './digit-groups.js';
import {readBase64, readHex} from './encoded-bytes.js';
import {unescaped} from './escapes.js';
import {HiddenText} from './hidden-text.js';
import {CONTEXT_CHARS} from './never-cards.js';
import {normalised, normalisedPart, Reading} from './reading.js';

/** An encoded text may hold encoded text, and an escaped one escapes. */
const MAX_ENCODINGS = 3;
const MAX_ESCAPES = 4;
/** The most that is between two digits of one number: three entities or tags. */
const MAX_CHARS_BETWEEN = 24;
/** A longer part ends at the next gap; what stands around a part is read with it. */
const LONG_PART_CHARS = 2048;
const MIN_GAP_CHARS = 8;

/**
 * Masks every card number in `text`: 12 to 19 digits that satisfy Luhn, in whole groups. Groups are
 * divided by one character that is neither letter nor digit, or by at most three spaces, commas,
 * dashes, dots and the like. Digits are read in any script, in escapes, in hex (packed, of ASCII,
 * EBCDIC, UTF-16 or unpacked digits) and in base64. The first six and last four digits stay, of 12
 * the last four. Dates and times, IP addresses, UUIDs and KSNs stay (never-cards.ts), and so does a
 * longer group of digits (a messageId). Takes linear time.
 */
export function redactCardNumbers(text: string): string {
  return redact(text, false);
}

/** The same with an asterisk for every hidden character, also where one is escaped. */
export function redactInPlace(text: string): string {
  return redact(text, true);
}

function redact(text: string, keepsLength: boolean): string {
  const hidden = new HiddenText(text);
  for (const [from, to] of digitParts(text))
    hideIn(normalisedPart(text, from, to, keepsLength), hidden, 0);
  readBase64(new Reading(true, text), (decoded) => hideIn(decoded, hidden, 1));
  return hidden.toString();
}

/**
 * Hides in base64 what `redact` hides in the encoded text: the characters of each hidden byte become
 * asterisks. `redact` must keep lengths.
 */
export function redactBase64(text: string, redact: (decoded: string) => string): string {
  const hidden = new HiddenText(text);
  readBase64(new Reading(true, text), (decoded) => {
    const redacted = redact(decoded.text);
    for (let i = 0; i < redacted.length; i++)
      if (redacted[i] !== decoded.text[i]) hidden.hide(decoded.start(i), decoded.end(i), false);
  });
  return hidden.toString();
}

/** The parts that hold as many digits as a card number has; most texts have none. */
function* digitParts(text: string): Generator<[from: number, to: number]> {
  let count = 0;
  let first = 0;
  let last = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !isDigitAt(text, i)) continue;
    const max = last - first > LONG_PART_CHARS ? MIN_GAP_CHARS : MAX_CHARS_BETWEEN;
    if (i - last > max || i === text.length) {
      if (count >= MIN_CARD_DIGITS)
        yield [Math.max(0, first - CONTEXT_CHARS), Math.min(text.length, last + CONTEXT_CHARS)];
      count = 0;
    }
    if (count++ === 0) first = i;
    last = i;
  }
}

function isDigitAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return code >= 0x30 && code <= 0x39;
  return /\d/.test(normalised(String.fromCodePoint(text.codePointAt(index) ?? 0)));
}

/** Hides the card numbers of a reading, of its escaped text and of what either encodes. */
function hideIn(reading: Reading, hidden: HiddenText, encodings: number): void {
  const readings = [reading];
  for (
    let next = unescaped(reading);
    next && readings.length <= MAX_ESCAPES;
    next = unescaped(next)
  )
    readings.push(next);
  for (const one of readings) hideNumbers(one, hidden);
  if (encodings === MAX_ENCODINGS) return;
  const visit = (decoded: Reading) => hideIn(decoded, hidden, encodings + 1);
  for (const one of readings) {
    readHex(one, visit);
    if (encodings > 0 || one !== reading) readBase64(one, visit);
  }
}

function hideNumbers(reading: Reading, hidden: HiddenText): void {
  hideGroups(reading.text, (places) => {
    for (const at of places) hidden.hide(reading.start(at), reading.end(at), !reading.keepsLength);
  });
}
