import {HEX_DIGITS} from '../../input/bare-ciphertext.js';
import type {Place} from '../../input/notations/notation.js';
import {inSteps, type Steps} from '../../input/steps.js';
import {type Judge, type Judgement, OPENED, READ, REFUSED} from './judge.js';

/** One slip of whoever typed or copied a payload. */
export interface Slip {
  /** One sentence: what is wrong, and at which characters, from 0. */
  readonly detail: string;
  /** The payload without the slip; absent if only its place is known. */
  readonly payload?: string;
}

/** What a search for a slip knows so far. */
export interface Known {
  /** The form of one type proves something, one of all types little. */
  readonly isOfOneType: boolean;
  slip?: Slip | undefined;
}

/** A payload with one slip undone, and the place where it was. */
interface Undone extends Pick<Typed, 'from'> {
  readonly slip: SlipKind;
  readonly at: number;
  readonly text: string;
}

interface Repaired extends Undone {
  readonly strength: Judgement;
}

/** A search for the slip of one payload. */
export interface SlipSearch {
  readonly payload: string;
  readonly judge: Judge;
  /** What is known when the time is over. */
  readonly known: Known;
}

/** Where one hex digit is looked for that was typed for another: this takes the most tries. */
export interface DigitSearch {
  /** Tried before all else, one after the other. */
  readonly parts: readonly Place[];
  /** Every other slip was looked for already. */
  readonly isOnly: boolean;
}

/**
 * The slip without which the payload decrypts: two adjacent characters transposed, or one that is
 * extra, wrong or lost. If no key decrypts it, the place of a lost one may still follow from its form.
 */
export function* slipSteps(search: SlipSearch, digits?: DigitSearch): Steps<void> {
  const {payload, judge} = search;
  const runs = runsOf(payload);
  // What is not in bytes need not be even.
  const even = runs.filter((run) => run.alphabet !== HEX_DIGITS || !isOdd(run));
  const ways = digits?.isOnly ? [withOtherDigit] : [untransposed, withOtherDigit];
  for (const part of digits?.parts ?? []) {
    const near = even.map((run) => {
      const {from, to} = part;
      return {...run, from: Math.max(from, run.from), to: Math.min(to, run.to)};
    });
    if (yield* isUndone(search, near, ways)) return;
  }
  if (!digits?.isOnly) {
    if (yield* isUndone(search, even, [untransposed, withoutWrong])) return;
    if (judge(payload) < READ) yield* lostOrExtra(search, runs.filter(isOdd));
  }
}

/** True if one of these ways to undo a slip gives what decrypts, or the part that the slip is in. */
function* isUndone(
  {payload, judge, known}: SlipSearch,
  runs: readonly Typed[],
  ways: readonly ((text: string, run: Typed) => Generator<Undone>)[],
): Steps<boolean> {
  for (const undo of ways) {
    known.slip = slipOf(yield* openedBy(runs, (run) => undo(payload, run), judge), judge);
    if (known.slip) return true;
  }
  return false;
}

/** No terminal sends more in one read that somebody would type. */
export const MAX_TYPED = 4096;

