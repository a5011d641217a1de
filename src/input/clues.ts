import {KNOWN_TERMINALS} from '../engine/families/registry.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {bytesFromHex, hexOf, isHex} from '../platform/bytes.js';
import {type DiagnosisCase, MAX_KEYS, type WrittenKey} from './case.js';
import {firstMatches, labelBefore} from './ciphertext-in-text.js';
import {expectedBeginnings} from './expected.js';
import {type Gapped, type GapRun, gappedInterpretations, isFragment} from './gapped-ciphertexts.js';
import {understandSteps} from './interpret.js';
import type {Interpretation, IvCandidate} from './interpretation.js';
import {joinedCiphertexts, joinedInterpretations} from './joined-ciphertexts.js';
import type {Refusal, Understood} from './read-form.js';
import {tagIvs, tagKsns} from './slices.js';
import {filterSteps, finish, inSteps, type Steps} from './steps.js';
import {isPlainIv, ivBytes, ksnDigits} from './written-ksn.js';

/** Clues in a case, before any key is tried. */
export interface Clues {
  readonly interpretations: readonly Interpretation[];
  /** Subjects with missing digits; only tried if there are any. */
  readonly gapped: readonly Interpretation[];
  /** Runs of hex digits with a gap. */
  readonly gaps: readonly GapRun[];
  readonly refusals: readonly Refusal[];
  /** KSNs as written: by the user, in fields, elsewhere in the payload. */
  readonly ksns: {
    readonly given: readonly string[];
    readonly message: readonly string[];
    /** KSNs of the message that are in a field or after a label. */
    readonly named: readonly string[];
    /** Possible KSNs: ten bytes before or after a blob, or digits that look like one. */
    readonly guessed: readonly string[];
  };
  readonly ivs: readonly IvCandidate[];
  readonly pans: readonly string[];
  /** Beginnings of the plaintext known to the user, in lower-case hex. */
  readonly expected: readonly string[];
  /** Keys in the text, after a label that names them. */
  readonly keys: readonly WrittenKey[];
  /** The terminals that may have sent the payload. */
  readonly terminals: TerminalSet;
  /** Input given as text. */
  readonly texts: readonly string[];
}

/** Finds everything in a case: ciphertexts by every reader, KSNs, IVs, card numbers. */
export function collectClues(given: DiagnosisCase): Clues {
  return finish(clueSteps(given));
}

/** The same in steps. */
export function* clueSteps(given: DiagnosisCase): Steps<Clues> {
  const texts = givenTexts(given);
  const {terminals = KNOWN_TERMINALS} = given;
  const understood = yield* understoodTexts(given, texts, terminals);
  const gapped = yield* gapsIn(texts);
  const apart = [
    ...bareTogether(given),
    ...understood.flatMap((one) => one.interpretations).filter((one) => !isFragment(one, gapped)),
  ];
  const interpretations = [...apart, ...joinedInterpretations(apart), ...joinedCiphertexts(given)];
  const all = texts.map(({text}) => text);
  const ksns = yield* ksnsOf(given, interpretations, all);
  yield;
  const distinct = distinctInterpretations(interpretations);
  const keys = yield* inSteps(all, labelledKeys);
  const ivs = yield* ivsOf(given, all);
  const pans = yield* pansIn(given, all);
  return {
    interpretations: distinct,
    gapped: gapped.interpretations,
    gaps: gapped.runs,
    refusals: understood.flatMap((one) => one.refusals),
    ...{ksns, keys, ivs, pans},
    expected: [...new Set((given.expected ?? []).flatMap(expectedBeginnings))],
    terminals,
    texts: all,
  };
}

/** Only the payload is of the terminal that was named. */
function* understoodTexts(
  {deviceType}: DiagnosisCase,
  texts: readonly Text[],
  terminals: TerminalSet,
): Steps<Understood[]> {
  const understood: Understood[] = [];
  for (const {name, text, isCiphertext} of texts) {
    const sender = isCiphertext ? {} : {deviceType};
    understood.push(yield* understandSteps(text, {name, isCiphertext, terminals, ...sender}));
  }
  return understood;
}

