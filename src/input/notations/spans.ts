import {byteRuns} from './byte-runs.js';
import type {Place} from './notation.js';

/** A run that may contain a payload, and the text that it represents. */
export interface Span extends Place {
  readonly text: string;
}

/** Shorter texts cannot be payloads. */
const MIN_SPAN_CHARS = 24;
/** The longest are looked into. */
const MAX_SPANS = 40;
/** Longer texts are searched only for quotes, brackets and runs of bytes. */
const MAX_LOG_CHARS = 16_384;

/** The places in a text where a payload may be; some lie in others. */
export function spansOf(text: string): Span[] {
  const quoted = quotedPlaces(text);
  const around = text.length > MAX_LOG_CHARS ? [] : [...values(text), ...objects(text)];
  const places = [...brackets(text), ...pemBlocks(text), ...around]
    .filter(({from, to}) => quoteAt(quoted, from) === quoteAt(quoted, to - 1))
    .concat(byteRuns(text));
  const spans = places.map(({from, to}) => ({from, to, text: text.slice(from, to)}));
  const all = [...strings(text, quoted), ...spans];
  const long = distinctSpans(all.filter((span) => span.text.trim().length >= MIN_SPAN_CHARS));
  return long.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_SPANS);
}

/** The number of the quoted place that holds a character; -1 outside, where the ends of others are. */
function quoteAt(quoted: readonly Place[], at: number): number {
  let [low, high] = [0, quoted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (quoted[middle]!.from <= at) low = middle;
    else high = middle - 1;
  }
  const place = quoted[low];
  return place && at >= place.from && at < place.to ? low : -1;
}

function distinctSpans(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((span) => [`${span.from} ${span.to} ${span.text}`, span])).values()];
}

const QUOTES: Readonly<Record<string, string>> = {
  ...{'"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '„': '“'},
};

/** Texts in quotes, and adjacent strings joined to one. */
function strings(text: string, quoted: readonly Place[]): Span[] {
  const each = quoted.map(({from, to}) => ({from, to, text: text.slice(from, to)}));
  const joined = chains(text, quoted).map((chain) => ({
    from: chain[0]!.from,
    to: chain.at(-1)!.to,
    text: joinedText(text, chain),
  }));
  return [...joined, ...each];
}

const OPENING = /(?<![A-Za-z0-9\\])(?:[bBrucL$])?(["'`“‘„])/g;

function quotedPlaces(text: string): Place[] {
  const found: Place[] = [];
  // A quote without its other one has none further on either.
  const alone = new Set<string>();
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [all, quote = ''] = match;
    if (alone.has(quote)) continue;
    const from = match.index + all.length;
    const to = closing(text, from, QUOTES[quote] ?? quote);
    if (to < 0) alone.add(quote);
    else found.push({from, to});
    if (to >= 0) opening.lastIndex = to + 1;
  }
  return found;
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** Visual Basic and its kin put line ends between strings by name. */
const LINE_ENDS = String.raw`(?:(?:vb(?:CrLf|NewLine|Lf)|Environment\.NewLine|System\.lineSeparator\(\))\s*[+.&]\s*)*`;
const BETWEEN = new RegExp(
  String.raw`^.\s*(?:[+.\\&_]\s*${LINE_ENDS})?(?:[bBrucL]?["'\`“‘„])$`,
  's',
);
const MAX_CHARS_BETWEEN = 80;

/** The strings of a chain, joined, with the line ends between them. */
function joinedText(text: string, chain: readonly Place[]): string {
  return chain
    .map(({from, to}, i) => {
      const between = i === 0 ? '' : text.slice(chain[i - 1]!.to, from);
      return (/[A-Za-z]{4}/.test(between) ? '\n' : '') + text.slice(from, to);
    })
    .join('');
}

function chains(text: string, quoted: readonly Place[]): Place[][] {
  const found: Place[][] = [];
  for (const place of quoted) {
    const chain = found.at(-1);
    const between = chain ? text.slice(chain.at(-1)!.to, place.from) : '';
    if (chain && between.length <= MAX_CHARS_BETWEEN && BETWEEN.test(between)) chain.push(place);
    else found.push([place]);
  }
  return found.filter(({length}) => length > 1);
}

const BRACKETS = [
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
  ['<', '>'],
] as const;

/** Text in a pair of brackets without another pair of the same kind inside. */
function brackets(text: string): Place[] {
  return BRACKETS.flatMap(([open, close]) => {
    const found: Place[] = [];
    let from = -1;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === open) from = at + 1;
      if (text[at] !== close || from < 0) continue;
      found.push({from, to: at});
      from = -1;
    }
    return found;
  });
}

/** How text of readers begins: keyboard text, tracks, text with names. */
const TEXT_BEGINNINGS =
  /(?<![0-9A-Za-z]|\p{Cc})(?:TVP\||\d\d\.(?=\d\w)|Format ID|E07\d|[%;](?=[\d*]))/gu;
const MAX_STARTS = 4;
const MEMBER_NAME = /[\w\])"']\s{0,4}(?:=>|[=:])\s*/g;

