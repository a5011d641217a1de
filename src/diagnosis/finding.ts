import {LABELS, type Label, type Rank} from './labels.js';

/** A label, with details of this case. */
export interface Finding {
  readonly label: Label;
  /** One sentence about this case: the finding and its place. Never a key or a card number. */
  readonly detail?: string | undefined;
  /** The key, KSN or ciphertext that it is about, if there may be several. */
  readonly of?: string | undefined;
  /** Absent: that of the label. */
  readonly rank?: Rank | undefined;
  /** One sentence with the true digits of a mistyped key; only `diagnose` shows it. */
  readonly correction?: string | undefined;
}

const RANKS: readonly Rank[] = ['mistake', 'setting', 'background'];

/**
 * The findings of a case, the cause first: by rank, and otherwise in the order given. Duplicates are
 * removed, and so is what another finding rules out; with a mistake, the case is never called right.
 */
export function ranked(findings: readonly Finding[]): Finding[] {
  const detailed = new Set(findings.flatMap(({label, detail}) => (detail ? [label] : [])));
  const said = findings.filter(({label, detail}) => detail ?? !detailed.has(label));
  const distinct = [...new Map(said.map((one) => [`${one.label} ${one.detail}`, one])).values()];
  const all = RANKS.flatMap((rank) => distinct.filter((one) => rankOf(one) === rank));
  // Of two that rule out each other the first is kept.
  const left = all.filter(
    (one, at) => !all.some((other, i) => excludes(other, one) && (i < at || !excludes(one, other))),
  );
  const isWrong = left.some((one) => rankOf(one) === 'mistake');
  return left.filter(({label}) => !isWrong || label !== 'decrypts-plainly');
}

/** What a finding is to its reader. */
export function rankOf({label, rank = LABELS[label].rank}: Finding): Rank {
  return rank;
}

/** True if `other` cannot be said beside `one`: by its label, or as it claims the same subject. */
function excludes(one: Finding, other: Finding): boolean {
  const {excludes: ruledOut} = LABELS[one.label];
  const isSame = one.of === other.of && ruledOut.includes(LABELS[other.label].subject);
  return one.label !== other.label && (isSame || ruledOut.includes(other.label));
}
