import {latin1Of} from '../../../platform/bytes.js';
import type {CardContent, CardPlace} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import type {TrackNumber} from '../../card/lrc.js';
import {placeOf} from '../../card/one-card.js';
import {type Track, trackDataOf} from '../../card/track-data.js';
import {type Fill, isFill} from '../../cipher/padding.js';
import {readBareTrack} from '../shared/bare-track.js';
import {ELEMENTS, LENGTH_BYTES, TAG_BYTES} from './layout.js';

type Tag = (typeof ELEMENTS)[keyof typeof ELEMENTS];

/** The elements of one plaintext, by tag. */
type Found = ReadonlyMap<Tag, Uint8Array>;

interface List {
  readonly found: Found;
  /** Where the padding begins. */
  readonly end: number;
}

/**
 * Reads the plaintext of DE-127: elements of a card, each once, and padding
 * (docs/formats/ifsf.md#de-127). Throws 2601 if it is anything else.
 */
export function openElements(plain: Uint8Array): CardContent {
  const evidence = new Evidence();
  const {found, end} = listOf(plain);
  const tracks = tracksOf(found, evidence);
  const pan = digitsOf(found, ELEMENTS.pan, /^\d{12,19}$/, evidence);
  const date = digitsOf(found, ELEMENTS.expiry, /^(?:\d{4}|\d{6})$/, evidence);
  const expiry = date?.slice(0, 4);
  evidence.add('walk', 'elements up to the padding', found.size * HEADER_BITS);
  if (end < plain.length)
    evidence.add('padding', 'padding after the elements', Math.min(plain.length - end, 8) * 8 - 4);
  evidence.demand('DE-127', 'A card number or a track');
  const bytes = plain.slice(0, end);
  const isKeyed = Object.keys(tracks).length === 0 && pan !== undefined;
  return {
    tlv: [{bytes, objects: []}],
    ...tracks,
    ...(isKeyed ? {keyed: {bytes, text: [pan, expiry].filter(Boolean).join('='), pan}} : {}),
    ...(pan === undefined || isKeyed ? {} : {pan}),
    ...(expiry === undefined ? {} : {expiry}),
    places: placesIn(tracks, pan, expiry),
    facts: evidence.facts,
    bits: evidence.bits,
  };
}

/** One of five tags, and a length of two bytes that fits it. */
const HEADER_BITS = 18;
/** A PAN, a date, a track with at least its PAN: the fewest and the most characters. */
const LENGTHS: Readonly<Record<Tag, readonly [number, number]>> = {
  [ELEMENTS.pan]: [12, 19],
  [ELEMENTS.expiry]: [4, 6],
  [ELEMENTS.track2]: [13, 37],
  [ELEMENTS.track3]: [13, 104],
  [ELEMENTS.track1]: [15, 76],
};

function listOf(plain: Uint8Array): List {
  const found = new Map<Tag, Uint8Array>();
  let at = 0;
  while (at < plain.length && !isPadding(plain, at)) {
    const tag = plain[at] as Tag;
    const bounds = LENGTHS[tag];
    const length = ((plain[at + TAG_BYTES] ?? 0) << 8) | (plain[at + TAG_BYTES + 1] ?? 0);
    const from = at + TAG_BYTES + LENGTH_BYTES;
    if (!bounds || length < bounds[0] || length > bounds[1] || from + length > plain.length)
      throw notCardData('DE-127', `byte ${at} of the plaintext: expected an element of a card`);
    if (found.has(tag)) throw notCardData('DE-127', `element ${tag} is there twice`);
    at = from + length;
    found.set(tag, plain.subarray(from, at));
  }
  return {found, end: at};
}

const LONGEST_PADDING: Readonly<Partial<Record<Fill, number>>> = {zero: 15, iso7816: 24};

/** Zeros, or ISO/IEC 9797-1 method 2, once seen with a further block of zeros. */
function isPadding(plain: Uint8Array, at: number): boolean {
  const length = plain.length - at;
  return (['zero', 'iso7816'] as const).some(
    (fill) => length <= (LONGEST_PADDING[fill] ?? 0) && isFill(plain, at, [fill]),
  );
}

function digitsOf(found: Found, tag: Tag, form: RegExp, evidence: Evidence): string | undefined {
  const value = found.get(tag);
  if (!value) return undefined;
  const digits = latin1Of(value);
  if (!form.test(digits)) throw notCardData('DE-127', `element ${tag}: expected digits`);
  evidence.add('grammar', `digits of element ${tag}`, digits.length * DIGIT_BITS);
  return digits;
}

/** 10 of 256 values. */
const DIGIT_BITS = 4.6;

type Tracks = Pick<CardContent, 'track1' | 'track2' | 'track3'>;

function tracksOf(found: Found, evidence: Evidence): Tracks {
  const track1 = trackIn(found, 1, evidence);
  const track2 = trackIn(found, 2, evidence);
  const track3 = trackIn(found, 3, evidence);
  return {...(track1 && {track1}), ...(track2 && {track2}), ...(track3 && {track3})};
}

const TRACK_ELEMENTS = {1: ELEMENTS.track1, 2: ELEMENTS.track2, 3: ELEMENTS.track3} as const;

function trackIn(found: Found, number: TrackNumber, evidence: Evidence): Track | undefined {
  const value = found.get(TRACK_ELEMENTS[number]);
  return value && readBareTrack(number, value, evidence);
}

function placesIn({track1, track2}: Tracks, pan?: string, expiry?: string): CardPlace[] {
  return [
    ...(track2 ? [placeOf('track 2', trackDataOf(2, track2))] : []),
    ...(track1 ? [placeOf('track 1', trackDataOf(1, track1))] : []),
    ...(pan === undefined ? [] : [placeOf('DE-2', {pan})]),
    ...(expiry === undefined ? [] : [placeOf('DE-14', {expiry})]),
  ];
}
