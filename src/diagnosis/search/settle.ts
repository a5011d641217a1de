import type {Interpretation} from '../../input/interpretation.js';
import type {Steps} from '../../input/steps.js';
import {explainsMore, isAccepted, type KeyMatch, together} from './key-match.js';
import {type Probe, readUnder} from './key-trial.js';
import {extend} from './open-siblings.js';

/** A working key, and how it was derived. */
export type Trial = Pick<KeyMatch, 'key' | 'ksn' | 'setting' | 'working'>;

/** Random bytes show less evidence too often for it to be considered. */
const MIN_SETTLED_BITS = 16;
/** Evidence required of another interpretation of the same message once the key is proven. */
const MIN_PROVEN_BITS = 24;

/** The evidence from each interpretation under a working key, all its targets together. */
export function* readTogether(probes: readonly Probe[], trial: Trial): Steps<KeyMatch[]> {
  const byInterpretation = new Map<Interpretation, KeyMatch>();
  for (const probe of probes) {
    yield;
    const one = readTrial(probe, trial);
    if (!one) continue;
    const before = byInterpretation.get(probe.interpretation);
    byInterpretation.set(probe.interpretation, before ? together(before, one) : one);
  }
  return [...byInterpretation.values()];
}

/**
 * Of all interpretations of a message under a proven key, the one that explains most; the proven
 * one if none explains more.
 */
export function* mostExplaining(found: KeyMatch, all: readonly Probe[]): Steps<KeyMatch> {
  const {key, ksn, setting, working} = found;
  let best = yield* extend(found);
  // What a reader accepts as a whole explains more than anything that no reader can accept.
  const mayExplainMore = ({interpretation}: Probe) =>
    interpretation !== found.probe.interpretation &&
    (!isAccepted(best) || interpretation.targets.every(({open}) => open));
  const read = yield* readTogether(all.filter(mayExplainMore), {key, ksn, setting, working});
  for (const one of read.filter(({bits}) => bits >= MIN_PROVEN_BITS)) {
    const extended = yield* extend(one);
    if (explainsMore(extended, best)) best = extended;
  }
  return best;
}

function readTrial(probe: Probe, trial: Trial): KeyMatch | undefined {
  const {setting, working, ksn} = trial;
  const reading = readUnder(probe, setting.algorithm, working);
  if (!reading || reading.bits < MIN_SETTLED_BITS) return undefined;
  const opened = [{target: probe.target, reading, setting, ksn}];
  return {...trial, probe, opened, bits: reading.bits};
}
