import {PaylensError} from '../../contract/paylens-error.js';
import {bytesFromHex, isHex} from '../../platform/bytes.js';
import type {TerminalType} from '../devices/registry.js';
import {hexDumps} from './hex-dump.js';
import {hexLines} from './hex-lines.js';
import {JUDGEMENTS, type Judgement, judge} from './judge.js';
import {type Meant, meanings, payloadsOf} from './notations.js';
import {plainCharacters} from './plain-characters.js';
import {type Place, type Span, spansOf} from './spans.js';

/** A payload as a person pasted it, and in a sentence what was undone. */
export interface Paste {
  readonly payload: string;
  readonly note: string;
}

/** A reading of one place of the text. */
interface Candidate extends Place {
  readonly payload: string;
  readonly notation: string;
  readonly judgement: Judgement;
}

/** The members of a request: JSON that has them is never taken apart. */
const REQUEST = /["']device_?(?:type|payload)\\?["']/i;
/** Characters that the readers are asked about: more are no paste of a person. */
const MOST_JUDGED = 100_000;

/**
 * Reads a payload in a notation that no terminal sends: bytes as an array, a hex dump, base64, a string
 * with escapes, and text around it. `deviceType` names the only terminal that may have sent it.
 * Undefined when no terminal recognises anything in it. Throws 2100 when there are two payloads, or two
 * ways to read one, and when a hex dump lacks lines or swaps bytes.
 */
export function readPaste(text: string, deviceType?: TerminalType): Paste | undefined {
  if (REQUEST.test(text)) return undefined;
  const paste = readPlain(plainCharacters(text), deviceType);
  const isSame = paste && bare(paste.payload) === bare(text) && isRead(text.trim(), deviceType);
  return isSame ? undefined : paste;
}

function isRead(text: string, deviceType: TerminalType | undefined): boolean {
  return ['intact', 'weak'].includes(judge(text, deviceType));
}

function readPlain(text: string, deviceType: TerminalType | undefined): Paste | undefined {
  const dumps = hexDumps(text).map((dump) => ({
    ...dump,
    payloads: payloadsOf(dump.bytes),
    notation: 'a hex dump',
  }));
  const judged = candidates(text, dumps, deviceType);
  const chosen = choose(text, judged);
  return chosen && {payload: chosen.payload, note: noteOf(text, chosen)};
}

/** The case of hex digits counts in keyboard text, and is not for us to change. */
function bare(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

type Placed = Meant & Place;

function candidates(
  text: string,
  dumps: readonly Placed[],
  deviceType: TerminalType | undefined,
): Candidate[] {
  const judgeOnce = judging(deviceType);
  const whole = dumps.length > 0 ? [] : meaningsAt({from: 0, to: text.length, text});
  // What is inside a damaged payload was not sent by itself, unless only its end is text.
  const isDamaged = dumps.length === 0 && judgeOnce(text.trim()) === 'damaged';
  const begin = text.length - text.trimStart().length;
  const rest = blanked(text, dumps);
  const inside = spansOf(rest)
    .filter(({from}) => !isDamaged || from === begin)
    .flatMap(meaningsAt);
  const lines = hexLines(rest).map(({from, to, digits}) => ({
    ...{from, to, notation: 'hex digits in lines'},
    payloads: [digits, ...payloadsOf(bytesFromHex(digits) ?? new Uint8Array())],
  }));
  return [...dumps, ...whole, ...lines, ...inside].flatMap((meant) => best(meant, judgeOnce));
}

/** Asks the readers about each text once, and about so many characters at most. */
function judging(deviceType: TerminalType | undefined): (payload: string) => Judgement {
  const known = new Map<string, Judgement>();
  let left = MOST_JUDGED;
  return (payload) => {
    const before = known.get(payload);
    if (before) return before;
    left -= payload.length;
    const judgement = left < 0 ? 'none' : judge(payload, deviceType);
    known.set(payload, judgement);
    return judgement;
  };
}

function meaningsAt(span: Span): Placed[] {
  return meanings(span.text).map((meant) => ({...meant, from: span.from, to: span.to}));
}

/** The lines of dumps are no other text. */
function blanked(text: string, dumps: readonly Place[]): string {
  let at = 0;
  const pieces = dumps.map(({from, to}) => {
    const piece = `${text.slice(at, from)}${' '.repeat(to - from)}`;
    at = to;
    return piece;
  });
  return pieces.join('') + text.slice(at);
}

function best(meant: Placed, judgeOnce: (payload: string) => Judgement): Candidate[] {
  const {from, to, notation} = meant;
  const judged = meant.payloads.map((payload) => ({
    ...{from, to, notation, payload},
    judgement: judgeOnce(payload),
  }));
  const [first] = judged.sort(
    (a, b) => JUDGEMENTS.indexOf(a.judgement) - JUDGEMENTS.indexOf(b.judgement),
  );
  return first ? [first] : [];
}

/** The one that a terminal recognises; a damaged one if there is nothing else. Throws 2100 for two. */
function choose(text: string, all: readonly Candidate[]): Candidate | undefined {
  const of = (...wanted: Judgement[]) =>
    outermost(all.filter(({judgement}) => wanted.includes(judgement)));
  const [intact, weak, damaged] = [of('intact'), of('weak'), of('damaged', 'cut')];
  const [sure] = intact;
  if (sure) {
    const failed = all.filter(({judgement}) => judgement === 'damaged' || judgement === 'cut');
    return onlyOne(text, [...intact, ...failed.filter((one) => isRival(one, sure))]);
  }
  if (weak.length > 0) {
    // Any bytes may have a length that fits.
    const bytes = outermost(all.filter(({payload}) => isLongHex(payload)));
    const others = [...bytes, ...damaged].filter((one) => isApart(one, weak[0]!));
    return onlyOne(text, [...weak, ...others]);
  }
  return damaged.find((one) => isMeant(text, one));
}

/** Whether a damaged payload is meant as one: text of any kind may hold digits that look like one. */
function isMeant(text: string, one: Candidate): boolean {
  const {notation, judgement} = one;
  if (notation.startsWith('base64')) return judgement === 'damaged';
  const isPlain = ['text', 'hex digits'].includes(notation);
  return !isPlain || (isWhole(text, one) && !isHex(bare(text)));
}

const LEAST_RIVAL = 64;

/** Another payload, which is damaged: nothing tells which one is meant. */
function isRival(one: Candidate, intact: Candidate): boolean {
  const {length} = one.payload;
  return isApart(one, intact) && length >= LEAST_RIVAL && 3 * length >= intact.payload.length;
}

function isApart(one: Place, other: Place): boolean {
  return one.to <= other.from || one.from >= other.to;
}

function isLongHex(payload: string): boolean {
  return payload.length >= 32 && isHex(payload);
}

/** Without those that lie in another one; the first reading of a place counts, if it is not a list. */
function outermost(all: readonly Candidate[]): Candidate[] {
  const longest = all.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const kept: Candidate[] = [];
  for (const one of longest) {
    if (!kept.some((other) => isInside(one, other) && !isOtherList(one, other))) kept.push(one);
  }
  return kept;
}

/** Numbers that are hex as well as decimal. */
function isOtherList(one: Candidate, other: Candidate): boolean {
  const isSame = one.from === other.from && one.to === other.to;
  return isSame && one.notation === 'an array of bytes' && other.notation === 'hex digits';
}

function onlyOne(text: string, [first, second]: readonly Candidate[]): Candidate | undefined {
  if (!first || !second) return first;
  const [one, other] = [first, second].toSorted((a, b) => a.from - b.from) as [
    Candidate,
    Candidate,
  ];
  const places = `${place(text, one)}, and ${place(text, other)}`;
  throw new PaylensError(2100, `the text can be read as two payloads: ${places}`, {
    hint: 'Paste one payload only.',
  });
}

function place(text: string, one: Candidate): string {
  return `${one.notation} at ${describePlace(text, one)}`;
}

function noteOf(text: string, chosen: Candidate): string {
  const around = isWhole(text, chosen) ? '' : '; text around it ignored';
  return `Payload read as ${chosen.notation.replace(/^(?:a|an) /, '')}${around}.`;
}

/** Whether nothing but quotes and brackets stands around. */
function isWhole(text: string, {from, to}: Place): boolean {
  return /^[\s"'`“”‘’„[\]{}()<>,;b]*$/.test(text.slice(0, from) + text.slice(to));
}

/** Line and column of both ends, as editors count them. */
function describePlace(text: string, {from, to}: Place): string {
  const [start, end] = [lineAndColumn(text, from), lineAndColumn(text, Math.max(to - 1, from))];
  return `${start} to ${end}`;
}

function lineAndColumn(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return `line ${line} column ${index - before.lastIndexOf('\n')}`;
}

/** Whether one run lies in the other. */
function isInside(inner: Place, outer: Place): boolean {
  return inner.from >= outer.from && inner.to <= outer.to;
}
