import type {Report, Solution, Verdict} from '../report.js';
import {commandOf} from './command-of.js';
import {maskPlaintext} from './mask-plaintext.js';

/** The answer of `diagnose --json`. */
export interface DiagnosisJson {
  readonly solved: boolean;
  readonly verdicts: readonly Verdict[];
  readonly solution?: Solution;
  readonly evidence: readonly string[];
  readonly plaintexts: readonly {
    readonly name: string;
    readonly hex: string;
    readonly text: string;
  }[];
  /** The command that decrypts it. */
  readonly next?: string;
  /** What was tried without success; absent if the case was solved. */
  readonly excluded?: readonly string[];
  readonly tried: number;
  readonly elapsedMs: number;
}

/** A report for scripts; card data is masked unless `reveal`. */
export function diagnosisJson(report: Report, reveal: boolean): DiagnosisJson {
  const {solved, verdicts, solution, evidence, plaintexts, next, tried, elapsedMs} = report;
  return {
    solved,
    verdicts,
    ...(solution ? {solution} : {}),
    evidence,
    plaintexts: plaintexts.map((one) => {
      const {hex, text} = reveal ? one : maskPlaintext(one);
      return {name: one.name, hex, text};
    }),
    ...(next ? {next: commandOf(next)} : {}),
    ...(solved ? {} : {excluded: report.excluded}),
    tried,
    elapsedMs,
  };
}
