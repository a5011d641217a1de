import type {CardContent} from '../../../card/card-content.js';
import {notCardData} from '../../../card/evidence.js';
import type {TrackNumber} from '../../../card/lrc.js';
import type {MaskedPan} from '../../../card/masked-pans.js';
import {placeOf} from '../../../card/one-card.js';
import {type Track, trackDataOf} from '../../../card/track-data.js';
import {openTrack} from './open-track.js';

/** A card that was swiped, or its number as keyed in, sent as tracks all the same. */
export type Kind = 'swiped' | 'keyed';

/** A track to be opened, and what was sent beside it. */
interface Sent {
  readonly number: TrackNumber;
  readonly copies: readonly MaskedPan[];
  readonly length?: number | undefined;
  /** Track 1 of a keyed entry whose track 2 makes the response. */
  readonly isSecond: boolean;
}

/** Format letter of track 1 of a keyed entry. */
const MANUAL = '%M';

/** What opens a track of this kind. */
export function trackOpener(sent: Sent, kind: Kind = 'swiped'): (plain: Uint8Array) => CardContent {
  return (plain) => (kind === 'keyed' ? openManual(plain, sent) : openSwiped(plain, sent));
}

/** Opens a track of a stripe. Throws 2601 also for a keyed entry. */
function openSwiped(plain: Uint8Array, {number, copies, length}: Sent): CardContent {
  const content = openTrack(number, plain, copies, length);
  if (!content.track1?.text.startsWith(MANUAL)) return content;
  throw notCardData('track 1', 'a keyed entry, not a swipe');
}

/**
 * Opens a track of a keyed entry: number and expiry, then zeros with the CVV inside
 * (docs/terminals/magtek.md#manual-entry). Throws 2601 if it is a track of a stripe.
 */
function openManual(plain: Uint8Array, {number, copies, length, isSecond}: Sent): CardContent {
  const {track1, track2, facts, bits} = openTrack(number, plain, copies, length);
  const name = `track ${number}`;
  const entry = number === 1 ? track1 : track2;
  if (!entry) throw notCardData(name, 'not part of a keyed entry');
  const {pan, expiry, ...keyed} = entryOf(name, entry, number === 1 ? 1 : 2);
  const {cvv} = keyed;
  const shared = {expiry, ...(cvv === undefined ? {} : {cvv}), facts, bits};
  if (isSecond) return {...shared, places: [placeOf(name, {pan, expiry})]} as CardContent;
  return {...shared, keyed: {...keyed, pan}} as CardContent;
}

const HEADS = {1: /^%M[^^]+\^[^^]*\^\d{4}/, 2: /^;\d+=\d{4}/} as const;
/** Service code, three zeros, CVV, zeros, and whether the name was keyed, too. */
const TAILS = {1: /^000000(\d{3,4})00000[01]$/, 2: /^000000(\d{3,4})00[01]$/} as const;

function entryOf(name: string, track: Track, number: 1 | 2) {
  const {bytes, text} = track;
  const {pan, expiry} = trackDataOf(number, track) ?? {};
  const [head] = HEADS[number].exec(text) ?? [];
  if (pan === undefined || expiry === undefined || head === undefined) {
    throw notCardData(name, 'not a keyed entry');
  }
  const hidden = text.slice(head.length, -1);
  const [, cvv] = TAILS[number].exec(hidden) ?? [];
  return {pan, expiry, bytes, text, hidden, ...(cvv === undefined ? {} : {cvv})};
}

/** Both tracks of a keyed entry have the same CVV. Throws 2601. */
export function assertSameCvv(_: CardContent, each: readonly CardContent[]): void {
  const cvvs = new Set(each.map(({cvv}) => cvv).filter((cvv) => cvv !== undefined));
  if (cvvs.size > 1) throw notCardData('track 1', 'its CVV is not that of track 2');
}
