import type {KeyCandidate} from '../candidates/key-candidates.js';
import type {KsnCandidate} from '../candidates/ksn-candidates.js';
import type {Target} from '../input/interpretation.js';
import type {ChainReading} from '../plaintext/chain.js';
import type {Probe, TrialSetting} from './key-trial.js';

/** A target and how it was read. */
export interface OpenedTarget {
  readonly target: Target;
  readonly reading: ChainReading;
  readonly setting: TrialSetting;
  readonly ksn?: KsnCandidate;
}

/** What opens a case. */
export interface Found {
  readonly probe: Probe;
  readonly key: KeyCandidate;
  readonly ksn?: KsnCandidate;
  readonly setting: TrialSetting;
  readonly opened: readonly OpenedTarget[];
  readonly bits: number;
  /** The working key, to be compared with keys that were given. Never shown. */
  readonly working: Uint8Array;
}

/**
 * Two targets of one subject under the same key. Which of its targets open was not known before, and
 * pieces that overlap say the same twice.
 */
export function together(a: Found, b: Found): Found {
  const [best, other] = a.bits >= b.bits ? [a, b] : [b, a];
  const {targets, isCut} = a.probe.subject;
  if (isCut) return best;
  const more = Math.max(0, other.bits - Math.log2(targets.length) - 2);
  return {...best, opened: [...a.opened, ...b.opened], bits: best.bits + more};
}

/** Whether nothing is known of the plaintext but that it ends in padding. */
export function isPaddingOnly({opened}: Found): boolean {
  return opened.every(({reading}) => reading.openings.every(({packing}) => packing === 'binary'));
}
