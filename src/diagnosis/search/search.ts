import {toBytes, toWords} from '../../engine/cipher/words.js';
import {AES_KEY_TYPES} from '../../engine/dukpt/key-usage.js';
import type {KeyCandidate} from '../candidates/key-candidates.js';
import type {KsnCandidate} from '../candidates/ksn-candidates.js';
import {AES_TYPES_BY_LENGTH, aesWorkingKeys} from './aes-working-keys.js';
import {
  contradicts,
  explainsMore,
  isPaddingOnly,
  type KeyMatch,
  requiredBits,
} from './key-match.js';
import {
  AES_USAGES,
  loadTdesKey,
  type Probe,
  passesAesFilter,
  passesFilter,
  TDES_SETTINGS,
  type TrialSetting,
  workingWords,
} from './key-trial.js';
import {mostExplaining, type Origin, readSubjects, type Trial} from './settle.js';
import {TdesTransactions} from './tdes-transactions.js';

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
  /** Also try AES-128 under TDES DUKPT keys. */
  readonly withAes?: boolean;
  /** Also try AES DUKPT under KSNs of 10 bytes (X9.24-3:2017, KSN compatibility mode). */
  readonly withCompatibility?: boolean;
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

/** The probes to read completely; those with the same beginning are tested once. */
function passing(
  probes: readonly Probe[],
  thorough: boolean | undefined,
  passes: (probe: Probe) => boolean,
): Probe[] {
  let beginning: string | undefined;
  let verdict = false;
  return probes.filter((probe) => {
    if (thorough && !probe.isLong) return true;
    if (probe.beginning !== beginning) verdict = passes(probe);
    beginning = probe.beginning;
    return verdict;
  });
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
  readonly #transactions = new TdesTransactions();
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
      const found =
        key.role === 'working'
          ? this.#workingKey(key, stage)
          : yield* this.#derivedKeys(key, stage);
      if (found) return found;
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

  *#derivedKeys(key: KeyCandidate, stage: Stage): Generator<void, KeyMatch | undefined> {
    for (const ksn of stage.ksns) {
      if (this.#step(stage)) yield;
      const found =
        ksn.ksn.scheme === 'aes'
          ? this.#aesDukpt(key, ksn, stage)
          : ((key.bytes.length === 16 ? this.#tdesDukpt(key, ksn, stage) : undefined) ??
            (stage.withCompatibility ? this.#aesDukpt(key, ksn, stage) : undefined));
      if (found) return found;
      if (key.role === 'transaction' && ksn.ksn.scheme === 'tdes') break;
    }
    if (key.role !== 'transaction' || stage.ksns.length > 0 || key.bytes.length !== 16) {
      return undefined;
    }
    this.#step(stage);
    return this.#variants(toWords(key.bytes), {key}, stage);
  }

  #tdesDukpt(key: KeyCandidate, ksn: KsnCandidate, stage: Stage): KeyMatch | undefined {
    return this.#variants(this.#transactions.of(key, ksn.ksn), {key, ksn}, stage);
  }

  #variants(transaction: Int32Array, origin: Origin, stage: Stage): KeyMatch | undefined {
    const working = new Int32Array(4);
    for (const setting of stage.settings ?? TDES_SETTINGS) {
      if (setting.algorithm !== 'tdes') continue;
      workingWords(working, transaction, setting);
      const found = this.#tryTdes(working, setting, origin, stage);
      if (found) return found;
    }
    if (!stage.withAes) return undefined;
    for (const tdes of TDES_SETTINGS) {
      workingWords(working, transaction, tdes);
      const setting = {...tdes, algorithm: 'aes' as const};
      const found = this.#tryAes(toBytes(working), setting, origin, stage);
      if (found) return found;
    }
    return undefined;
  }

  #tryAes(
    working: Uint8Array,
    setting: TrialSetting,
    origin: Origin,
    stage: Stage,
  ): KeyMatch | undefined {
    const {thorough, probes} = stage;
    const hits = passing(probes, thorough, (probe) => passesAesFilter(probe, working));
    this.tried += probes.length - hits.length;
    return this.#readAll(hits, {...origin, setting, working}, stage);
  }

  #tryTdes(
    words: Int32Array,
    setting: TrialSetting,
    origin: Origin,
    stage: Stage,
  ): KeyMatch | undefined {
    const {thorough, probes} = stage;
    loadTdesKey(words);
    const hits = passing(probes, thorough, passesFilter);
    this.tried += probes.length - hits.length;
    if (hits.length === 0) return undefined;
    return this.#readAll(hits, {...origin, setting, working: toBytes(words)}, stage);
  }

  /** Reads each target completely; evidence from several targets of one interpretation is added up. */
  #readAll(hits: readonly Probe[], trial: Trial, stage: Stage): KeyMatch | undefined {
    this.tried += hits.length;
    let best: KeyMatch | undefined;
    for (const found of readSubjects(hits, trial)) {
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

  #workingKey(key: KeyCandidate, stage: Stage): KeyMatch | undefined {
    this.#step(stage);
    const {length} = key.bytes;
    if (length === 16 || length === 24) {
      const setting = {variant: 'none', selfEncrypted: false, algorithm: 'tdes'} as const;
      const found = this.#tryTdes(toWords(key.bytes), setting, {key}, stage);
      if (found) return found;
    }
    if (length !== 16 && length !== 24 && length !== 32) return undefined;
    const setting = {variant: 'none', selfEncrypted: false, algorithm: 'aes'} as const;
    return this.#tryAes(key.bytes, setting, {key}, stage);
  }

  #aesDukpt(key: KeyCandidate, ksn: KsnCandidate, stage: Stage): KeyMatch | undefined {
    const {bytes, role} = key;
    if (![16, 24, 32].includes(bytes.length)) return undefined;
    if (role === 'transaction' && ksn.ksn.scheme === 'tdes') return undefined;
    const derive = aesWorkingKeys(bytes, role, ksn.ksn);
    if (!derive) return undefined;
    for (const usage of AES_USAGES) {
      for (const type of AES_TYPES_BY_LENGTH[bytes.length] ?? []) {
        const working = derive(usage, type);
        if (!working) continue;
        const algorithm = AES_KEY_TYPES[type].algorithm < 2 ? 'tdes' : 'aes';
        const setting = {variant: 'none', selfEncrypted: false, algorithm, usage} as const;
        const found =
          algorithm === 'aes'
            ? this.#tryAes(working, setting, {key, ksn}, stage)
            : this.#tryTdes(toWords(working), setting, {key, ksn}, stage);
        if (found) return found;
      }
    }
    return undefined;
  }
}
