import {hideCards} from './digit-groups.js';
import {BASE64, type ByteEncoding, type Decoded, decodings, HEX} from './encoded-bytes.js';
import {HiddenText, Layer} from './layer.js';
import {fromUtf8, normalised, unescaped, withoutMarks} from './normalised.js';

/** An encoded text may hold encoded text, and an escaped one escapes. */
const MAX_ENCODINGS = 3;
const MAX_ESCAPES = 4;

/**
 * Masks every card number in `text`: 12 to 19 digits that satisfy Luhn, in whole groups. Groups are
 * divided by one character that is neither letter nor digit, or by at most three spaces, commas,
 * dashes, dots and the like. Digits are read in any script, in escapes, in hex (packed, of ASCII,
 * EBCDIC, UTF-16 or unpacked digits) and in base64. The first six and last four digits stay, of 12
 * the last four. Dates and times, IP addresses, UUIDs and KSNs stay (digit-groups.ts), and so does a
 * longer group of digits (a messageId). Takes linear time.
 */
export function redactCardNumbers(text: string): string {
  return redact(text, false);
}

/** The same with an asterisk for every hidden character, also where one is escaped. */
export function redactInPlace(text: string): string {
  return redact(text, true);
}

/**
 * Between two words, and after a line that ends with a bracket, no number, encoded text or escape
 * goes on: long texts are read in parts.
 */
const PART_END = /(?<=[g-z])(?= [g-z])|(?<=[\]}]\r?\n)/gi;
const MIN_PART_CHARS = 256;
/** Fewer characters than a card number has digits; one of another script may stand for several. */
const SHORT_ASCII = /^[\0-\x7f]{0,11}$/;

function redact(text: string, keepsLength: boolean): string {
  if (SHORT_ASCII.test(text)) return text;
  let redacted = '';
  for (let start = 0, end = 0; start < text.length; start = end) {
    PART_END.lastIndex = start + MIN_PART_CHARS;
    end = PART_END.exec(text)?.index ?? text.length;
    const part = text.slice(start, end);
    const hidden = new HiddenText(part);
    hideIn({layer: normalised(new Layer(part, keepsLength)), isText: true}, hidden, 0);
    redacted += hidden.toString();
  }
  return redacted;
}

/**
 * Hides in base64 what `redact` hides in the encoded text: the characters of each hidden byte become
 * asterisks. `redact` must keep lengths.
 */
export function redactBase64(text: string, redact: (decoded: string) => string): string {
  const hidden = new HiddenText(text);
  for (const {layer} of decodings(new Layer(text, true), BASE64)) {
    const redacted = redact(layer.text);
    for (let i = 0; i < redacted.length; i++)
      if (redacted[i] !== layer.text[i]) hidden.hide(layer, i);
  }
  return hidden.toString();
}

/** As many digits as a card number has, with at most three entities or tags between two of them. */
const MANY_DIGITS = /\d(?:\D{0,24}\d){11}/;

/** Hides the card numbers of a text, of its escaped text and of what either encodes. */
function hideIn({layer: given, isText}: Decoded, hidden: HiddenText, encodings: number): void {
  const layers: Layer[] = [];
  for (let next: Layer | undefined = given; next && layers.length <= MAX_ESCAPES; ) {
    layers.push(next);
    next = unescaped(next);
  }
  const holding = layers
    .filter(({text}) => MANY_DIGITS.test(text))
    .map((layer) => withoutMarks(layer) ?? layer);
  for (const layer of holding) hideCards(layer.text, (at) => hidden.hide(layer, at));
  if (encodings === MAX_ENCODINGS) return;
  const decode = (layer: Layer, encoding: ByteEncoding) => {
    for (const {layer: bytes, isText} of decodings(layer, encoding))
      hideIn({layer: isText ? fromUtf8(bytes) : bytes, isText}, hidden, encodings + 1);
  };
  for (const layer of holding) decode(layer, HEX);
  if (isText) for (const layer of layers) decode(layer, BASE64);
}
