import {redactBase64} from './redact-base64.js';

/** Lengths of card numbers (ISO/IEC 7812-1). */
const SHORTEST = 12;
const LONGEST = 19;
/** Twelve digits or more, single spaces and hyphens between groups allowed. */
const DIGITS = /\d(?:[ -]?\d){11,}/g;
/** The digits of one with letters are chance, and no card. */
const UUID =
  /(?<![\da-z])(?=[\da-f]{8}-)(?=[\d-]{0,35}[a-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/i;
const UUID_OR_DIGITS = new RegExp(
  `${UUID.source}|(\\d(?:(?:[ -](?!${UUID.source}))?\\d){11,})`,
  'gi',
);
/**
 * An escape whose last digits need not be part of the card number after it: `%20`, `%2520`,
 * `\\u0000`.
 */
const ESCAPES = ['%', '%25', '%2525', '%252525', '\\\\x', '\\\\u[\\da-f]{2}'].map(
  (start) => new RegExp(`${start}[\\da-f]{2}`, 'iy'),
);
const LONGEST_ESCAPE = 9;
const BEHIND_ESCAPE = '(?<=(?:%(?:25){0,3}|\\\\x|\\\\u[\\da-f]{2})[\\da-f]\\d)';
/** Digits as the hex of ASCII. */
const ASCII_HEX = /(?:3\d){12,}/g;
/** Groups as on a card, with the same between them: dots, two spaces, `+` or `%20` of a target. */
const BETWEEN = '(?![ -]\\d)(?:%[\\da-f]{2}|\\\\[nrt]|[^\\da-z]){1,3}';
const GROUPED = new RegExp(
  `(?:(?<!\\d)|${BEHIND_ESCAPE})\\d{4}(?:(${BETWEEN})\\d{4}\\1\\d{4}\\1\\d{4}(?:\\1\\d{1,3})?|(${BETWEEN})\\d{6}\\2\\d{4,5})(?!\\d)`,
  'gi',
);
/** Digits and spaces as they may occur in a request target: encoded once or more, or full-width. */
const CELL = /%(?:25)*3\d|[\d０-９]|%2[0d]|[ +-]/gi;
const CELLS = /(?:(?:%(?:25)*3\d|[\d０-９])(?:%2[0d]|[ +-])?){12,}/gi;
const ENCODED = /%(?:25)*3\d|[０-９]/;

/** The hex of UTF-16 in either byte order, spaces and hyphens between groups. */
const UTF16_HEX = /3\d(?:00(?:2[0D]00)?3\d){11,}/gi;
const HAS_UTF16_HEX = /3\d(?:003\d){2}/;

/**
 * Masks every card number in `text`: 12 to 19 digits that satisfy Luhn, single spaces and hyphens
 * between groups allowed, or the same between groups of four; as they are, as the hex of ASCII or
 * of UTF-16, in base64 or percent-encoded. The first six and last four digits stay, of 12 the last
 * four. A longer run of digits without a gap (a messageId) is left as it is, and so are the digits
 * of UUIDs. Takes linear time.
 */
export function redactCardNumbers(text: string): string {
  const plain = ENCODED.test(text) ? text.replace(CELLS, redactEncodedIn) : text;
  const wide = HAS_UTF16_HEX.test(plain) ? plain.replace(UTF16_HEX, redactWide) : plain;
  return redactText(redactBase64(wide, redactText));
}

function redactText(text: string): string {
  return redact(text.replace(GROUPED, redactGroups));
}

function redactWide(run: string): string {
  const cells = run.match(/..(?:00)?/g) ?? [];
  const redacted = redact(
    cells.map((cell) => String.fromCharCode(Number.parseInt(cell.slice(0, 2), 16))).join(''),
  );
  return cells.map((cell, i) => (redacted[i] === '*' ? `**${cell.slice(2)}` : cell)).join('');
}

/** Nothing is allocated for digits that are not a card number: a long text may be full of them. */
function redactGroups(groups: string, one?: string, other?: string): string {
  const digits = groups.replaceAll(one ?? other ?? ' ', '');
  return hasCheckDigit(digits) ? redactGroup(groups, digits.length) : groups;
}

function redactGroup(groups: string, count: number): string {
  let index = 0;
  return groups.replace(/%..|\d/g, (cell) => {
    if (cell.length > 1) return cell;
    index++;
    return index > 6 && index <= count - 4 ? '*' : cell;
  });
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - ZERO;
    const doubled = digit > 4 ? 2 * digit - 9 : 2 * digit;
    sum += i % 2 === 0 ? digit : doubled;
  }
  return sum % 10 === 0;
}

function redact(text: string): string {
  if (text.search(DIGITS) < 0) return text;
  if (!UUID.test(text)) return text.replace(DIGITS, redactRunIn);
  return text.replace(UUID_OR_DIGITS, (found, run, at, whole) =>
    run === undefined ? found : redactRunIn(run, at, whole),
  );
}

function redactRunIn(run: string, at: number, text: string): string {
  return redactBehindEscapes(redactRun(run), at, text, redact);
}

function redactEncodedIn(run: string, at: number, text: string): string {
  const redactCells = (cells: string) => cells.replace(CELLS, redactEncoded);
  return redactBehindEscapes(redactEncoded(run), at, text, redactCells);
}

/**
 * An apparent escape may also be digits of a card number, so the results of both readings are
 * hidden.
 */
function redactBehindEscapes(
  run: string,
  at: number,
  text: string,
  hide: (rest: string) => string,
): string {
  let redacted = run;
  for (let start = Math.max(at - LONGEST_ESCAPE, 0); start < at; start++) {
    if (!'%\\'.includes(text.charAt(start))) continue;
    for (const form of ESCAPES) {
      form.lastIndex = start;
      const skipped = form.test(text) ? form.lastIndex - at : 0;
      if (skipped > 0) redacted = redacted.slice(0, skipped) + hide(redacted.slice(skipped));
    }
  }
  return redacted;
}

function redactEncoded(run: string): string {
  const decoded = run.replace(/%(?:25)*3(?=\d)/g, '').replace(/%2[0d]|[+-]/gi, ' ');
  const plain = decoded.normalize('NFKC');
  const redacted = redact(plain);
  if (redacted === plain) return run;
  let index = 0;
  return run.replace(CELL, (cell) => (redacted[index++] === '*' ? '*' : cell));
}

/** Digits, by their index in a run, and which of them are hidden. */
class Digits {
  readonly text: string;
  /** How many hidden stretches begin, less how many end, at each digit; absent: none is hidden. */
  #edges: Int32Array | undefined;
  #sums: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  satisfyLuhn(start: number, end: number): boolean {
    this.#sums ??= luhnSums(this.text);
    const sums = this.#sums;
    const last = end & 1;
    return ((sums[2 * end + last] ?? 0) - (sums[2 * start + last] ?? 0)) % 10 === 0;
  }

  hide(from: number, to: number): void {
    this.#add(from, 1);
    this.#add(to, -1);
  }

  /** Hides the pairs, starting at `start`, that encode hidden digits of `decoded`. */
  hidePairs(start: number, decoded: Digits): void {
    for (const [i, edge] of decoded.#edges?.entries() ?? []) this.#add(start + 2 * i, edge);
  }

  /** The run that these are the digits of, with asterisks for those that are hidden. */
  starred(run: string): string {
    const edges = this.#edges;
    if (!edges) return run;
    const characters = new TextEncoder().encode(run);
    let digit = 0;
    let depth = 0;
    for (let i = 0; i < characters.length; i++) {
      if ((characters[i] ?? 0) < ZERO) continue;
      depth += edges[digit++] ?? 0;
      if (depth > 0) characters[i] = STAR;
    }
    return new TextDecoder().decode(characters);
  }

  #add(at: number, edge: number): void {
    this.#edges ??= new Int32Array(this.text.length + 1);
    this.#edges[at] = (this.#edges[at] ?? 0) + edge;
  }
}

