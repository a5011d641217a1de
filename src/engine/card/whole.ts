import {PaylensError} from '../../contract/paylens-error.js';
import {alwaysAdds, type Fill} from '../cipher/padding.js';
import {type Evidence, notCardData} from './evidence.js';
import {TRACK_NAMES, type TrackNumber} from './lrc.js';

/** Most characters between the sentinels (ISO/IEC 7813, ISO/IEC 4909). */
export const MAX_TRACK_CHARS: Readonly<Record<TrackNumber, number>> = {1: 76, 2: 37, 3: 104};

/** What shows the end of a field. */
export interface Ending {
  /** Bytes of padding behind it, and the kinds that are allowed. */
  readonly filled: number;
  readonly fills: readonly Fill[];
  /** A start sentinel, and an end sentinel or filler, were sent. */
  readonly isBegun?: boolean | undefined;
  readonly isEnded?: boolean | undefined;
  /** Its length is stated, or another field shows that it is whole. */
  readonly isStated?: boolean;
  /** Absent: as on a stripe. */
  readonly longest?: number | undefined;
}

/**
 * The only check that a track is whole: it is not too long, a start sentinel has its end, stated
 * padding is there, and something marks the end: a sentinel, padding or a stated length
 * (docs/terminals/common.md#where-a-track-ends). Throws 2102 if its end is missing, 2601 if it is too
 * long or may be chance.
 */
export function assertWholeTrack(
  number: TrackNumber,
  length: number,
  ending: Ending,
  evidence: Evidence,
): void {
  const {isBegun, isEnded, isStated, filled, longest = MAX_TRACK_CHARS[number]} = ending;
  const name = TRACK_NAMES[number];
  if (length > longest)
    throw notCardData(name, `expected at most ${longest} characters, found ${length}`);
  assertPadded(name, ending, evidence);
  if (isEnded || (!isBegun && (isStated || filled > 0))) return;
  throw withoutEnd(name, `nothing marks the end of its ${length} characters`, evidence);
}

/** Throws 2102 if padding that always adds a byte is stated, and none follows a field. */
export function assertPadded(name: string, {filled, fills}: Ending, evidence: Evidence): void {
  if (filled === 0 && alwaysAdds(fills))
    throw withoutEnd(name, `its padding (${fills.join(', ')}) is missing`, evidence);
}

/** Rarer than one wrong key in thirty million: the key is right, and the data is not whole. */
const RIGHT_KEY_BITS = 25;

function withoutEnd(name: string, why: string, {bits}: Evidence): PaylensError {
  return bits < RIGHT_KEY_BITS ? notCardData(name, why) : new PaylensError(2102, `${name}: ${why}`);
}
