import {latin1Of} from '../../platform/bytes.js';
import type {CardContent, CardPlace} from '../card/card-content.js';
import {type Evidence, notCardData} from '../card/evidence.js';
import {TRACK_NAMES, type TrackNumber} from '../card/lrc.js';
import {placeOf} from '../card/one-card.js';
import {readTrack} from '../card/track.js';
import {type Track, trackDataOf} from '../card/track-data.js';

type Tracks = Pick<CardContent, 'track1' | 'track2' | 'track3'>;

/** Reads tracks that are separate values. Throws 2601 if one is not a track. */
export function readBareTracks(
  trackValue: (number: TrackNumber) => Uint8Array | undefined,
  evidence: Evidence,
): Tracks {
  const tracks = ([1, 2, 3] as const).flatMap((number) => {
    const value = trackValue(number);
    return value ? [[`track${number}`, readBareTrack(number, value, evidence)] as const] : [];
  });
  return Object.fromEntries(tracks);
}

/** A card number in its place, then its separator: `=`, or the letter D. */
const HEADS: Readonly<Record<TrackNumber, RegExp>> = {
  1: /^%?[A-Z]\d[\d ]{10,21}\^/,
  2: /^;?\d{12,19}[=D]\d*(?:=\d*)*\??$/,
  3: /^[;+]?\d{13,21}[=D]/,
};

/**
 * Reads a track in a separate value: text with or without sentinels, in which the letter `D` may
 * be the separator of tracks 2 and 3. Throws 2601 if it is not a track.
 */
function readBareTrack(number: TrackNumber, value: Uint8Array, evidence: Evidence): Track {
  if (!HEADS[number].test(latin1Of(value)))
    throw notCardData(TRACK_NAMES[number], 'no card number in its place');
  const sent = number === 1 ? value : value.map((byte) => (byte === LETTER_D ? EQUALS : byte));
  return {...readTrack(number, sent, {evidence, fills: []}), bytes: value};
}

const LETTER_D = 0x44;
const EQUALS = 0x3d;

/** The parts of a card that are values of their own, and the names of these. */
interface BareCard {
  readonly bytes: Uint8Array;
  readonly tracks: Tracks;
  readonly pan: string | undefined;
  /** YYMM. */
  readonly expiry: string | undefined;
  readonly names: {readonly pan: string; readonly expiry: string};
}

/** The content of such a card: keyed entry if it has a card number and no track. */
export function bareCardContent({bytes, tracks, pan, expiry, names}: BareCard): CardContent {
  const isKeyed = Object.keys(tracks).length === 0 && pan !== undefined;
  const {track1, track2} = tracks;
  const places: CardPlace[] = [
    ...(track2 ? [placeOf('track 2', trackDataOf(2, track2))] : []),
    ...(track1 ? [placeOf('track 1', trackDataOf(1, track1))] : []),
    ...(pan === undefined ? [] : [placeOf(names.pan, {pan})]),
    ...(expiry === undefined ? [] : [placeOf(names.expiry, {expiry})]),
  ];
  return {
    places,
    ...tracks,
    ...(isKeyed ? {keyed: {bytes, text: [pan, expiry].filter(Boolean).join('='), pan}} : {}),
    ...(pan === undefined || isKeyed ? {} : {pan}),
    ...(expiry === undefined ? {} : {expiry}),
  };
}
