import {isSameBytes} from '../../platform/bytes.js';
import {flatten} from '../tlv/ber.js';
import type {CardContent, CardPlace} from './card-content.js';
import {contradictedData} from './evidence.js';
import type {TrackNumber} from './lrc.js';
import {maskPan} from './mask.js';
import type {CardShown, MaskedPan} from './masked-pans.js';
import {isPan, type Track, trackDataOf} from './track-data.js';
import {parseTrack2Equivalent} from './track2-equivalent.js';

/** Plaintext content of one ciphertext of a card read. */
export interface CardPart {
  readonly name: string;
  /** Parts with the same text belong to one swipe. */
  readonly swipe: string;
  readonly content: CardContent;
}

/** A place and the part it is in. */
interface PlacedNumber {
  readonly place: CardPlace;
  readonly part: CardPart;
}

/**
 * All parts of a read must be of one card: the same number and expiry date everywhere, and no track
 * or tag of the card twice with different values. Only where `tracksMayDiffer` may track 1 of a swipe
 * be blank, its number all zeros (docs/terminals/common.md#one-read-and-one-card). `clearExpiry` is an
 * expiry date sent beside the ciphertext.
 *
 * Throws 2601, naming both places.
 */
export function assertOneCard(
  parts: readonly CardPart[],
  clearExpiry?: string,
  tracksMayDiffer = false,
): void {
  const found: PlacedNumber[] = [];
  for (const part of parts) for (const place of placesOf(part.content)) found.push({place, part});
  const answered = assertSameNumber(found, tracksMayDiffer);
  const dated = assertSameExpiry(found, answered?.place.pan);
  if (clearExpiry !== undefined) assertExpiry(dated, clearData(clearExpiry));
  assertSameValues(parts);
}

const PERSON = {name: 'name', expiry: 'expiry date', serviceCode: 'service code'} as const;
const SHOWN_MEMBERS = Object.keys(PERSON) as (keyof CardShown)[];

/**
 * Names, service codes and, in masked copies, expiry dates in clear must be those of the decrypted
 * card; if it has none, all must be equal. Throws 2601, naming the place.
 */
export function assertOnePerson(
  contents: readonly CardContent[],
  clear?: CardContent,
  masked: readonly MaskedPan[] = [],
): void {
  const copies = masked.filter(({shown}) => shown !== undefined);
  // Most reads have neither.
  if (copies.length === 0 && !clear?.name && !clear?.serviceCode) return;
  const decrypted = contents.flatMap(shownBy);
  for (const member of SHOWN_MEMBERS) {
    const known = decrypted.map((shown) => shownMember(shown, member)).filter(Boolean);
    // The expiry date in clear has been compared with the number that it belongs to.
    if (clear && member !== 'expiry')
      assertKnown(member, known, 'the cleartext data beside it', clear);
    for (const {name, shown} of copies) assertKnown(member, known, name, shown);
  }
}

function assertKnown(
  member: keyof CardShown,
  known: string[],
  place: string,
  shown: CardShown | undefined,
): void {
  const value = shownMember(shown, member);
  if (value === '') return;
  if (known.length > 0 && !known.includes(value))
    throw contradictedData(place, `its ${PERSON[member]} is not that of the card`);
  known.push(value);
}

function shownMember(shown: CardShown | undefined, member: keyof CardShown): string {
  return shown && Object.hasOwn(shown, member) ? (shown[member]?.trim() ?? '') : '';
}

function shownBy(content: CardContent): CardShown[] {
  const {track1, track2, track2equivalent} = content;
  const tracks = [track1 && trackDataOf(1, track1), track2 && trackDataOf(2, track2)];
  const equivalent = track2equivalent && parseTrack2Equivalent(track2equivalent.text);
  return [content, ...tracks, equivalent].filter((data) => data !== undefined);
}

/**
 * True for what nearly every payload contains: tracks 1 and 2, each at most once, with one number
 * and date. Naming the places as well would make a frame 30 % slower from payload to JSON.
 */
export function isPlainSwipe(contents: readonly CardContent[], clearExpiry?: string): boolean {
  if (clearExpiry !== undefined) return false;
  let one: Track | undefined;
  let two: Track | undefined;
  let three: Track | undefined;
  for (let i = 0; i < contents.length; i++) {
    const {track1, track2, track3, places, keyed, track2equivalent, pan} = contents[i] ?? {};
    if ((one && track1) || (two && track2) || (three && track3)) return false;
    if ((places ?? keyed ?? track2equivalent ?? pan) !== undefined) return false;
    one ??= track1;
    two ??= track2;
    three ??= track3;
  }
  if (!one || !two) return true;
  const data1 = trackDataOf(1, one);
  const data2 = trackDataOf(2, two);
  return data1?.pan === data2?.pan && data1?.expiry === data2?.expiry;
}