function* gapsIn(texts: readonly Text[]): Steps<Gapped> {
  const each = yield* inSteps(texts, ({text}) => [gappedInterpretations(text)]);
  return {
    interpretations: each.flatMap((one) => one.interpretations),
    runs: each.flatMap((one) => one.runs),
  };
}

function* ksnsOf(
  {ksn}: DiagnosisCase,
  interpretations: readonly Interpretation[],
  texts: readonly string[],
): Steps<Clues['ksns']> {
  const known = interpretations.filter((one) => !isGuess(one));
  const named = yield* namedKsns(known, texts);
  const unnamed = yield* inSteps(texts, unnamedKsns);
  const families = yield* inSteps(texts, familyKsns);
  return {
    given: ksn === undefined ? [] : [ksn],
    message: distinctKsns([...named, ...unnamed]),
    named,
    guessed: [...ownKsns(interpretations.filter(isGuess)), ...families],
  };
}

interface Text {
  readonly name: string;
  readonly text: string;
  readonly isCiphertext: boolean;
}

function givenTexts({payload, ciphertexts}: DiagnosisCase): Text[] {
  return [
    ...(payload === undefined ? [] : [{name: 'payload', text: payload, isCiphertext: false}]),
    ...ciphertexts.map(({name, text}) => ({name, text, isCiphertext: true})),
  ];
}

/** The given ciphertexts as one interpretation, so that evidence from one counts for all. */
function bareTogether({ciphertexts}: DiagnosisCase): Interpretation[] {
  const targets = ciphertexts.flatMap(({name, text}) => {
    const ciphertext = bytesOfText(text);
    return ciphertext && ciphertext.length >= 8 && ciphertext.length % 8 === 0
      ? [{name, ciphertext}]
      : [];
  });
  if (targets.length < 2) return [];
  return [{kind: 'together', form: 'bare ciphertexts', targets, findings: []}];
}

/** Removes readings that find the same ciphertexts, unless a later one can verify them. */
function distinctInterpretations(interpretations: readonly Interpretation[]): Interpretation[] {
  const found = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    const key = [
      interpretation.reader?.type ?? '',
      ...interpretation.targets.map(
        ({ciphertext, ksn, setting}) =>
          `${hexOf(ciphertext)} ${ksn} ${setting?.algorithm}${setting?.variant}${setting?.mode}`,
      ),
    ].join('|');
    if (!found.has(key)) found.set(key, interpretation);
  }
  return [...found.values()];
}

/** Prefixes of KSNs seen in production (docs/terminals/common.md#ksn-families). */
const FAMILIES =
  /(?:FFFF987654|[ABC]FFF987654|FFFFFF0200|62994[0-9A-F]{5}|CDCDCD[0-9A-F]{4}|028[2-4][0-9A-F]{6}|88888[89AB][0-9A-F]{4}|FFFF654321|FFFF0102[0-9A-F]{2}|F876543210|FFFF01040D|0000020000|0000041513)[0-9A-F]{10}/gi;

/** A blob whose KSN may precede or follow it. */
function isGuess({kind}: Interpretation): boolean {
  return kind === 'bare';
}

function ownKsns(interpretations: readonly Interpretation[]): string[] {
  return interpretations.flatMap(({targets}) => targets.flatMap(({ksn}) => ksn ?? []));
}

/** No ciphertext has ten bytes: a ten-byte value on its own is a KSN, whatever its label is. */
const TEN_BYTES = /(?<![0-9A-Z])[0-9A-F]{20}(?![0-9A-Z])/gi;

const MAX_KSNS = 24;

/**
 * KSNs in a field or tag of their own, after a label, or on their own with letters among the
 * digits.
 */
function* namedKsns(
  interpretations: readonly Interpretation[],
  texts: readonly string[],
): Steps<string[]> {
  const elsewhere = yield* inSteps(texts, function* (text) {
    const bytes = bytesOfText(text);
    const inTags = bytes ? tagKsns(bytes) : [];
    yield;
    const alone = aloneIn(text).filter((run) => /[A-F]/i.test(run));
    return [...inTags, ...(yield* labelledKsns(text, /ksn/i)), ...alone];
  });
  return distinctKsns([...ownKsns(interpretations), ...elsewhere]);
}

/**
 * KSNs without a name: a serial number may be one; digits on their own may also be a card number.
 */
