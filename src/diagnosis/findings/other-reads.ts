import {type Ksn, parseKsn} from '../../engine/dukpt/ksn.js';
import {readPayload} from '../../engine/read-payload.js';
import {attempt, rejectionOf} from '../../input/attempt.js';
import type {Clues} from '../../input/clues.js';
import {bareRuns} from '../../input/gapped-ciphertexts.js';
import {type Interpretation, isReading} from '../../input/interpretation.js';
import {readForm} from '../../input/read-form.js';
import {inSteps, type Steps} from '../../input/steps.js';
import {isHex, upperHexOf} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import {pansIn} from '../plaintext/open-card.js';
import type {KeyMatch} from '../search/key-match.js';
import {beginningOf} from './reader-refusals.js';

/** Reports that the text holds other payloads than the one that was decrypted. */
export function* otherReads(found: KeyMatch, clues: Clues): Steps<Finding[]> {
  const {probe, opened, ksn} = found;
  const {kind, targets} = probe.interpretation;
  // Runs of digits in a text may be of any payload in it.
  const siblings = kind === 'in-text' ? [] : targets;
  const own = [...siblings, ...opened.map(({target}) => target)].map(digitsOf);
  const isOther = (one: Interpretation) => isPayload(one) && one.targets.every(isElsewhere);
  const hasOther =
    hasOtherRun(found, clues) ||
    clues.texts.some((text) => isBesideOther(text, found)) ||
    clues.interpretations.some(isOther) ||
    (yield* piecesRead(found, clues)).some(isOther);
  if (!hasOther) return [];
  const which = ksn ? `of the one with the KSN ${ksn.ksn.hex}` : 'of one of them';
  const detail = `The result is ${which}. Diagnose each of them on its own.`;
  return [{label: 'several-payloads', detail}];

  function isElsewhere(target: Interpretation['targets'][number]): boolean {
    const digits = digitsOf(target);
    return own.every((one) => !one.includes(digits) && !digits.includes(one));
  }
}

/**
 * True if a text holds the payload and, beside it, the same again, a KSN of the same device with another
 * counter, or what the same reader reads or finds cut or damaged: of two payloads one may be broken.
 */
function isBesideOther(text: string, {probe, ksn}: KeyMatch): boolean {
  const {payload = '', reader, kind} = probe.interpretation;
  if (payload === '') {
    const isBlob = kind === 'pieces' || kind === 'window';
    return isBlob && ksn !== undefined && hasOtherKsn(text, ksn.ksn);
  }
  const rests = text.split(payload);
  if (rests.length === 1) return false;
  // A log may have the same read in several lines.
  if (rests.slice(1, -1).some((between) => between.trim() === '')) return true;
  const firstByte = (one: string) => beginningOf(one.trimStart()).slice(0, 2);
  const isAlike = (rest: string) =>
    rest.length >= MIN_READ_CHARS && firstByte(rest) === firstByte(payload);
  return rests.some((rest, i) => {
    if (ksn && MAY_BE_DATA.test(rest) && hasOtherKsn(rest, ksn.ksn)) return true;
    if (!reader || !isAlike(rest)) return false;
    const refusal = rejectionOf(() => readPayload(reader, rest.trim()));
    // What is cut where the payload begins is what the payload is in.
    const isCut = i > 0 && refusal?.fault?.kind === 'cut-text';
    return isCut || OF_ITS_FORM.includes(refusal?.code);
  });
}

/** True if a text holds a KSN of the same device with another counter. */
export function hasOtherKsn(text: string, {hex, initial, scheme}: Ksn): boolean {
  const device = initial.slice(0, scheme === 'aes' ? 16 : 14);
  const runs = text
    .replaceAll(/\s/g, '')
    .toUpperCase()
    .matchAll(new RegExp(`${device}[\\dA-F]+`, 'g'));
  return Array.from(runs, ([run]) => run.slice(0, hex.length)).some((run) => {
    const other = attempt(() => parseKsn(run));
    return other?.initial === initial && run !== hex;
  });
}

/** A ciphertext of some blocks. */
const MAY_BE_DATA = /[\dA-Za-z+/]{48}/;
/** Of what a reader reads, and of what it would read if it were whole. */
const OF_ITS_FORM: readonly (number | undefined)[] = [undefined, 2101, 2102];

