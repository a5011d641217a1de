import type {KeyCandidate} from '../candidates/key-candidates.js';
import type {KsnCandidate} from '../candidates/ksn-candidates.js';
import {
  contradicts,
  explainsMore,
  isPaddingOnly,
  type KeyMatch,
  requiredBits,
} from './key-match.js';
import {loadTdesKey, type Probe, passesAesFilter, passesFilter} from './key-trial.js';
import {mostExplaining, readTogether, type Trial} from './settle.js';
import {type TrialSetting, WorkingKeys} from './working-keys.js';

/** Keys and KSNs to try with each other. */
export interface Stage {
  /** Description of the current step, for the progress line. */
  readonly name: string;
  readonly keys: Iterable<KeyCandidate>;
  readonly ksns: readonly KsnCandidate[];
  readonly probes: readonly Probe[];
  /** Read completely under every key, not only those whose first block passes the filter. */
  readonly thorough?: boolean;
  readonly settings?: readonly TrialSetting[];
  /** Try AES DUKPT, also under KSNs of 10 bytes (X9.24-3:2017, KSN compatibility mode). */
  readonly isAes?: boolean;
  /** Evidence for its keys in advance: they are not guesses, so earlier trials do not count. */
  readonly priorBits?: number;
}

export class OutOfTime extends Error {}

interface Options {
  /** Called often; throws OutOfTime to end the search. */
  readonly tick: (stage: string, tried: number) => void;
  /** All ciphertexts of the case, in every interpretation. */
  readonly probes: readonly Probe[];
}

/** Tries keys until one is proven. */
export class Search {
  tried = 0;
  /** Proven, but contradicting itself: used if nothing explains more. */
  partial: KeyMatch | undefined;
  /** Proven by its padding alone: used if there is no better evidence. */
  padded: KeyMatch | undefined;
  /** The best reading that could not be proven. */
  weak: KeyMatch | undefined;
  readonly #stages = new Set<string>();
  readonly #tick: Options['tick'];
  readonly #probes: readonly Probe[];
  readonly #keys = new WorkingKeys();
  #steps = 0;
  /** Number of trials before the current stage. */
  #triedBefore = 0;

  constructor({tick, probes}: Options) {
    this.#tick = tick;
    this.#probes = probes;
  }

  /** The first proven opening in the stage; pauses often, so that others can have a turn. */
  *run(stage: Stage): Generator<void, KeyMatch | undefined> {
    if (stage.probes.length > 0) this.#stages.add(stage.name);
    this.#triedBefore = stage.priorBits === undefined ? 0 : this.tried;
    for (const key of stage.keys) {
      for (const ksn of ksnsFor(key, stage.ksns)) {
        if (this.#step(stage)) yield;
        for (const [setting, working] of this.#keys.of(key, ksn?.ksn, stage)) {
          const found = this.#tryKey({key, ksn, setting, working}, stage);
          if (found) return found;
        }
      }
    }
    return undefined;
  }

  /** Description of what was tried. */
  get stages(): readonly string[] {
    return [...this.#stages];
  }

  /** True when it is time to pause. */
  #step(stage: Stage): boolean {
    this.#steps++;
    if (this.#steps % 16 !== 0) return false;
    this.#tick(stage.name, this.tried);
    return true;
  }

  #tryKey(trial: Trial, stage: Stage): KeyMatch | undefined {
    const {setting, working} = trial;
    const isAes = setting.algorithm === 'aes';
    if (!isAes) loadTdesKey(working);
    const hits = passing(stage, isAes ? (probe) => passesAesFilter(probe, working) : passesFilter);
    this.tried += stage.probes.length;
    return hits.length === 0 ? undefined : this.#readAll(hits, trial, stage);
  }

  /** Reads each target completely; evidence from several targets of one interpretation is added up. */
  #readAll(hits: readonly Probe[], trial: Trial, stage: Stage): KeyMatch | undefined {
    let best: KeyMatch | undefined;
    for (const found of readTogether(hits, trial)) {
      if (!this.#isProven(found, stage.priorBits ?? 0)) this.#remember(found);
      else if (isPaddingOnly(found)) this.#keep(found);
      else if (!best || found.bits > best.bits) best = found;
    }
    return best && this.#settle(best);
  }

  /**
   * The interpretation that explains most under a proven key; undefined while it contradicts
   * itself.
   */
  #settle(found: KeyMatch): KeyMatch | undefined {
    const best = mostExplaining(found, this.#probes);
    const isMore = !this.partial || explainsMore(best, this.partial);
    if (isMore && !contradicts(best)) return best;
    if (isMore) this.partial = best;
    return undefined;
  }

  #isProven({bits, opened}: KeyMatch, priorBits: number): boolean {
    return bits + priorBits >= requiredBits(this.tried - this.#triedBefore, opened);
  }

  #keep(found: KeyMatch): void {
    if (found.probe.interpretation.kind !== 'pieces')
      this.padded ??= mostExplaining(found, this.#probes);
  }

  #remember(found: KeyMatch): void {
    if (found.key.change || (found.ksn && found.ksn.change !== 'none')) return;
    if (!this.weak || found.bits > this.weak.bits) this.weak = found;
  }
}

/** The KSNs under which a key has different working keys. */
function ksnsFor(
  {role}: KeyCandidate,
  ksns: readonly KsnCandidate[],
): readonly (KsnCandidate | undefined)[] {
  if (role === 'working') return [undefined];
  if (role !== 'transaction') return ksns;
  if (ksns.length === 0) return [undefined];
  const tdes = ksns.findIndex(({ksn}) => ksn.scheme === 'tdes');
  return tdes < 0 ? ksns : ksns.slice(0, tdes + 1);
}

/** The probes to read completely; those with the same beginning are tested once. */
function passing({probes, thorough}: Stage, passes: (probe: Probe) => boolean): Probe[] {
  let beginning: string | undefined;
  let verdict = false;
  return probes.filter((probe) => {
    if (thorough && !probe.isLong) return true;
    if (probe.beginning !== beginning) verdict = passes(probe);
    beginning = probe.beginning;
    return verdict;
  });
}
