import {defined} from '../contract/defined.js';
import type {CardContent} from '../engine/card/card-content.js';
import {blockSizeOf} from '../engine/cipher/block-cipher.js';
import {AES_KEY_USAGES} from '../engine/dukpt/key-usage.js';
import {isIntact} from '../input/interpretation.js';
import {hexOf, upperHexOf} from '../platform/bytes.js';
import type {Diagnosis} from './diagnose.js';
import {type Finding, rankOf} from './finding.js';
import {type NextStep, nextStep} from './findings/next-step.js';
import {LABELS, type Label, type Rank} from './labels.js';
import {isPinBlock} from './plaintext/opened-plaintext.js';
import {deviceTypeOf, type KeyMatch, type OpenedTarget} from './search/key-match.js';

/** One verdict: a label of the closed set, its row of the usual mistakes, and its text. */
export interface Verdict {
  readonly label: Label;
  /** 1 to 13; 0: none of the usual mistakes. */
  readonly row: number;
  /** What to change, how the data is encrypted, or true anyway; the first mistake is the cause. */
  readonly rank: Rank;
  readonly text: string;
  readonly detail?: string;
  /** The true digits of a mistyped key, in a sentence. */
  readonly correction?: string;
}

/** The settings that decrypt the case. */
export interface Solution {
  readonly deviceType?: string;
  readonly form: string;
  readonly key: {readonly role: string; readonly source: string};
  readonly ksn?: string;
  readonly variant: string;
  readonly selfEncrypted: boolean;
  readonly algorithm: 'tdes' | 'aes';
  /** For AES DUKPT: the key usage in hex. */
  readonly usage?: string;
  /** Null: only the first block is proven, which both modes decrypt alike. */
  readonly mode: 'cbc' | 'ecb' | null;
  /** Hex; null: not known, so the first block is lost. */
  readonly iv: string | null;
  readonly packing: string;
}

/** A decrypted ciphertext. */
export interface Plaintext {
  readonly name: string;
  /** The complete output of the cipher, padding included. */
  readonly hex: string;
  readonly text: string;
  readonly packing: string;
  readonly contents: readonly CardContent[];
  readonly isPin: boolean;
}

/** A diagnosis in the form for scripts; nothing in it is masked yet. */
export interface Report {
  readonly solved: boolean;
  readonly verdicts: readonly Verdict[];
  readonly solution?: Solution;
  readonly evidence: readonly string[];
  readonly plaintexts: readonly Plaintext[];
  readonly next?: NextStep;
  /** For an unsolved case: what was tried, and whether the lengths are possible. */
  readonly excluded: readonly string[];
  readonly tried: number;
  readonly elapsedMs: number;
}

/** Converts a diagnosis to a report. */
export function report(diagnosis: Diagnosis): Report {
  const {solved, findings, found, tried, elapsedMs} = diagnosis;
  const base = {solved, verdicts: findings.map(verdictOf), tried, elapsedMs: Math.round(elapsedMs)};
  if (!found) return {...base, evidence: [], plaintexts: [], excluded: excludedBy(diagnosis)};
  const next = nextStep(found, diagnosis.clues.terminals);
  return {
    ...base,
    solution: solutionOf(found),
    evidence: found.opened.flatMap(evidenceOf),
    plaintexts: found.opened.map(plaintextOf),
    excluded: [],
    ...(next ? {next} : {}),
  };
}

function verdictOf(finding: Finding): Verdict {
  const {label, detail, correction} = finding;
  const {row, text} = LABELS[label];
  return {label, row, rank: rankOf(finding), text, ...defined({detail, correction})};
}

function excludedBy({stages, clues, tried}: Diagnosis): string[] {
  const targets = clues.interpretations
    .filter(({kind}) => kind !== 'pieces')
    .flatMap((one) => one.targets);
  const lengths = [...new Set(targets.map(({ciphertext}) => ciphertext.length))].slice(0, 8);
  const can =
    lengths.length === 0
      ? 'No ciphertext was found.'
      : `Possible ciphertext lengths: ${lengths.join(', ')} bytes.`;
  const lines = [...readersOf(clues), can];
  return tried === 0 ? lines : [...lines, ...stages];
}

/** Whose payload it is, if a reader accepts all of it by its own signs. */
function readersOf({interpretations}: Diagnosis['clues']): string[] {
  const read = interpretations.flatMap((interpretation) => {
    const {kind, form, reader, recognisedBy} = interpretation;
    const isOwn =
      kind === 'reading' && reader && recognisedBy === undefined && isIntact(interpretation);
    return isOwn ? [`Read as ${reader.type}: ${form}.`] : [];
  });
  return [...new Set(read)];
}

function solutionOf(found: KeyMatch): Solution {
  const {probe, key, ksn, opened} = found;
  const deviceType = deviceTypeOf(found);
  const [first] = opened as readonly [OpenedTarget];
  const {setting, reading} = first;
  const {mode, iv, openings} = reading;
  const {form} = probe.interpretation;
  const size = blockSizeOf(setting.algorithm);
  return {
    ...(deviceType === undefined ? {} : {deviceType}),
    form,
    key: {role: key.role, source: key.source},
    ...(ksn ? {ksn: ksn.ksn.hex} : {}),
    variant: setting.variant,
    selfEncrypted: setting.selfEncrypted,
    algorithm: setting.algorithm,
    ...(setting.usage === undefined
      ? {}
      : {usage: AES_KEY_USAGES[setting.usage].toString(16).padStart(4, '0')}),
    mode: isPinBlock(openings[0]) ? 'ecb' : (mode ?? null),
    iv: iv ? upperHexOf(iv.bytes.subarray(0, size)).padEnd(2 * size, '0') : null,
    packing: openings[0]?.packing ?? 'ascii',
  };
}

function evidenceOf({target: {name}, reading}: OpenedTarget): string[] {
  // A finding of two readers is reported once.
  const said = reading.openings.map(({facts}) => new Set(facts.map(({text}) => text)));
  return said.flatMap((texts) => [...texts].map((text) => `${name}: ${text}`));
}

function plaintextOf({target, reading}: OpenedTarget): Plaintext {
  const {plain, openings} = reading;
  return {
    name: target.name,
    hex: hexOf(plain),
    text: openings.map(({text}) => text).join(' '),
    packing: [...new Set(openings.map(({packing}) => packing))].join(', '),
    contents: openings.flatMap(({content}) => content ?? []),
    isPin: openings.some(isPinBlock),
  };
}