/**
 * True for runs that are a ciphertext each, if one was not decrypted or the data is of two cards: the
 * lines of one ciphertext are decrypted together.
 */
function hasOtherRun({opened}: KeyMatch, {texts}: Clues): boolean {
  const pans = opened.flatMap(({reading}) => pansIn(reading.openings));
  // Of bytes in which the data ends early only those before its end.
  const known = opened.map(({target, reading}) =>
    digitsOf(target).slice(0, 2 * reading.plain.length),
  );
  return texts.some((text) => {
    const runs = bareRuns(text);
    const isOpened = (run: string) => known.some((one) => one.includes(run) || run.includes(one));
    return runs.length > 1 && (new Set(pans).size > 1 || !runs.every(isOpened));
  });
}

function isPayload(interpretation: Interpretation): boolean {
  const {targets, payload = ''} = interpretation;
  if (targets.length === 0 || !isReading(interpretation)) return false;
  // A document or hex: a line with one member of a request is none.
  return /^[{<]/.test(payload) || isHex(payload) || targets.every(({ksn}) => ksn !== undefined);
}

function digitsOf({ciphertext}: {readonly ciphertext: Uint8Array}): string {
  return upperHexOf(ciphertext);
}

/** The pieces of the text that are payloads by themselves. */
function* piecesRead({probe}: KeyMatch, {texts, terminals}: Clues): Steps<Interpretation[]> {
  const pieces = texts.flatMap((text) => readsIn(text, probe.interpretation.payload));
  const whole = new Set(texts.map((text) => text.trim()));
  const parts = [...new Set(pieces.map((piece) => piece.trim()))].filter(
    (piece) => piece.length >= MIN_READ_CHARS && !whole.has(piece),
  );
  const reads = parts.slice(0, MAX_READS).map((text) => ({text, findings: []}));
  return yield* inSteps(reads, function* (form) {
    return (yield* readForm(form, {name: 'payload', terminals})).interpretations;
  });
}

/** Shorter than a block and its KSN, in hex. */
const MIN_READ_CHARS = 36;
const MAX_READS = 24;
const MAX_TEXT_CHARS = 16_384;

/**
 * Lines, the documents and the requests in them, JSON and XML documents, what begins as the text
 * does, and the text without `payload`.
 */
function readsIn(text: string, payload = ''): string[] {
  if (text.length > MAX_TEXT_CHARS) return [];
  const rest = payload === '' ? [] : text.split(payload);
  const lines = text.split(/\r?\n/);
  const objects = lines.map((line) => {
    const to = Math.max(line.lastIndexOf('}'), line.lastIndexOf('>'));
    return line.slice(Math.max(0, line.search(/[{<]/)), to + 1);
  });
  // JSON objects and XML documents with the same root, one after the other.
  const [, root = ''] = /<([\w:]+)[\s>]/.exec(text) ?? [];
  const between = new RegExp(`(?<=\\})\\s*(?=\\{)|(?<=>)\\s*(?=<\\?xml|<${root}[\\s>])`);
  const documents = text.split(between);
  return [...rest, ...documents, ...lines, ...objects, ...blocksIn(lines), ...alikeIn(text)];
}

/** Consecutive lines with names, none of them twice; blank lines may stand between. */
function blocksIn(lines: readonly string[]): string[] {
  const blocks: Map<string, string>[] = [new Map()];
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, name] = MEMBER_NAME.exec(line.trim()) ?? [];
    if (name === undefined || blocks.at(-1)?.has(name)) blocks.push(new Map());
    if (name !== undefined) blocks.at(-1)?.set(name, line);
  }
  return blocks.map((block) => [...block.values()].join('\n'));
}

const MEMBER_NAME = /^([\w.-][\w .-]{0,39}?)\s*[:=]/;

function alikeIn(text: string): string[] {
  const [beginning] = /\S{2}/.exec(text) ?? [];
  if (beginning === undefined) return [];
  const begin = isHex(text) ? text.slice(0, 4) : beginning;
  return text.split(begin).map((end) => begin + end);
}
