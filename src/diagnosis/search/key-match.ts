import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {attempt} from '../../input/attempt.js';
import {isRecognisedByLength, type Target} from '../../input/interpretation.js';
import {hexOf} from '../../platform/bytes.js';
import type {KeyCandidate} from '../candidates/key-candidates.js';
import type {KsnCandidate} from '../candidates/ksn-candidates.js';
import {type ChainReading, provenBytes} from '../plaintext/chain.js';
import {isWholeCard} from '../plaintext/opened-plaintext.js';
import type {Probe} from './key-trial.js';
import type {TrialSetting} from './working-keys.js';

/** Two facts of different kinds may have a higher probability each. */
const TWO_FACTS_BITS = 30;

/** A target and its reading. */
export interface OpenedTarget {
  readonly target: Target;
  readonly reading: ChainReading;
  readonly setting: TrialSetting;
  readonly ksn?: KsnCandidate | undefined;
}

/** The key and settings that decrypt a case. */
export interface KeyMatch {
  readonly probe: Probe;
  readonly key: KeyCandidate;
  readonly ksn?: KsnCandidate | undefined;
  readonly setting: TrialSetting;
  readonly opened: readonly OpenedTarget[];
  readonly bits: number;
  /** The working key, for comparison with given keys. Never shown. */
  readonly working: Uint8Array;
}

/** The terminal that sent the payload: of several that may have, the one that its data shows. */
export function deviceTypeOf({probe, opened}: KeyMatch): string | undefined {
  const {reader} = probe.interpretation;
  const [first] = opened;
  if (!reader?.decide || !first) return reader?.type;
  const content = attempt(() => first.target.open?.(first.reading.plain));
  return reader.decide(content ?? {}).type;
}

/**
 * Combines two targets of one interpretation under the same key. Which of its targets decrypt was not
 * known before, and overlapping pieces count only once.
 */
export function together(a: KeyMatch, b: KeyMatch): KeyMatch {
  const [best, other] = a.bits >= b.bits ? [a, b] : [b, a];
  const {targets, kind} = a.probe.interpretation;
  if (kind === 'pieces') return best;
  const more = Math.max(0, other.bits - Math.log2(targets.length) - 2);
  return {...best, opened: [...a.opened, ...b.opened], bits: best.bits + more};
}

/** The targets that hold more than zeros, as a session ID beside the tracks does; all, if none does. */
export function targetsWithData({opened}: KeyMatch): readonly OpenedTarget[] {
  const withData = opened.filter(
    ({reading}) => !reading.openings.every(({packing}) => packing === 'zeros'),
  );
  return withData.length > 0 ? withData : opened;
}

/** True if nothing is known of the plaintext except its padding. */
export function isPaddingOnly({opened}: KeyMatch): boolean {
  return opened.every(({reading}) => reading.openings.every(({packing}) => packing === 'binary'));
}

/**
 * Compares two interpretations of the same message under one key: preferred is the one that the
 * reader of its format accepts in all fields, else the one that explains more without
 * contradiction.
 */
export function explainsMore(a: KeyMatch, b: KeyMatch): boolean {
  if (isAccepted(a) !== isAccepted(b)) return isAccepted(a);
  const more = bytesOf(a) + headStart(a) - bytesOf(b) - headStart(b);
  if (more !== 0) return more > 0;
  if (a.probe.target.gaps && isPiece(b)) return true;
  if (contradicts(b) && !contradicts(a)) return true;
  // A reader of bare ciphertext finds a card: only the plaintext shows that it applies.
  const isBare =
    a.probe.interpretation.reader?.readsBare && a.opened.every(({reading}) => reading.accepted);
  const readings = b.opened.map(({reading}) => reading);
  return isBare === true && !readings.some((one) => one.openings.some(({content}) => content));
}

/**
 * True of whole blocks behind others, or in front of some that do not decrypt: where no more is explained,
 * digits are missing between them.
 */
function isPiece({opened, probe: {interpretation, target}}: KeyMatch): boolean {
  const isSlice = interpretation.findings.some(({label}) => label === 'wrong-slice');
  return isSlice && (!target.uncut || opened.some(({reading}) => reading.damage));
}

/**
 * Beside a gap two blocks can match by guessing a digit; pieces of whole blocks may be separate. A
 * letter read as the digit that it resembles is no gap.
 */
const HEAD_STARTS = {inside: 33, 'between blocks': 0.5} as const;

function headStart(found: KeyMatch): number {
  const {gap, findings} = found.probe.interpretation;
  if (findings.some(({label}) => label === 'look-alikes')) return HEAD_STARTS.inside;
  return gap ? HEAD_STARTS[gap] : 0;
}

/** True if the reader of its format accepts every ciphertext of the payload. */
export function isAccepted({opened, probe: {interpretation}}: KeyMatch): boolean {
  const isWhole =
    opened.length === interpretation.targets.length && !isRecognisedByLength(interpretation);
  return isWhole && opened.every(({reading}) => reading.accepted);
}

/**
 * Pieces that were split at possible lengths overlap, so only one of them counts; and what a text holds
 * twice counts once.
 */
function bytesOf({opened, probe}: KeyMatch): number {
  const distinct = new Map(opened.map((one) => [hexOf(one.target.ciphertext), one.reading]));
  const each = [...distinct.values()].map(provenBytes);
  const isOne = probe.interpretation.kind === 'pieces';
  return isOne ? Math.max(...each) : each.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * True if the plaintexts contradict themselves, so that the message may have been split wrongly:
 * bytes without meaning, a piece that ends in the middle of a track.
 */
export function contradicts({opened, probe}: KeyMatch): boolean {
  const {reader, targets} = probe.interpretation;
  if (opened.some(({reading}) => !reading.iv || reading.damage)) return true;
  if (!reader || targets.length < 2) return false;
  return opened.some(
    ({reading}) => reading.refused !== undefined && !reading.openings.every(isWholeCard),
  );
}

/**
 * The evidence in bits that an opening needs after `tried` trials, so that chance produces it less
 * than once in 2^40 searches, or once in 2^30 if facts of two kinds agree.
 */
export function requiredBits(tried: number, opened: readonly OpenedTarget[]): number {
  const facts = opened.flatMap(({reading}) => reading.openings.flatMap((one) => one.facts));
  const kinds = new Set(facts.map(({kind}) => kind));
  kinds.delete('other');
  return (kinds.size >= 2 ? TWO_FACTS_BITS : REQUIRED_BITS) + Math.log2(tried + 1);
}
