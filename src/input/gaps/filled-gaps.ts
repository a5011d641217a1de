import type {InputFinding} from '../finding.js';
import type {Gap} from '../interpretation.js';

/** A run of hex digits with a gap. */
export interface GapRun {
  readonly pieces: readonly string[];
  readonly finding: InputFinding;
  /** A payload with this gap was recognised. */
  readonly isPayload: boolean;
}

/** Says where digits are missing. */
export function gapFinding(pieces: readonly string[], marks: readonly number[]): InputFinding {
  let at = 0;
  const places = marks.map((mark, i) => {
    at += pieces[i]!.length + mark;
    return mark === 1 ? `${at}` : `${at - mark + 1} to ${at}`;
  });
  return {label: 'digits-missing', detail: `No hex digits at ${places.join(', ')} of the run.`};
}

/** A run of hex digits whose gaps are filled. */
interface Filled {
  readonly digits: string;
  /** In bytes. */
  readonly gaps: readonly Gap[];
}

/** Puts as many digits `fill` into each gap as `lengths` says. */
export function filledWith(
  pieces: readonly string[],
  lengths: readonly number[],
  fill: string,
): Filled {
  let digits = pieces[0] ?? '';
  const gaps: Gap[] = [];
  for (const [i, length] of lengths.entries()) {
    const from = digits.length >> 1;
    digits += fill.repeat(length);
    gaps.push({from, to: Math.ceil(digits.length / 2)});
    digits += pieces[i + 1] ?? '';
  }
  return {digits, gaps};
}
