import type {Subject} from '../input/interpretation.js';
import {explainsMore, type Found, together} from './key-match.js';
import {type Probe, readUnder} from './key-trial.js';
import {extend} from './open-siblings.js';

/** Derivation of a working key. */
export type Origin = Pick<Found, 'key' | 'ksn'>;
/** A working key, and how it was made. */
export type Trial = Origin & Pick<Found, 'setting' | 'working'>;

/** Less is what random bytes show too often to be worth a thought. */
const LEAST_BITS = 16;
/** What another way to cut the same message needs once the key is proven. */
const LEAST_PROVEN_BITS = 24;

/** What each subject shows under a working key, all its targets together. */
export function readSubjects(probes: readonly Probe[], trial: Trial): Found[] {
  const bySubject = new Map<Subject, Found>();
  for (const probe of probes) {
    const one = readTrial(probe, trial);
    if (!one) continue;
    const before = bySubject.get(probe.subject);
    bySubject.set(probe.subject, before ? together(before, one) : one);
  }
  return [...bySubject.values()];
}

/**
 * Of all ways to cut the message under a proven key the one that explains most; the proven one where
 * none explains more.
 */
export function mostExplaining(found: Found, all: readonly Probe[]): Found {
  const {key, ksn, setting, working} = found;
  const trial = {key, setting, working, ...(ksn ? {ksn} : {})};
  const others = all.filter(({subject}) => subject !== found.probe.subject);
  return readSubjects(others, trial)
    .filter(({bits}) => bits >= LEAST_PROVEN_BITS)
    .map(extend)
    .reduce((best, one) => (explainsMore(one, best) ? one : best), extend(found));
}

function readTrial(probe: Probe, trial: Trial): Found | undefined {
  const {setting, working, ksn} = trial;
  const reading = readUnder(probe, setting.algorithm, working);
  if (!reading || reading.bits < LEAST_BITS) return undefined;
  const opened = [{target: probe.target, reading, setting, ...(ksn ? {ksn} : {})}];
  return {...trial, probe, opened, bits: reading.bits};
}
