import {type CardContent, trackContent} from '../../../card/card-content.js';
import {Evidence} from '../../../card/evidence.js';
import type {TrackNumber} from '../../../card/lrc.js';
import {
  assertMaskedPans,
  type MaskedPan,
  maskedByZeros,
  maskedTrack,
} from '../../../card/masked-pans.js';
import {readTrack} from '../../../card/track.js';

/**
 * The card numbers in masked tracks, which may be concatenated; the number of track 3 is masked
 * differently.
 */
export function maskedCopies(text: string): MaskedPan[] {
  return [...text.matchAll(/%[^%?]*\^|;[^;?]*=/g)].flatMap(([track]) =>
    maskedByZeros(
      maskedTrack(track.startsWith('%') ? 'masked track 1' : 'masked track 2', track),
      VISIBLE,
    ),
  );
}

const VISIBLE = {head: 4, tail: 4};

/** Reads a track, of a stated length or not, and compares it with its masked copy. Throws 2601 if it is none, or differs. */
export function openTrack(
  number: TrackNumber,
  plain: Uint8Array,
  masked: readonly MaskedPan[],
  length?: number,
): CardContent {
  const evidence = new Evidence();
  const name = `track ${number}`;
  const content = trackContent(
    number,
    readTrack(number, plain, {evidence, ...(length ? {length} : {})}),
  );
  const own = masked.filter(({isTrack1 = false}) => isTrack1 === (number === 1));
  if (number !== 3) assertMaskedPans(name, own, content, evidence);
  evidence.assertEnough(name, 'A masked copy');
  return {...content, facts: evidence.facts, bits: evidence.bits};
}
