import {parseJsonObject} from '../../contract/parse-json.js';
import {attempt} from '../attempt.js';
import {hexLines} from './hex-lines.js';
import {firstObjects} from './places.js';
import {readerTexts} from './reader-text.js';

const MAX_HEX_RUNS = 6;
const MIN_ANCHOR_DIGITS = 32;
/** Pairs of hex digits, adjacent or all separated by the same character. */
const RUN_OF_PAIRS =
  /(?<![0-9A-Za-z])[0-9A-Fa-f]{2}(?:(?:[0-9A-Fa-f]{2}){7,}|([ :-])(?:[0-9A-Fa-f]{2}\1){6,}[0-9A-Fa-f]{2})(?![0-9A-Za-z])/g;

/**
 * The payloads that may be in other text, such as a line of a log, for `diagnose`, which can afford
 * mistakes: runs of hex digits, those of all lines together, JSON objects, XML documents, text that
 * begins as a reader's, and the strings in JSON.
 */
export function looseTexts(text: string): string[] {
  const all = [
    ...linesTogether(text),
    ...runsOfPairs(text)
      .filter(({length}) => length >= MIN_ANCHOR_DIGITS)
      .sort((a, b) => b.length - a.length)
      .slice(0, MAX_HEX_RUNS),
    ...firstObjects(text).map(({from, to}) => text.slice(from, to)),
    ...documentsIn(text),
    ...readerTexts(text),
    ...stringsInJson(text),
  ];
  const whole = text.replaceAll(/\s/g, '');
  return [...new Set(all)].filter((one) => one !== text && one !== whole);
}

function runsOfPairs(text: string): string[] {
  return [...text.matchAll(RUN_OF_PAIRS)].map(([run]) => run.replaceAll(/[ :-]/g, ''));
}

/** A payload that was logged in fragments: lines that begin alike, or the last run of each line. */
function linesTogether(text: string): string[] {
  const alike = hexLines(text).map(({digits}) => digits);
  if (alike.length > 0) return alike;
  const pieces = text.split(/\r?\n/).flatMap((line) => runsOfPairs(line).at(-1) ?? []);
  return pieces.length < 2 ? [] : [pieces.join('')];
}

const MAX_DOCUMENTS = 4;

/** From the first tags of a text, by which XML documents may begin, to their first and last ends. */
function documentsIn(text: string): string[] {
  const starts = [...text.matchAll(/<([A-Za-z][\w:.-]{0,63})[\s>]/g)].slice(0, MAX_DOCUMENTS);
  return starts.flatMap(({index: from, 1: name}) => {
    const end = `</${name}>`;
    const ends = new Set([text.indexOf(end, from), text.lastIndexOf(end)]);
    return [...ends].flatMap((to) => (to > from ? [text.slice(from, to + end.length)] : []));
  });
}

/** The strings in a line of JSON, and the payloads in them. */
function stringsInJson(text: string): string[] {
  const object = text.trimStart().startsWith('{')
    ? attempt(() => parseJsonObject(text))
    : undefined;
  return object ? longStrings(object).flatMap((value) => [value, ...looseTexts(value)]) : [];
}

const MAX_STRINGS = 20;

function longStrings(value: unknown): string[] {
  if (typeof value === 'string') return value.length < MIN_ANCHOR_DIGITS ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(longStrings).slice(0, MAX_STRINGS);
}
