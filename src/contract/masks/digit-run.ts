/** Lengths of card numbers (ISO/IEC 7812-1). */
const SHORTEST = 12;
const LONGEST = 19;
/** Between groups of digits, at most one: spaces and hyphens of all kinds, NUL as in UTF-16. */
export const GAP =
  '[ \\-\\0\\xa0\\xad\\u2000-\\u200b\\u2010-\\u2015\\u202f\\u205f\\u2060\\u2212\\u3000\\ufeff]';
/** Digits as the hex of ASCII. */
const ASCII_HEX = /(?:3\d){12,}/g;

const SHORT_RUN = 64;

/** Digits, by their index in a run, and which of them are hidden. */
class Digits {
  readonly text: string;
  /** How many hidden stretches begin, less how many end, at each digit; absent: none is hidden. */
  #edges: Numbers | undefined;
  #sums: Numbers | undefined;

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
    if (run.length <= SHORT_RUN) return this.#starredShort(run, edges);
    const characters = new TextEncoder().encode(run);
    let digit = 0;
    let depth = 0;
    for (let i = 0; i < characters.length; i++) {
      if (!isDigit(characters[i] ?? 0)) continue;
      depth += edges[digit++] ?? 0;
      if (depth > 0) characters[i] = STAR;
    }
    return new TextDecoder().decode(characters);
  }

  /** An encoder takes longer than a card number. */
  #starredShort(run: string, edges: Numbers): string {
    let starred = '';
    let digit = 0;
    let depth = 0;
    for (let i = 0; i < run.length; i++) {
      const isOne = isDigit(run.charCodeAt(i));
      if (isOne) depth += edges[digit++] ?? 0;
      starred += isOne && depth > 0 ? '*' : run.charAt(i);
    }
    return starred;
  }

  #add(at: number, edge: number): void {
    this.#edges ??= zeros(this.text.length + 1);
    this.#edges[at] = (this.#edges[at] ?? 0) + edge;
  }
}

/** Of the digits before each index: the sum with every even one doubled, then every odd one. */
function luhnSums(text: string): Numbers {
  const sums = zeros(2 * text.length + 2);
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    const doubled = digit > 4 ? 2 * digit - 9 : 2 * digit;
    const isEven = (i & 1) === 0;
    sums[2 * i + 2] = (sums[2 * i] ?? 0) + (isEven ? doubled : digit);
    sums[2 * i + 3] = (sums[2 * i + 1] ?? 0) + (isEven ? digit : doubled);
  }
  return sums;
}

type Numbers = number[] | Int32Array;

/** For a few numbers, a typed array takes longer to make than to use. */
function zeros(count: number): Numbers {
  return count <= 2 * SHORT_RUN ? new Array<number>(count).fill(0) : new Int32Array(count);
}

const ZERO = 0x30;
const STAR = 0x2a;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** Masks the card numbers in a run of digits, with or without a gap between groups of them. */
export function redactRun(run: string): string {
  if (run.length > LONGEST && NO_CARD.test(run)) return run;
  const digits = new Digits(run.replace(/\D/g, ''));
  hideCardNumbers(digits, groupEnds(run));
  return digits.starred(run);
}

/** Too few threes for the hex of ASCII, and no gap: a messageId. */
const NO_CARD = /^[0-24-9]*(?:3[0-24-9]*){0,11}$/;

/** The index of the digit after each group. */
function groupEnds(run: string): number[] {
  const ends: number[] = [];
  for (let i = 0; i < run.length; i++) if (!isDigit(run.charCodeAt(i))) ends.push(i - ends.length);
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
  // Bytes one by one.
  if (ends.length >= SHORTEST && ends.every((end, i) => end === 2 * i + 2))
    hideAsciiHex(digits, 0, start);
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