/** Text between the BEGIN and END lines of PEM and similar formats. */
function pemBlocks(text: string): Place[] {
  const found = text.matchAll(/-----BEGIN [^\n-]{0,80}-----\r?\n([^-]{24,})-----END /g);
  return [...found].map(({0: all, 1: body = '', index}) => {
    const from = index + all.indexOf('\n') + 1;
    return {from, to: from + body.length};
  });
}

/** Words, text after names, text that begins as a reader's, keyboard text by its length field. */
function values(text: string): Place[] {
  return [
    ...words(text),
    ...keyboardTexts(text),
    ...behindNames(text),
    ...readerTextPlaces(text),
  ].map((place) => withoutEnd(text, place));
}

function words(text: string): Place[] {
  return [...text.matchAll(/[^\s"'`]{24,}/g)].map(({0: word, index}) => ({
    from: index,
    to: index + word.length,
  }));
}

/** Characters of an ID TECH frame that its length does not count. */
export const AROUND_DATA = 12;

function keyboardTexts(text: string): Place[] {
  const starts = [...text.matchAll(/(?<![0-9A-Za-z])02([0-9A-F]{2})([0-9A-F]{2})/gi)];
  return starts.slice(0, 4 * MAX_STARTS).flatMap(({index: from, 1: low, 2: high}) => {
    const counted = Number.parseInt(`${high}${low}`, 16);
    return [counted + AROUND_DATA, 2 * counted + AROUND_DATA]
      .map((length) => ({from, to: from + length}))
      .filter(({to}) => to <= text.length);
  });
}

function behindNames(text: string): Place[] {
  const starts = [...text.matchAll(MEMBER_NAME)]
    .slice(0, MAX_STARTS)
    .map(({0: all, index}) => index + all.length);
  return starts.flatMap((from) => toEnds(text, from));
}

function readerTextPlaces(text: string): Place[] {
  const starts = [...text.matchAll(TEXT_BEGINNINGS)].slice(0, MAX_STARTS);
  return starts.flatMap(({index}) => toEnds(text, index));
}

/** To the end of the line, and to the end of all. */
function toEnds(text: string, from: number): Place[] {
  const end = text.indexOf('\n', from);
  const whole = {from, to: text.length};
  return end < 0 ? [whole] : [{from, to: end}, whole];
}

/** Without what ends a sentence or a statement. */
function withoutEnd(text: string, {from, to}: Place): Place {
  let end = to;
  while (end > from && /[\s,;."')\]}]/.test(text[end - 1]!)) end--;
  return {from, to: end};
}

/** Text in the outermost braces, including the braces. */
function objects(text: string): Place[] {
  const found: Place[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open.push(at);
    if (text[at] !== '}' || open.length === 0) continue;
    const from = open.pop()!;
    while (found.length > 0 && found.at(-1)!.from > from) found.pop();
    found.push({from, to: at + 1});
  }
  return found;
}
