import type {Place} from './notation.js';
import {quotedPlaces, quotedTexts} from './quoted-text.js';
import {COUNTED_TEXT, countedEnds, READER_TEXT} from './reader-text.js';
import {byteRuns} from './table.js';

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

/** The places in a text where a payload may be, the longest first; some contain others. */
export function findPlaces(text: string): Span[] {
  const quoted = quotedPlaces(text);
  const around = text.length > MAX_LOG_CHARS ? [] : [...values(text), ...objects(text)];
  const places = [...brackets(text), ...pemBlocks(text), ...around]
    .filter(({from, to}) => quoteAt(quoted, from) === quoteAt(quoted, to - 1))
    .concat(byteRuns(text));
  const spans = places.map(({from, to}) => ({from, to, text: text.slice(from, to)}));
  const all = [...quotedTexts(text, quoted), ...spans];
  const long = all.filter((span) => span.text.trim().length >= MIN_SPAN_CHARS);
  const distinct = new Map(long.map((span) => [`${span.from} ${span.to} ${span.text}`, span]));
  return [...distinct.values()].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_SPANS);
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

/** A pair of brackets, from the opening one to the end of the closing one. */
interface Pair extends Place {
  /** There is no other pair of the same kind inside. */
  readonly isInner: boolean;
}

/** The pairs of brackets in a text, in the order of their ends. */
function pairs(text: string, open: string, close: string): Pair[] {
  const found: Pair[] = [];
  const opened: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) opened.push(at);
    if (text[at] !== close || opened.length === 0) continue;
    const from = opened.pop()!;
    found.push({from, to: at + 1, isInner: (found.at(-1)?.from ?? -1) < from});
  }
  return found;
}

const BRACKETS = [
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
  ['<', '>'],
] as const;

/** Text in a pair of brackets without another pair of the same kind inside. */
function brackets(text: string): Place[] {
  return BRACKETS.flatMap(([open, close]) =>
    pairs(text, open, close)
      .filter(({isInner}) => isInner)
      .map(({from, to}) => ({from: from + 1, to: to - 1})),
  );
}

/** Text in the outermost braces, including the braces. */
function objects(text: string): Place[] {
  const found: Place[] = [];
  for (const pair of pairs(text, '{', '}')) {
    while (found.length > 0 && found.at(-1)!.from > pair.from) found.pop();
    found.push(pair);
  }
  return found;
}

const MAX_OBJECTS = 4;

/** The texts in the first braces, outermost first. */
export function firstObjects(text: string): Place[] {
  return pairs(text, '{', '}')
    .sort((a, b) => a.from - b.from)
    .slice(0, MAX_OBJECTS);
}

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
  const lines = [...startsOf(text, MEMBER_NAME, 'end'), ...startsOf(text, READER_TEXT, 'begin')];
  // To the end of the line, and to the end of all.
  const toEnds = lines.flatMap((from) => {
    const end = text.indexOf('\n', from);
    return end < 0 ? [{from, to: text.length}] : [end, text.length].map((to) => ({from, to}));
  });
  return [...words(text), ...keyboardTexts(text), ...toEnds].map(({from, to}) => {
    // Without what ends a sentence or a statement.
    let end = to;
    while (end > from && /[\s,;."')\]}]/.test(text[end - 1]!)) end--;
    return {from, to: end};
  });
}

function words(text: string): Place[] {
  return [...text.matchAll(/[^\s"'`]{24,}/g)].map(({0: word, index}) => ({
    from: index,
    to: index + word.length,
  }));
}

const MAX_STARTS = 4;
const MEMBER_NAME = /[\w\])"']\s{0,4}(?:=>|[=:])\s*/g;

function startsOf(text: string, pattern: RegExp, edge: 'begin' | 'end'): number[] {
  return [...text.matchAll(pattern)]
    .slice(0, MAX_STARTS)
    .map(({0: all, index}) => index + (edge === 'end' ? all.length : 0));
}

function keyboardTexts(text: string): Place[] {
  const starts = [...text.matchAll(COUNTED_TEXT)].slice(0, 4 * MAX_STARTS);
  return starts.flatMap(({index: from}) =>
    countedEnds(text, from)
      .filter((to) => to <= text.length)
      .map((to) => ({from, to})),
  );
}
