import type {Label} from './labels.js';

/** A label, with details of this case. */
export interface Finding {
  readonly label: Label;
  /** One sentence about this case: the finding and its place. Never a key or a card number. */
  readonly detail?: string;
}

/** Removes duplicates; a finding without detail stays only if there is none with detail. */
export function distinctFindings(findings: readonly Finding[]): Finding[] {
  const detailed = new Set(findings.flatMap(({label, detail}) => (detail ? [label] : [])));
  const said = findings.filter(({label, detail}) => detail ?? !detailed.has(label));
  return [...new Map(said.map((one) => [`${one.label} ${one.detail}`, one])).values()];
}