function* unnamedKsns(text: string): Steps<string[]> {
  return [...(yield* labelledKsns(text, /serial/i)), ...aloneIn(text)];
}

function* labelledKsns(text: string, label: RegExp): Steps<string[]> {
  return [
    ...(yield* labelled(text, label, /[0-9A-F]{14,24}/gi)),
    ...(yield* labelled(text, label, /(?<![\w+/])[A-Za-z0-9+/]{14,16}={0,2}(?![\w+/])/g)),
  ];
}

function aloneIn(text: string): string[] {
  return Array.from(text.matchAll(TEN_BYTES), ([run]) => run).filter((run) => !FILLED.test(run));
}

/** The end of a masked track: no read has the counter zero. */
const FILLED = /^\d+0{6}$/;

function distinctKsns(texts: readonly string[]): string[] {
  return [...new Set(texts.map(ksnDigits))].slice(0, MAX_KSNS);
}

/** Runs that begin like KSNs seen in production. Long random hex contains some as well. */
function familyKsns(text: string): string[] {
  const found = text.replaceAll(/\s/g, '').matchAll(FAMILIES);
  return Array.from(found, ([ksn]) => ksn).slice(0, MAX_KSNS);
}

function* labelled(text: string, label: RegExp, value: RegExp): Steps<string[]> {
  const isLabelled = ({index}: RegExpExecArray) => label.test(labelBefore(text, index));
  return (yield* filterSteps(text.matchAll(value), isLabelled)).map(([run]) => run);
}

function* labelledKeys(text: string): Steps<WrittenKey[]> {
  if (/^\s*\{/.test(text)) return [];
  const digits = /(?<![0-9A-F])[0-9A-F]{32}(?![0-9A-F])/gi;
  const runs = yield* labelled(text, /\b(?:bdk|ipek|ik|key)\b/i, digits);
  return runs.slice(0, MAX_KEYS).map((digits) => ({
    kind: 'unknown',
    digits: digits.toUpperCase(),
    source: 'the key in the text',
  }));
}

const MAX_IVS = 16;
const IV_RUN = /(?<![0-9A-F])(?:[0-9A-F]{16}|[0-9A-F]{32})(?![0-9A-F])/gi;

function* ivsOf({iv}: DiagnosisCase, texts: readonly string[]): Steps<IvCandidate[]> {
  const given = iv === undefined ? undefined : ivBytes(iv);
  const source = isPlainIv(iv ?? '') ? 'given' : 'written';
  const hidden = yield* inSteps(texts, (text) => {
    const bytes = bytesOfText(text);
    const runs = firstMatches(text, IV_RUN, MAX_IVS);
    return [...(bytes ? tagIvs(bytes) : []), ...runs.flatMap(([run]) => bytesFromHex(run) ?? [])];
  });
  const all: IvCandidate[] = [
    ...(given && given.length > 0 ? [{bytes: given, source} as const] : []),
    ...hidden.slice(0, MAX_IVS).map((bytes) => ({bytes, source: 'hidden' as const})),
  ];
  const seen = new Map(all.toReversed().map((one) => [one.bytes.join(), one]));
  return [...seen.values()].reverse().filter(({bytes}) => bytes.some((byte) => byte !== 0));
}

const MAX_CLEAR_PANS = 4;
const CLEAR_PAN = /(?<![0-9A-Fa-f])\d{12,19}(?![0-9A-Fa-f])/g;

/** The given card number, and clear ones in the text. */
function* pansIn({pan}: DiagnosisCase, texts: readonly string[]): Steps<string[]> {
  const clear = yield* inSteps(texts, (text) =>
    isHex(text.replaceAll(/\s/g, ''))
      ? []
      : firstMatches(text, CLEAR_PAN, MAX_CLEAR_PANS).map(([run]) => run),
  );
  return [...new Set([...(pan === undefined ? [] : [pan]), ...clear.slice(0, MAX_CLEAR_PANS)])];
}

/** The bytes of a text that is hex with or without white space. */
function bytesOfText(text: string): Uint8Array | undefined {
  const compact = text.replaceAll(/\s/g, '');
  return isHex(compact) ? bytesFromHex(compact) : undefined;
}
