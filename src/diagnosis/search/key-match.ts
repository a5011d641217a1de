import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import type {KeyCandidate} from '../candidates/key-candidates.js';
import type {KsnCandidate} from '../candidates/ksn-candidates.js';
import {isToldByLength, type Target} from '../input/interpretation.js';
import {type ChainReading, provenBytes} from '../plaintext/chain.js';
import {isWholeCard} from '../plaintext/opened-plaintext.js';
import type {Probe, TrialSetting} from './key-trial.js';

/** Two facts of different kinds may be each less rare. */
const TWO_FACTS_BITS = 30;

/** A target and how it was read. */
export interface OpenedTarget {
  readonly target: Target;
  readonly reading: ChainReading;
  readonly setting: TrialSetting;
  readonly ksn?: KsnCandidate;
}

/** The key and settings that decrypt a case. */
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
  const {targets, kind} = a.probe.subject;
  if (kind === 'pieces') return best;
  const more = Math.max(0, other.bits - Math.log2(targets.length) - 2);
  return {...best, opened: [...a.opened, ...b.opened], bits: best.bits + more};
}

/** Whether nothing is known of the plaintext but that it ends in padding. */
export function isPaddingOnly({opened}: Found): boolean {
  return opened.every(({reading}) => reading.openings.every(({packing}) => packing === 'binary'));
}

/**
 * Of two ways to cut the same message under one key: what the reader of its format accepts in all its
 * fields, else what explains more, without contradiction.
 */
export function explainsMore(a: Found, b: Found): boolean {
  if (isAccepted(a) !== isAccepted(b)) return isAccepted(a);
  const more = bytesOf(a) + headStart(a) - bytesOf(b) - headStart(b);
  return more > 0 || (more === 0 && contradicts(b) && !contradicts(a));
}

/** Beside a gap two blocks can be had by guessing a digit; pieces of whole blocks may be apart. */
const HEAD_STARTS = {inside: 33, 'between blocks': 0.5} as const;

function headStart({probe}: Found): number {
  const {gap} = probe.subject;
  return gap ? HEAD_STARTS[gap] : 0;
}

function isAccepted({opened, probe: {subject}}: Found): boolean {
  const isWhole = opened.length === subject.targets.length && !isToldByLength(subject);
  return isWhole && opened.every(({reading}) => reading.accepted);
}

/** Pieces that were cut at what may be their lengths overlap: one of them counts. */
function bytesOf({opened, probe}: Found): number {
  const each = opened.map(({reading}) => provenBytes(reading));
  const isOne = probe.subject.kind === 'pieces';
  return isOne ? Math.max(...each) : each.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Whether what opened contradicts itself, so that the message may have been cut wrongly: bytes that make
 * no sense, a piece that ends in the middle of a track.
 */
export function contradicts({opened, probe}: Found): boolean {
  const {reader, targets} = probe.subject;
  if (opened.some(({reading}) => !reading.iv || reading.damage)) return true;
  if (!reader || targets.length < 2) return false;
  return opened.some(
    ({reading}) => reading.refused !== undefined && !reading.openings.every(isWholeCard),
  );
}

/**
 * How many bits an opening needs after `tried` trials, so that chance shows it in a whole search less
 * than once in 2^40; less than once in 2^30 where facts of two kinds agree.
 */
export function requiredBits(tried: number, opened: readonly OpenedTarget[]): number {
  const least = hasTwoFacts(opened) ? TWO_FACTS_BITS : REQUIRED_BITS;
  return least + Math.log2(tried + 1);
}

function hasTwoFacts(opened: readonly OpenedTarget[]): boolean {
  const facts = opened.flatMap(({reading}) => reading.openings.flatMap((one) => one.facts));
  const kinds = new Set(facts.map(({kind}) => kind));
  kinds.delete('other');
  return kinds.size >= 2;
}
