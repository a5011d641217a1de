import {type CardContent, trackContent} from '../../../card/card-content.js';
import {type Evidence, notCardData} from '../../../card/evidence.js';
import type {TrackNumber} from '../../../card/lrc.js';
import {type MaskedPan, maskedByZeros, maskedTrack} from '../../../card/masked-pans.js';
import {placeOf} from '../../../card/one-card.js';
import {readTrack} from '../../../card/track.js';
import {type Track, trackDataOf} from '../../../card/track-data.js';
import {proveContent} from '../../../forms/prove-content.js';

/** A card that was swiped, or its number as keyed in, sent as tracks all the same. */
export type Kind = 'swiped' | 'keyed';

/** A track to be decrypted, and what the payload says of it. */
export interface TrackContext {
  readonly number: TrackNumber;
  readonly copies: readonly MaskedPan[];
  /** Length of the plaintext, if it is stated. */
  readonly length?: number | undefined;
  /** Track 1 of a keyed entry whose track 2 makes the response. */
  readonly isSecond?: boolean;
  /** Track 2 alone, of which nothing says whether the card was swiped. */
  readonly mayBeKeyed?: boolean;
}

const SHOWN_AT_ENDS = {head: 4, tail: 4};

/**
 * The card numbers in masked tracks, which may be concatenated; the number of track 3 is masked
 * differently.
 */
export function maskedCopies(text: string): MaskedPan[] {
  return [...text.matchAll(/%[^%?]*\^|;[^;?]*=/g)].flatMap(([track]) => {
    const name = track.startsWith('%') ? 'masked track 1' : 'masked track 2';
    return maskedByZeros(maskedTrack(name, track), SHOWN_AT_ENDS);
  });
}

/**
 * Reads a track, of a stated length or not, and compares it with its masked copy. Throws 2601 if it
 * is not a track, or differs.
 */
export function openMaskedTrack(
  plain: Uint8Array,
  {number, copies, length}: TrackContext,
): CardContent {
  const own = copies.filter(({isTrack1 = false}) => isTrack1 === (number === 1));
  const read = (evidence: Evidence) => {
    const track = readTrack(number, plain, {evidence, ...(length ? {length} : {})});
    return trackContent(number, track);
  };
  return proveContent(`track ${number}`, read, number === 3 ? [] : own, 'A masked copy');
}

/** The function that opens a track of this kind. */
export function trackOpener(context: TrackContext, kind: Kind = 'swiped') {
  const open = kind === 'keyed' ? openKeyed : openSwiped;
  return (plain: Uint8Array): CardContent => open(openMaskedTrack(plain, context), context);
}

/** Throws 2601 for a keyed entry: it has format letter M, or is a track 2 with a CVV among zeros. */
function openSwiped(content: CardContent, {number, mayBeKeyed}: TrackContext): CardContent {
  const {track1, track2} = content;
  const isKeyed = track1?.text.startsWith('%M') || (mayBeKeyed && track2 && hasCvv(track2));
  if (!isKeyed) return content;
  throw notCardData(`track ${number}`, 'a keyed entry, not a swipe');
}

/** No stripe has service code 000 and a number like this; zeros alone may be of one. */
function hasCvv({text}: Track): boolean {
  const [{length} = ''] = KEYED_HEADS[2].exec(text) ?? [];
  const [, cvv = ''] = KEYED_TAILS[2].exec(text.slice(length, -1)) ?? [];
  return /[1-9]/.test(cvv);
}

/**
 * The track of a keyed entry: number and expiry, then zeros with the CVV inside
 * (docs/terminals/magtek.md#manual-entry). Throws 2601 if it is a track of a stripe.
 */
function openKeyed(
  {track1, track2, facts = [], bits = 0}: CardContent,
  {number, isSecond}: TrackContext,
): CardContent {
  const name = `track ${number}`;
  const [track, kind] = number === 1 ? ([track1, 1] as const) : ([track2, 2] as const);
  if (!track) throw notCardData(name, 'not part of a keyed entry');
  const {bytes, text} = track;
  const {pan, expiry} = trackDataOf(kind, track) ?? {};
  const [head] = KEYED_HEADS[kind].exec(text) ?? [];
  if (pan === undefined || expiry === undefined || head === undefined)
    throw notCardData(name, 'not a keyed entry');
  const hidden = text.slice(head.length, -1);
  const [, cvv] = KEYED_TAILS[kind].exec(hidden) ?? [];
  const code = cvv === undefined ? {} : {cvv};
  const shared = {expiry, facts, bits, ...code};
  if (isSecond) return {places: [placeOf(name, {pan, expiry})], ...shared};
  return {keyed: {bytes, text, hidden, pan, ...code}, ...shared};
}

const KEYED_HEADS = {1: /^%M[^^]+\^[^^]*\^\d{4}/, 2: /^;\d+=\d{4}/} as const;
/** Service code, three zeros, CVV, zeros, and whether the name was keyed, too. */
const KEYED_TAILS = {1: /^000000(\d{3,4})00000[01]$/, 2: /^000000(\d{3,4})00[01]$/} as const;

/** Both tracks of a keyed entry have the same CVV. Throws 2601. */
export function assertSameCvv(_: CardContent, each: readonly CardContent[]): void {
  const cvvs = new Set(each.map(({cvv}) => cvv).filter((cvv) => cvv !== undefined));
  if (cvvs.size > 1) throw notCardData('track 1', 'its CVV is not that of track 2');
}
