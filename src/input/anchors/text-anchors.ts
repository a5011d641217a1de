import {parseJsonObject} from '../../contract/parse-json.js';
import {attempt} from '../attempt.js';
import {AROUND_DATA} from '../notations/spans.js';

const MAX_HEX_RUNS = 6;
const MIN_ANCHOR_DIGITS = 32;
/** Pairs of hex digits, adjacent or all separated by the same character. */
const HEX_RUN =
  /(?<![0-9A-Za-z])[0-9A-Fa-f]{2}(?:(?:[0-9A-Fa-f]{2}){7,}|([ :-])(?:[0-9A-Fa-f]{2}\1){6,}[0-9A-Fa-f]{2})(?![0-9A-Za-z])/g;

/**
 * Finds payloads that may be in other text, such as a log line: runs of hex digits, those of all
 * lines together, JSON objects, XML documents, and text with the beginning and end of a reader's
 * text formats. Longest first.
 */
export function textAnchors(text: string): string[] {
  const runs = runsOfPairs(text);
  const joined = linesTogether(text);
  const all = [
    ...joined,
    ...runs.slice(0, MAX_HEX_RUNS),
    ...objectsIn(text),
    ...documentsIn(text),
    ...readerTexts(text),
    ...valuesIn(text),
  ];
  const whole = text.replaceAll(/\s/g, '');
  return [...new Set(all)].filter((one) => one !== text && one !== whole);
}

function runsOfPairs(text: string): string[] {
  return [...text.matchAll(HEX_RUN)]
    .map(([run]) => run.replaceAll(/[ :-]/g, ''))
    .filter(({length}) => length >= MIN_ANCHOR_DIGITS)
    .sort((a, b) => b.length - a.length);
}

/** A payload that was logged in fragments: the last run of each line. */
function linesTogether(text: string): string[] {
  const pieces = text.split(/\r?\n/).flatMap((line) => {
    const runs = [...line.matchAll(HEX_RUN)].map(([run]) => run.replaceAll(/[ :-]/g, ''));
    return runs.at(-1) ?? [];
  });
  return pieces.length < 2 ? [] : [pieces.join('')];
}

const MAX_OBJECTS = 4;

/** The texts in braces, outermost first. */
function objectsIn(text: string): string[] {
  const starts = [...text.matchAll(/\{/g)].slice(0, MAX_OBJECTS);
  return starts.flatMap(({index: from}) => {
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      if (text[at] === '{') depth++;
      if (text[at] === '}' && --depth === 0) return [text.slice(from, at + 1)];
    }
    return [];
  });
}

/** The first tags of text, by which the XML documents in it may begin, and their ends. */
function documentsIn(text: string): string[] {
  const starts = [...text.matchAll(/<([A-Za-z][\w:.-]{0,63})[\s>]/g)].slice(0, MAX_OBJECTS);
  return starts.flatMap(({index: from, 1: name}) => {
    const end = `</${name}>`;
    const to = text.lastIndexOf(end);
    return to > from ? [text.slice(from, to + end.length)] : [];
  });
}

/** The strings in a line of JSON, and the payloads in them. */
function valuesIn(text: string): string[] {
  const object = text.trimStart().startsWith('{')
    ? attempt(() => parseJsonObject(text))
    : undefined;
  return object ? longStrings(object).flatMap((value) => [value, ...textAnchors(value)]) : [];
}

const MAX_VALUES = 20;

function longStrings(value: unknown): string[] {
  if (typeof value === 'string') return value.length < MIN_ANCHOR_DIGITS ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(longStrings).slice(0, MAX_VALUES);
}

/** Beginnings of readers' text formats: keyboard text, tracks, text with names, base64. */
const BEGINNINGS =
  /(?<![0-9A-Za-z])(?:02(?=[0-9A-Fa-f]{8})|%(?=\*?[A-Z]?[\d*]{6})|;(?=[\d*]{6})|TVP\||M001\||DE-?(?=\d{1,3}[ \t]*[:=])|\d\d\.(?=\d\w)|Format ID|[A-Za-z]\w{1,12}=(?=[^=\s])|[A-Za-z][\w ]{1,40} = (?=\S)|[A-Za-z][\w ]{1,20}: ?(?=[0-9A-Fa-f]{16})|[A-Za-z0-9+/]{40})/g;
const ENDS = /["'`<>[\](){},;&\s]+/g;
const MAX_BEGINNINGS = 12;
const MAX_TEXT_ENDS = 10;
const MIN_TEXT_CHARS = 40;

function readerTexts(text: string): string[] {
  const starts = [...text.matchAll(BEGINNINGS)].slice(0, MAX_BEGINNINGS);
  const last = [...text.matchAll(ENDS)].map(({index}) => index).slice(-MAX_TEXT_ENDS);
  return starts.flatMap(({index: from}) => {
    const [, low = '', high = ''] = /^02(..)(..)/.exec(text.slice(from, from + 6)) ?? [];
    const counted = from + AROUND_DATA + Number.parseInt(high + low, 16);
    return [text.length, ...last.toReversed(), counted]
      .filter((to) => to - from >= MIN_TEXT_CHARS && to <= text.length)
      .map((to) => text.slice(from, to).trimEnd());
  });
}
