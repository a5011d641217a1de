import {toBytes} from '../../engine/cipher/words.js';
import type {Steps} from '../../input/steps.js';
import type {KeyRole} from '../candidates/key-candidates.js';
import {LANES, slicedDes} from '../slices/sliced-des.js';
import {type Lane, SlicedDukpt} from '../slices/sliced-dukpt.js';
import type {KeyMatch} from './key-match.js';
import {type Probe, passesFirstLook, passesSecondLook} from './key-trial.js';
import {DIRECT, type TrialSetting} from './working-keys.js';

/** A key and the KSN under which it is tried, if it needs one. */
export type Read = Pick<KeyMatch, 'key' | 'ksn'>;

/** Which of the settings may open something, by their index. */
type Hits = number[];

/** With fewer lanes one key after the other is tried faster. */
export const MIN_LANES = 24;
/** Their blocks have to fit into the memory. */
export const MAX_SIFTED_PROBES = 128;
/** Most reads sifted together: of each role at least some lanes. */
export const READS_PER_SIFT = 4 * LANES;

/** Undefined until it is needed, and where it cannot be compiled. */
let sliced: SlicedDukpt | undefined;
let isTried = false;

/** Tries many keys at once; undefined where that is not possible. */
export function sliceKeys(): SlicedDukpt | undefined {
  const des = isTried ? undefined : slicedDes();
  isTried = true;
  sliced ??= des && new SlicedDukpt(des);
  return sliced;
}

/**
 * The TDES keys of many reads tried at once on the first two blocks of each ciphertext, for each read
 * the settings that are worth a closer look; undefined for a read that has to be tried by itself.
 */
export function* sift(
  dukpt: SlicedDukpt,
  reads: readonly Read[],
  settings: readonly TrialSetting[],
  probes: readonly Probe[],
): Steps<(Hits | undefined)[]> {
  const found = new Array<Hits | undefined>(reads.length);
  for (const role of ['bdk', 'ik', 'transaction', 'working'] as const) {
    const tried = role === 'working' ? [DIRECT] : settings;
    const fit: SiftLane[] = [];
    for (const [i, read] of reads.entries())
      if (fits(read, role)) fit.push({bytes: read.key.bytes, ksn: read.ksn?.ksn, i});
    for (let from = 0; fit.length - from >= MIN_LANES; from += LANES) {
      const lanes = fit.slice(from, from + LANES);
      for (const {i} of lanes) found[i] = [];
      yield* siftLanes(dukpt, lanes, role, tried, probes, found);
    }
  }
  dukpt.wipe();
  return found;
}

interface SiftLane extends Lane {
  /** Index of its read. */
  readonly i: number;
}

/** True for TDES DUKPT of a double-length key without detours. */
function fits({key, ksn}: Read, role: KeyRole): boolean {
  if (key.role !== role || key.bytes.length !== 16 || key.adjustIk) return false;
  return role === 'transaction' || role === 'working' || ksn?.ksn.scheme === 'tdes';
}

function* siftLanes(
  dukpt: SlicedDukpt,
  lanes: readonly SiftLane[],
  role: KeyRole,
  settings: readonly TrialSetting[],
  probes: readonly Probe[],
  found: (Hits | undefined)[],
): Steps<void> {
  dukpt.load(lanes, role);
  for (const [index, setting] of settings.entries()) {
    dukpt.vary(setting.variant, setting.selfEncrypted);
    for (const probe of probes) {
      dukpt.decrypt(probe.target.ciphertext);
      for (let lane = 0; lane < lanes.length; lane++) {
        if (!mayBegin(probe, dukpt.blocks, 4 * lane)) continue;
        const hits = found[lanes[lane]!.i]!;
        if (!hits.includes(index)) hits.push(index);
      }
    }
    yield;
  }
}

function mayBegin(probe: Probe, blocks: Int32Array, at: number): boolean {
  if (!passesFirstLook(probe, blocks, at)) return false;
  const words = Math.min(4, probe.target.ciphertext.length >> 2);
  return passesSecondLook(probe, toBytes(blocks.subarray(at, at + words)), 8);
}
