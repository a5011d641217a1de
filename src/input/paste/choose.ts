import {PaylensError} from '../../contract/paylens-error.js';
import {isHex} from '../../platform/bytes.js';
import type {Place} from '../notations/notation.js';
import {type ByteRun, byteRuns} from '../notations/table.js';
import type {Judgement} from './judge.js';

/** A reading of one place of the text. */
export interface Candidate extends Place {
  readonly payload: string;
  readonly notation: string;
  readonly judgement: Judgement;
}

/**
 * The one that a terminal recognises; a damaged one if there is nothing else. Throws 2100 if the text
 * holds more bytes elsewhere, whole or not, since either may be meant.
 */
export function choose(text: string, all: readonly Candidate[]): Candidate | undefined {
  const of = (...wanted: Judgement[]) =>
    outermost(all.filter(({judgement}) => wanted.includes(judgement)));
  const failed = of('damaged', 'cut').filter((one) => isMeant(text, one));
  const chosen = of('intact')[0] ?? of('weak')[0] ?? failed[0];
  if (!chosen) return undefined;
  const others = all.filter((one) => competes(text, one, chosen));
  // Bytes around the payload, unless a name shows that they are something else.
  const {from, to} = chosen;
  const rest = `${text.slice(0, from)}${'\0'.repeat(to - from)}${text.slice(to)}`;
  const beside = byteRuns(rest).filter((run) => !isNamed(text, run));
  const [competitor] = [...outermost(others), ...beside];
  if (!competitor) return chosen;
  // Ciphertexts known by their length alone may be the fields of one read: a diagnosis says more.
  if (chosen.judgement === 'weak') return undefined;
  throw twoPayloads(text, chosen, competitor);
}

/** Whether a damaged payload is meant as one: text of any kind may hold digits that look like one. */
function isMeant(text: string, one: Candidate): boolean {
  const {notation, judgement} = one;
  if (notation.startsWith('base64')) return judgement === 'damaged';
  const isPlain = notation === 'text' || notation === 'hex digits';
  return !isPlain || (hasNoTextAround(text, one) && !isHex(withoutBlanks(text)));
}

const MIN_COMPETING_BYTES = 64;

/** Another reading that is as good, or of other characters that may be the payload. */
function competes(text: string, one: Candidate, chosen: Candidate): boolean {
  // A dump is bytes, whatever they are.
  if (one.judgement === 'none' && one.notation !== 'a hex dump') return false;
  const isApart = one.to <= chosen.from || one.from >= chosen.to;
  if (!isApart) return isOtherReading(one, chosen);
  if (one.judgement === 'intact') return true;
  if (isNamed(text, one)) return false;
  const {length} = one.payload;
  // Text of any kind may look like the beginning of a payload.
  const isLong = length >= MIN_COMPETING_BYTES && 3 * length >= chosen.payload.length;
  return isLong || !['text', 'text in lines'].includes(one.notation);
}

/** The same characters, which mean other bytes: digits of hex as well as of decimals. */
function isOtherReading(one: Candidate, chosen: Candidate): boolean {
  const isSame = one.from === chosen.from && one.to === chosen.to;
  const areLists = chosen.notation === 'hex digits' && one.notation === 'an array of bytes';
  return isSame && areLists && one.judgement === chosen.judgement;
}

/** Names of values that a log prints next to a payload. */
const NAME_BEFORE =
  /(?:id|ksn|key|kcv|iv|nonce|token|hash|sha-?\d*|md5|h?mac|digest|fingerprint|signature|sig|serial|serial_?(?:no|number)|sn|session|trace|span|request|reference|ref|crc|checksum|pan)["'\])]{0,2}\s{0,4}(?:=>|[=:#])?\s{0,4}["'[({<]?(?:0x)?$/i;
const MAX_NAME_CHARS = 40;

function isNamed(text: string, {from}: Place): boolean {
  return NAME_BEFORE.test(text.slice(Math.max(0, from - MAX_NAME_CHARS), from));
}

/** The longest first, without those inside another one; the first reading of a place counts. */
function outermost(all: readonly Candidate[]): Candidate[] {
  let end = -1;
  const outer = all
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({to}) => {
      const isOuter = to > end;
      if (isOuter) end = to;
      return isOuter;
    });
  return outer.sort((a, b) => b.to - b.from - (a.to - a.from));
}

function twoPayloads(text: string, chosen: ByteRun, competitor: ByteRun): PaylensError {
  const [one, other] = [chosen, competitor].toSorted((a, b) => a.from - b.from) as [
    ByteRun,
    ByteRun,
  ];
  const places = `${place(text, one)}, and ${place(text, other)}`;
  return new PaylensError(2100, `the text can be read as two payloads: ${places}`, {
    hint: 'Paste one payload only.',
  });
}

/** The notation, and line and column of both ends, as editors count them. */
function place(text: string, {notation, from, to}: ByteRun): string {
  const [start, end] = [lineAndColumn(text, from), lineAndColumn(text, Math.max(to - 1, from))];
  return `${notation} at ${start} to ${end}`;
}

function lineAndColumn(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return `line ${line} column ${index - before.lastIndexOf('\n')}`;
}

/** Whether there is nothing but quotes and brackets around it. */
export function hasNoTextAround(text: string, {from, to}: Place): boolean {
  return /^[\s"'`“”‘’„[\]{}()<>,;b]*$/.test(text.slice(0, from) + text.slice(to));
}

/** For comparison only: in keyboard text the case of hex digits counts. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}
