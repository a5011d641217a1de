import type {Interpretation} from '../../input/interpretation.js';
import type {Steps} from '../../input/steps.js';
import {explainsMore, type KeyMatch, together} from './key-match.js';
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
  const others = all.filter(({interpretation}) => interpretation !== found.probe.interpretation);
  const read = yield* readTogether(others, {key, ksn, setting, working});
  let best = yield* extend(found);
  // What is whole is not explained better by a part that is damaged, though no digits are missing.
  const mayExplain = (one: KeyMatch) => isDamaged(found) || !isDamaged(one);
  for (const one of read.filter((one) => one.bits >= MIN_PROVEN_BITS && mayExplain(one))) {
    const extended = yield* extend(one);
    if (explainsMore(extended, best)) best = extended;
  }
  return best;
}

function isDamaged({opened, probe}: KeyMatch): boolean {
  const isMarked = probe.interpretation.gap !== undefined || probe.target.gaps !== undefined;
  return !isMarked && opened.some(({reading}) => reading.damage !== undefined);
}

function readTrial(probe: Probe, trial: Trial): KeyMatch | undefined {
  const {setting, working, ksn} = trial;
  const reading = readUnder(probe, setting.algorithm, working);
  if (!reading || reading.bits < MIN_SETTLED_BITS) return undefined;
  const opened = [{target: probe.target, reading, setting, ksn}];
  return {...trial, probe, opened, bits: reading.bits};
}