/** Of the digits before each index: the sum with every even one doubled, then every odd one. */
function luhnSums(text: string): Int32Array {
  const sums = new Int32Array(2 * text.length + 2);
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    const doubled = digit > 4 ? 2 * digit - 9 : 2 * digit;
    const isEven = (i & 1) === 0;
    sums[2 * i + 2] = (sums[2 * i] ?? 0) + (isEven ? doubled : digit);
    sums[2 * i + 3] = (sums[2 * i + 1] ?? 0) + (isEven ? digit : doubled);
  }
  return sums;
}

const ZERO = 0x30;
const STAR = 0x2a;

function redactRun(run: string): string {
  if (run.length > LONGEST && NO_CARD.test(run)) return run;
  const digits = new Digits(run.replace(/[ -]/g, ''));
  hideCardNumbers(digits, groupEnds(run));
  return digits.starred(run);
}

/** Too few threes for the hex of ASCII, and no gap: a messageId. */
const NO_CARD = /^[0-24-9]*(?:3[0-24-9]*){0,11}$/;

/** The index of the digit after each group. */
function groupEnds(run: string): number[] {
  const ends: number[] = [];
  for (let i = 0; i < run.length; i++) if (run.charCodeAt(i) < ZERO) ends.push(i - ends.length);
  ends.push(run.length - ends.length);
  return ends;
}

/** A card number may be between other numbers, so every stretch of complete groups is tried. */
function hideCardNumbers(digits: Digits, ends: readonly number[]): void {
  let start = 0;
  let group = 0;
  for (const end of ends) {
    if (end - start <= LONGEST) hideStretches(digits, ends, group, start);
    else hideAsciiHex(digits, start, end);
    start = end;
    group++;
  }
}

/** Hides the stretches from one group on that satisfy Luhn; the longest one covers the others. */
function hideStretches(digits: Digits, ends: readonly number[], group: number, start: number) {
  let [from, to] = [0, 0];
  for (let next = group; next < ends.length; next++) {
    const end = ends[next] ?? 0;
    const length = end - start;
    if (length > LONGEST) break;
    if (length < SHORTEST || !digits.satisfyLuhn(start, end)) continue;
    if (to === 0) from = length > SHORTEST ? start + 6 : start;
    to = end - 4;
  }
  if (to > 0) digits.hide(from, to);
}

/** Decoded hex may itself be hex of ASCII. */
function hideAsciiHex(digits: Digits, start: number, end: number): void {
  for (const {0: hex, index} of digits.text.slice(start, end).matchAll(ASCII_HEX)) {
    const decoded = new Digits(hex.replace(/3(\d)/g, '$1'));
    hideCardNumbers(decoded, [decoded.text.length]);
    digits.hidePairs(start + index, decoded);
  }
}
