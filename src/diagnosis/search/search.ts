import type {Steps} from '../../input/steps.js';
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
import {MAX_SIFTED_PROBES, MIN_LANES, READS_PER_SIFT, type Read, sift, sliceKeys} from './sift.js';
import {TDES_SETTINGS, type TrialSetting, WorkingKeys} from './working-keys.js';

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

/** A pause after so much work, in trials of a TDES key on a ciphertext. */
const TRIALS_PER_STEP = 4096;
/** Deriving the keys of a read, and a trial of an AES key. */
const TRIALS_PER_READ = 256;
const TRIALS_PER_AES_KEY = 8;

/** Tries keys until one is proven. */
export class Search {
  tried = 0;
  /** Name of the current stage. */
  stage = '';
  /** Proven, but contradicting itself: used if nothing explains more. */
  partial: KeyMatch | undefined;
  /** Proven by its padding alone: used if there is no better evidence. */
  padded: KeyMatch | undefined;
  /** The best reading that could not be proven. */
  weak: KeyMatch | undefined;
  readonly #stages = new Set<string>();
  readonly #probes: readonly Probe[];
  readonly #keys = new WorkingKeys();
  #work = 0;
  /** Number of trials before the current stage. */
  #triedBefore = 0;

  /** `probes`: all ciphertexts of the case, in every interpretation. */
  constructor(probes: readonly Probe[]) {
    this.#probes = probes;
  }

  /** The first proven opening in the stage; pauses often, so that others can have a turn. */
  *run(stage: Stage): Steps<KeyMatch | undefined> {
    this.stage = stage.name;
    if (stage.probes.length > 0) this.#stages.add(stage.name);
    this.#triedBefore = stage.priorBits === undefined ? 0 : this.tried;
    for (const reads of chunksOf(readsOf(stage))) {
      const hits = yield* siftedReads(reads, stage);
      for (let i = 0; i < reads.length; i++) {
        const read = reads[i]!;
        // Most reads end here: a key that is used directly may be one of AES.
        if (hits[i]?.length === 0 && read.key.role !== 'working') {
          this.tried += (stage.settings ?? TDES_SETTINGS).length * stage.probes.length;
          continue;
        }
        const found = yield* this.#tryRead(read, stage, hits[i]);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** `hits`: the indices of the settings that are worth it; all of them if undefined. */
  *#tryRead(
    {key, ksn}: Read,
    stage: Stage,
    hits: readonly number[] | undefined,
  ): Steps<KeyMatch | undefined> {
    const before = this.tried;
    const all = stage.settings ?? TDES_SETTINGS;
    const settings = hits ? hits.map((index) => all[index]!) : all;
    const isDirect = key.role === 'working';
    this.#work += TRIALS_PER_READ * Math.min(settings.length, 1);
    for (const [setting, working] of this.#keys.of(key, ksn?.ksn, {...stage, settings})) {
      if (hits && !isDirect) this.tried = before + all.indexOf(setting) * stage.probes.length;
      if (this.#isPauseDue) yield;
      const trial = {key, ksn, setting, working};
      const isHopeless = hits?.length === 0 && setting.algorithm === 'tdes';
      const passed = isHopeless ? [] : this.#hits(trial, stage);
      if (isHopeless) this.tried += stage.probes.length;
      const found = passed.length > 0 && (yield* this.#readAll(passed, trial, stage));
      if (found) return found;
    }
    if (hits && !isDirect) this.tried = before + all.length * stage.probes.length;
    return undefined;
  }

  get #isPauseDue(): boolean {
    if (this.#work < TRIALS_PER_STEP) return false;
    this.#work = 0;
    return true;
  }

  /** Description of what was tried. */
  get stages(): readonly string[] {
    return [...this.#stages];
  }

  /** The probes that may be card data under a working key. */
  #hits({setting, working}: Trial, stage: Stage): readonly Probe[] {
    const isAes = setting.algorithm === 'aes';
    if (!isAes) loadTdesKey(working);
    this.tried += stage.probes.length;
    this.#work += stage.probes.length * (isAes ? TRIALS_PER_AES_KEY : 1);
    return passing(stage, isAes ? (probe) => passesAesFilter(probe, working) : passesFilter);
  }

  /** Reads each target completely; evidence from several targets of one interpretation is added up. */
  *#readAll(hits: readonly Probe[], trial: Trial, stage: Stage): Steps<KeyMatch | undefined> {
    let best: KeyMatch | undefined;
    for (const found of yield* readTogether(hits, trial)) {
      if (!this.#isProven(found, stage.priorBits ?? 0)) this.#remember(found);
      else if (isPaddingOnly(found)) yield* this.#keep(found);
      else if (!best || found.bits > best.bits) best = found;
    }
    return best && (yield* this.#settle(best));
  }

  /**
   * The interpretation that explains most under a proven key; undefined while it contradicts
   * itself.
   */
  *#settle(found: KeyMatch): Steps<KeyMatch | undefined> {
    const best = yield* mostExplaining(found, this.#probes);
    const isMore = !this.partial || explainsMore(best, this.partial);
    if (isMore && !contradicts(best)) return best;
    if (isMore) this.partial = best;
    return undefined;
  }

  #isProven({bits, opened}: KeyMatch, priorBits: number): boolean {
    return bits + priorBits >= requiredBits(this.tried - this.#triedBefore, opened);
  }

  *#keep(found: KeyMatch): Steps<void> {
    if (found.probe.interpretation.kind !== 'pieces')
      this.padded ??= yield* mostExplaining(found, this.#probes);
  }

  #remember(found: KeyMatch): void {
    if (found.key.change || found.ksn?.change) return;
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

/** Each key under each of its KSNs. */
function* readsOf({keys, ksns}: Stage): Generator<Read> {
  for (const key of keys) for (const ksn of ksnsFor(key, ksns)) yield {key, ksn};
}

function* chunksOf(reads: Iterable<Read>): Generator<Read[]> {
  let chunk: Read[] = [];
  for (const read of reads) {
    if (chunk.length === READS_PER_SIFT) {
      yield chunk;
      chunk = [];
    }
    chunk.push(read);
  }
  yield chunk;
}

/** What is worth trying of each read; nothing is known of reads that are read completely. */
function* siftedReads(reads: readonly Read[], stage: Stage): Steps<Sifted> {
  const {thorough, isAes, probes, settings = TDES_SETTINGS} = stage;
  if (thorough || isAes || reads.length < MIN_LANES) return [];
  const distinct = probes.filter((one, i) => one.beginning !== probes[i - 1]?.beginning);
  const sliced = distinct.length > MAX_SIFTED_PROBES ? undefined : sliceKeys();
  if (!sliced) return [];
  // The settings of AES come last, and are all worth it.
  const tdes = settings.filter(({algorithm}) => algorithm === 'tdes');
  const others = settings.slice(tdes.length).map((_, i) => tdes.length + i);
  const found = yield* sift(sliced, reads, tdes, distinct);
  if (others.length === 0) return found;
  return found.map((hits, i) =>
    hits && reads[i]?.key.role !== 'working' ? [...hits, ...others] : hits,
  );
}

type Sifted = readonly (readonly number[] | undefined)[];

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
