import {diagnose} from '../../src/diagnosis/diagnose.js';
import {LABELS, type Label} from '../../src/diagnosis/labels.js';
import {type Report, report} from '../../src/diagnosis/report.js';
import type {DiagnosisCase, KINDS} from '../../src/input/case.js';

/** A case in its JSON form. */
export interface CaseJson {
  readonly payload?: string | undefined;
  readonly deviceType?: string;
  readonly ciphertexts?: readonly {
    readonly name?: string;
    readonly hex: string;
    readonly expected?: string;
  }[];
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
  readonly keys?: readonly {readonly kind: (typeof KINDS)[number]; readonly hex: string}[];
  readonly pan?: string | undefined;
  readonly expected?: string;
}

interface Settings {
  readonly usualOnly?: boolean;
  readonly budgetMs?: number;
}

/** Diagnoses a case given as JSON, as the command does. */
export async function diagnoseJson(json: CaseJson, settings: Settings = {}): Promise<Report> {
  const {parseCase} = await import('../../src/input/case.js');
  const given: DiagnosisCase = parseCase(JSON.stringify(json));
  const {usualOnly = false, budgetMs = 120_000} = settings;
  return report(diagnose(given, {now: () => performance.now(), budgetMs, usualOnly}));
}

/** The labels of a report, in order. */
export function labelsOf({verdicts}: Report): string[] {
  return verdicts.map(({label}) => label);
}

/** The mistakes of a report, the cause first. */
export function mistakesOf({verdicts}: Report): Label[] {
  return verdicts.filter(({rank}) => rank === 'mistake').map(({label}) => label);
}

/** Of each of these there is one truth about one ciphertext and one key. */
export const SINGLE: readonly string[] = [
  ...['type', 'key', 'key: role', 'key: variant', 'KSN', 'KSN: counter', 'IV', 'mode'],
];

/** The labels of one subject, if a report claims several things of it. */
export function contradicting({verdicts}: Report): Label[][] {
  return SINGLE.map((subject) => [
    ...new Set(verdicts.map(({label}) => label).filter((one) => LABELS[one].subject === subject)),
  ]).filter((labels) => labels.length > 1);
}