/** Characters that were typed together, and those that may be among them. */
interface Typed extends Place {
  readonly alphabet: string;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Half of one that was typed for a digit is hex as well. */
const MAX_WRONG_LETTERS = 2;

function runsOf(payload: string): Typed[] {
  const found = [...payload.matchAll(/\\{1,8}(?:u[\dA-F]{4}|x[\dA-F]{2}|.)|[\w+/]{19,}={0,2}/gi)];
  // The letters of an escape are not of the digits behind it.
  const runs = found.filter(([text]) => !text.startsWith('\\'));
  return runs.map(({0: run, index: from}) => {
    const others = run.replaceAll(/[\dA-F]/gi, '').length;
    const alphabet = others > MAX_WRONG_LETTERS ? BASE64 : HEX_DIGITS;
    return {from, to: from + run.length, alphabet};
  });
}

/** A payload in which other characters stand in place of `count` at a place. */
function undone(slip: SlipKind, [text, from, at]: Spot, count: number, right: string): Undone {
  return {slip, from, at, text: text.slice(0, at) + right + text.slice(at + count)};
}

/** A payload, where its part begins, and a place in it. */
type Spot = readonly [text: string, from: number, at: number];

function* untransposed(text: string, {from, to}: Typed): Generator<Undone> {
  for (let at = from; at + 1 < to; at++)
    if (text[at] !== text[at + 1])
      yield undone('transposed', [text, from, at], 2, `${text[at + 1]}${text[at]}`);
}

function* withoutExtra(text: string, {from, to}: Typed): Generator<Undone> {
  // Of two equal ones either may be extra.
  for (let at = from; at < to; at++)
    if (text[at] !== text[at - 1]) yield undone('extra', [text, from, at], 1, '');
}

function* withoutWrong(text: string, run: Typed): Generator<Undone> {
  yield* withOther(text, run, (own) => !run.alphabet.includes(own));
}

function* withOtherDigit(text: string, run: Typed): Generator<Undone> {
  if (run.alphabet === HEX_DIGITS) yield* withOther(text, run, () => true);
}

function* withOther(
  text: string,
  {from, to, alphabet}: Typed,
  mayBeWrong: (own: string) => boolean,
): Generator<Undone> {
  for (let at = from; at < to; at++) {
    const own = text.charAt(at).toUpperCase();
    if (!mayBeWrong(own)) continue;
    for (const right of alphabet)
      if (right !== own) yield undone('wrong', [text, from, at], 1, right);
  }
}

/** A place where a character may have been lost, and those that it may have been. */
interface LostAt extends Pick<Typed, 'from'> {
  readonly at: number;
  readonly characters: readonly string[];
}

/** True if a character was lost, or is extra: bytes are two hex digits, base64 is in fours. */
function isOdd(run: Typed): boolean {
  return (run.to - run.from) % (run.alphabet === HEX_DIGITS ? 2 : 4) !== 0;
}

function* withLost(text: string, {from, at, characters}: LostAt): Generator<Undone> {
  for (const lost of characters) yield undone('lost', [text, from, at], 0, lost);
}

/** Digits of data: shorter runs may be words. */
const MIN_DATA = 24;

/** First where any character completes the form, then which one; or which is extra. */
function* lostOrExtra(
  {payload: text, judge, known}: SlipSearch,
  runs: readonly Typed[],
): Steps<void> {
  const [run] = runs;
  if (run && runs.length === 1 && run.to - run.from > MIN_DATA && run.to - run.from < text.length)
    known.slip = {detail: slipSentence('lost or extra', run.from, run.to)};
  const places = runs.flatMap((run) => placesIn(text, run));
  const judged = yield* inSteps(places, (place) => {
    const [any] = withLost(text, place);
    return any ? [{...place, judgement: judge(any.text)}] : [];
  });
  const likely = judged.filter(({judgement}) => judgement !== REFUSED);
  const read = judged.filter(({judgement}) => judgement >= READ);
  const [first] = read;
  const last = read.at(-1);
  if (known.isOfOneType && first && last && read.length <= places.length / 2)
    known.slip = {detail: slipSentence('lost', first.at, last.at)};
  // One digit less is a KSN as well, filled up; a reader takes the digits that it finds.
  const ofKsns = places.filter(({from}) => runs.some((run) => run.from === from && isKsn(run)));
  const filled = yield* openedBy(ofKsns, (place) => withLost(text, place), judge);
  known.slip = slipOf(filled, judge) ?? known.slip;
  if (filled.length > 0) return;
  const extra = yield* openedBy(runs, (run) => withoutExtra(text, run), judge);
  const tried = likely.length > 0 ? likely : places;
  const lost = yield* openedBy(tried, (place) => withLost(text, place), judge);
  known.slip = slipOf([...extra, ...lost], judge) ?? known.slip;
}

/** True for the digits of a KSN of which one was lost. */
function isKsn({from, to, alphabet}: Typed): boolean {
  return alphabet === HEX_DIGITS && [19, 23].includes(to - from);
}

function placesIn(text: string, {from, to, alphabet}: Typed): LostAt[] {
  return Array.from({length: to - from + 1}, (_, i) => {
    const at = from + i;
    // Before and after an equal one it is the same text.
    return {from, at, characters: [...alphabet].filter((one) => one !== text[at - 1])};
  });
}

/** What decrypts, of all that is tried. */
function* openedBy<T>(
  items: readonly T[],
  undo: (item: T) => Iterable<Undone>,
  judge: Judge,
): Steps<Repaired[]> {
  const opened: Repaired[] = [];
  let tries = 0;
  for (const item of items)
    for (const one of undo(item)) {
      if (tries++ % TRIES_PER_STEP === 0) yield;
      const strength = judge(one.text);
      if (strength >= OPENED) opened.push({...one, strength});
    }
  return opened;
}

const TRIES_PER_STEP = 16;

/**
 * The slip of the one text that decrypts, or the part that it is in if that part is not encrypted. Of
 * those that decrypt, chance lets some through, with less in the response.
 */
function slipOf(opened: readonly Repaired[], judge: Judge): Slip | undefined {
  const most = Math.max(...opened.map(({strength}) => strength));
  const best = opened.filter(({strength}) => strength === most);
  const proven = best.filter((one) => !isFree(one, one.at, judge));
  const [first = best[0]] = proven;
  if (!first) return undefined;
  const texts = new Set(proven.map(({text}) => text));
  if (texts.size === 1) return {detail: slipSentence(first.slip, first.at), payload: first.text};
  // A form can be completed in several ways, but was broken in one.
  if (texts.size > 1 && first.slip === 'transposed') return undefined;
  const places = best.map(({at}) => at);
  const spread = {from: Math.min(...places), to: Math.max(...places)};
  const {from, to} = texts.size > 1 ? spread : freePart(first, judge);
  const slip = best.every((one) => one.slip === first.slip) ? first.slip : 'lost or extra';
  return to - from <= MAX_SPREAD ? {detail: slipSentence(slip, from, to)} : undefined;
}

/** The characters around a place that the plaintext does not depend on. */
function freePart(one: Repaired, judge: Judge): Place {
  let [from, to] = [one.at, one.at];
  while (to - from <= MAX_SPREAD && isFree(one, from - 2, judge)) from -= 2;
  while (to - from <= MAX_SPREAD && isFree(one, to + 2, judge)) to += 2;
  return {from, to};
}

/**
 * True if a text decrypts as well with two bytes of hex, or two characters, in the other order there:
 * what checks the text, an LRC or a sum, does not see that.
 */
function isFree({text, strength, from}: Repaired, place: number, judge: Judge): boolean {
  const at = place - ((place - from) % 2);
  const [one, other] = [text.slice(at, at + 2), text.slice(at + 2, at + 4)];
  const swapped = one === other ? [...other].reverse().join('') + one : other + one;
  return judge(text.slice(0, at) + swapped + text.slice(at + 4)) >= strength;
}

/** Beyond this, a place is not worth naming. */
const MAX_SPREAD = 160;

type SlipKind = 'transposed' | 'extra' | 'wrong' | 'lost';

function slipSentence(slip: SlipKind | 'lost or extra', from: number, to = from): string {
  if (slip === 'transposed')
    return from === to
      ? `Characters ${from} and ${from + 1} are transposed.`
      : `Two adjacent characters between ${from} and ${to + 1} are transposed.`;
  const place = from === to ? `at ${from}` : `between ${from} and ${to}`;
  return `A character ${place} ${OF_SLIP[slip]}.`;
}

const OF_SLIP = {
  extra: 'is extra',
  wrong: 'is wrong',
  lost: 'was lost',
  'lost or extra': 'was lost, or is extra',
};