/** The card numbers and expiry dates in one content, with their positions. */
export function placesOf(content: CardContent): readonly CardPlace[] {
  if (content.places) return content.places;
  const {track1, track2, track3, track2equivalent, keyed, pan, expiry} = content;
  const places: CardPlace[] = [];
  if (track1) places.push(placeOf('track 1', trackDataOf(1, track1), 1));
  if (track2) places.push(placeOf('track 2', trackDataOf(2, track2), 2));
  if (track3) places.push(placeOf('track 3', {pan: panOfTrack3(track3.text)}, 3));
  if (track2equivalent) {
    places.push(placeOf('track 2 equivalent', parseTrack2Equivalent(track2equivalent.text)));
  }
  if (keyed) places.push(placeOf('keyed entry', {pan: keyed.pan, expiry}));
  else if (pan !== undefined) places.push(placeOf('card number', {pan, expiry}));
  else if (places.length === 0 && expiry !== undefined)
    places.push(placeOf('expiry date', {expiry}));
  return places;
}

/** A place made from parsed data elements. */
export function placeOf(
  name: string,
  data: Pick<CardPlace, 'pan' | 'expiry'> = {},
  stripe?: TrackNumber,
): CardPlace {
  const {pan, expiry} = data;
  return {
    name,
    pan: pan !== undefined && isPan(pan) ? pan : undefined,
    expiry,
    ...(stripe ? {stripe} : {}),
  };
}

function clearData(expiry: string): PlacedNumber {
  const name = 'the cleartext data beside it';
  return {place: {name, expiry}, part: {name, swipe: '', content: {}}};
}

function fullName({place, part}: PlacedNumber): string {
  return part.name === place.name || part.name === ''
    ? place.name
    : `${place.name} in ${part.name}`;
}

/** ISO 4909: a format code of two digits precedes the number. */
function panOfTrack3(text: string): string | undefined {
  return /^[;+]\d\d(\d{12,19})=/.exec(text)?.[1];
}

const BLANK_NUMBER = /^0+$/;

/** The place of the number in the response: not that of a blank track 1, if there is another. */
function assertSameNumber(
  all: readonly PlacedNumber[],
  tracksMayDiffer: boolean,
): PlacedNumber | undefined {
  const found = all.filter(({place}) => place.pan !== undefined);
  const swipe = found[0]?.part.swipe;
  const isOneSwipe = found.every(({place, part}) => place.stripe && part.swipe === swipe);
  const known: PlacedNumber[] = [];
  for (const one of found) {
    const {stripe = 0, pan = ''} = one.place;
    const isBlank = tracksMayDiffer && stripe === 1 && BLANK_NUMBER.test(pan);
    const kind = isOneSwipe && (isBlank || stripe === 3) ? stripe : 0;
    const before = known[kind];
    if (before && before.place.pan !== one.place.pan) throw contradiction(before, one);
    known[kind] ??= one;
  }
  return known[0] ?? known[1] ?? known[3];
}

/** Checks the dates number by number; a date on its own belongs to the number in the response. */
function assertSameExpiry(found: readonly PlacedNumber[], answered: string | undefined) {
  const dated = new Map<string | undefined, PlacedNumber>();
  for (const one of found) {
    const {pan = answered, expiry} = one.place;
    if (expiry === undefined) continue;
    const before = dated.get(pan);
    if (before) assertExpiry(before, one);
    else dated.set(pan, one);
  }
  return dated.get(answered);
}

function assertExpiry(before: PlacedNumber | undefined, one: PlacedNumber): void {
  if (!before || before.place.expiry === one.place.expiry) return;
  throw contradictedData(fullName(one), `its expiry date is not that of ${fullName(before)}`);
}

function contradiction(before: PlacedNumber, one: PlacedNumber): Error {
  const [pan, other] = [one, before].map(({place}) => maskPan(place.pan ?? ''));
  const why = `its card number ${pan} is not ${other}, the one of ${fullName(before)}`;
  return contradictedData(fullName(one), why);
}

/** Tags of the card whose values a response gives. */
const GIVEN = new Set([
  ...['56', '57', '5A', '5F20', '5F21', '5F22', '5F23', '5F24', '5F30', '9F1F', '9F20', '9F6B'],
  ...['DFDB01', 'DFDB02', 'DFDB03', 'DFDB05', 'DFDB06'],
]);

/** Two values of one tag are refused even if number and date agree: neither can be preferred. */
function assertSameValues(parts: readonly CardPart[]): void {
  assertSameTags(parts);
  if (parts.length === 1) return;
  const known = new Map<string, string>();
  const assertSame = (name: string, value: string) => {
    if ((known.get(name) ?? value) !== value) throw contradictedData(name, 'found with two values');
    known.set(name, value);
  };
  for (const {content} of parts) {
    if (content.track1) assertSame('track 1', content.track1.text);
    if (content.track2) assertSame('track 2', content.track2.text);
    if (content.track3) assertSame('track 3', content.track3.text);
    if (content.keyed) assertSame('keyed entry', content.keyed.text);
  }
}

function assertSameTags(parts: readonly CardPart[]): void {
  const known = new Map<string, Uint8Array>();
  const lists = parts.flatMap(({content}) => content.tlv ?? []);
  for (const {tag, value} of lists.flatMap(({objects}) => flatten(objects))) {
    if (!GIVEN.has(tag) || value.length === 0) continue;
    const first = known.get(tag);
    if (!first) known.set(tag, value);
    else if (!isSameBytes(first, value))
      throw contradictedData(`tag ${tag}`, 'found with two values');
  }
}
