import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {isToldByLength} from '../input/interpretation.js';
import type {ChainReading} from '../plaintext/chain.js';
import type {Opening} from '../plaintext/opened-plaintext.js';
import type {Found} from './key-match.js';

/** How many bytes of a plaintext make sense. */
export function explainedBytes({plain, openings, damage}: ChainReading): number {
  const lost = damage ? damage.to - damage.from : 0;
  return openings.reduce((bytes, {unread = 0}) => bytes - unread, plain.length - lost);
}

/** Of two readings of one ciphertext under one key: what explains more, in fewer parts, is right. */
export function betterReading(
  a: ChainReading | undefined,
  b: ChainReading | undefined,
): ChainReading | undefined {
  if (!a || !b) return a ?? b;
  if (Math.min(a.bits, b.bits) < REQUIRED_BITS) return b.bits > a.bits ? b : a;
  const more = explainedBytes(b) - explainedBytes(a) || partsOf(a) - partsOf(b) || b.bits - a.bits;
  return more > 0 ? b : a;
}

function partsOf({restarts, openings}: ChainReading): number {
  return restarts.length + openings.length;
}

/**
 * Of two ways to cut the same message under one key: what the reader of its format accepts in all its
 * fields, else what explains more, without contradiction.
 */
export function explainsMore(a: Found, b: Found): boolean {
  if (isAccepted(a) !== isAccepted(b)) return isAccepted(a);
  const more = bytesOf(a) - bytesOf(b);
  return more > 0 || (more === 0 && contradicts(b) && !contradicts(a));
}

function isAccepted({opened, probe: {subject}}: Found): boolean {
  const isWhole = opened.length === subject.targets.length && !isToldByLength(subject);
  return isWhole && opened.every(({reading}) => reading.accepted);
}

/** Pieces that were cut at what may be their lengths overlap: one of them counts. */
function bytesOf({opened, probe}: Found): number {
  const each = opened.map(({reading}) => explainedBytes(reading));
  return probe.subject.isCut ? Math.max(...each) : each.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Whether what opened contradicts itself, so that the message may have been cut wrongly: bytes that make
 * no sense, a piece that ends in the middle of a track.
 */
export function contradicts({opened, probe}: Found): boolean {
  const {deviceType, targets} = probe.subject;
  if (opened.some(({reading}) => !reading.iv || reading.damage)) return true;
  if (deviceType === undefined || targets.length < 2) return false;
  return opened.some(
    ({reading}) => reading.refused !== undefined && !reading.openings.every(isWholeCard),
  );
}

/** Whole tracks or a list: behind the last end sentinel and its LRC nothing is left over. */
export function isWholeCard({content, packing, text}: Opening): boolean {
  return content !== undefined && (packing !== 'ascii' || !/\?[^?]{2,}$/.test(text));
}
